import WbcalArguments
import WhiteBalance

/// The subject of a picture for `estimate`, and the method for it.
struct EstimateMethod: Sendable, CustomStringConvertible {
  /// The estimator for a scene that is neutral on average; `nil` for a gray card.
  let scene: (any IlluminantEstimator)?
  /// The method's name and parameters, as they are written on the command line.
  let description: String

  static let grayCard = EstimateMethod(scene: nil, description: "gray-card")
  static let help = ArgumentHelp(
    """
    The method: gray-card; or gray-world, shades-of-gray[:P] or white-patch[:PERCENTILE], for a \
    scene that is neutral on average.
    """, valueName: "method")
}

extension EstimateMethod {
  init(argument: String) throws {
    let parts = argument.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    func parameters(_ standard: [Double]) throws -> [Double] {
      if parts.count == 1 { return standard }
      guard let given = numbers(parts[1], count: standard.count) else {
        throw ValidationError(
          standard.isEmpty
            ? "\(parts[0]) has no parameters."
            : "\(parts[0]) has one parameter, such as \(parts[0]):\(Self.text(standard)).")
      }
      return given
    }
    func scene(
      _ standard: [Double], range: String, _ make: ([Double]) -> (any IlluminantEstimator)?
    ) throws -> EstimateMethod {
      let given = try parameters(standard)
      guard let estimator = make(given) else { throw ValidationError("\(parts[0]): \(range).") }
      return EstimateMethod(
        scene: estimator,
        description: parts[0] + (given.isEmpty ? "" : ":" + Self.text(given)))
    }
    switch parts[0] {
    case "gray-card":
      _ = try parameters([])
      self = .grayCard
    case "black-level":
      throw ValidationError("it has moved to another command: use 'wbcal black-level'.")
    case "gray-world": self = try scene([], range: "") { _ in ShadesOfGray.grayWorld }
    case "shades-of-gray":
      self = try scene([6], range: "P must be at least 1; inf uses the largest values") {
        ShadesOfGray(norm: $0[0])
      }
    case "white-patch":
      self = try scene([99], range: "PERCENTILE must be above 0 and at most 100") {
        WhitePatch(percentile: $0[0])
      }
    default:
      throw ValidationError(
        "the method must be gray-card, gray-world, shades-of-gray[:P] or white-patch[:PERCENTILE].")
    }
  }

  private static func text(_ numbers: [Double]) -> String {
    numbers.map { Int(exactly: $0).map(String.init) ?? "\($0)" }.joined(separator: ",")
  }
}
