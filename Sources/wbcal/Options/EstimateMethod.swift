import WbcalArguments
import WhiteBalance

/// The subject for which `estimate` takes a picture, and the method for it.
struct EstimateMethod: Sendable, CustomStringConvertible {
  /// The content of the picture.
  enum Subject: Sendable {
    case grayCard
    case scene(any IlluminantEstimator)
    /// Nothing: the lens is covered.
    case darkness
  }

  let subject: Subject
  /// The method's name and parameters, as they are written on the command line.
  let description: String

  static let grayCard = EstimateMethod(subject: .grayCard, description: "gray-card")
  static let help = ArgumentHelp(
    """
    The method: gray-card; gray-world, shades-of-gray[:P] or white-patch[:PERCENTILE], for a scene \
    that is neutral on average; or black-level, for a frame with the lens covered.
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
        subject: .scene(estimator),
        description: parts[0] + (given.isEmpty ? "" : ":" + Self.text(given)))
    }
    switch parts[0] {
    case "gray-card", "black-level":
      _ = try parameters([])
      self.init(
        subject: parts[0] == "gray-card" ? .grayCard : .darkness, description: String(parts[0]))
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
        "the method must be gray-card, gray-world, shades-of-gray[:P], white-patch[:PERCENTILE] or "
          + "black-level.")
    }
  }

  private static func text(_ numbers: [Double]) -> String {
    numbers.map { Int(exactly: $0).map(String.init) ?? "\($0)" }.joined(separator: ",")
  }
}
