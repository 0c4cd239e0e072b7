public import ColorScience
public import WhiteBalance

/// What the 24 patches of a ColorChecker Classic say, and what is wrong with them.
///
/// ```swift
/// func print(_ reading: ChartReading) {
///   for patch in reading.patches { Swift.print(patch.name, patch.response) }
///   for problem in reading.problems { Swift.print(problem) }  // white 9.5 is clipped: …
/// }
/// ```
public struct ChartReading: Hashable, Sendable {
  /// What one patch says.
  public struct Patch: Hashable, Sendable {
    /// Its name, as in `ColorChart.classicFrom2014`.
    public let name: String
    /// The mean linear light, black 0 and white 1, divided by `shading`; of a table, on the table's
    /// own scale.
    public let response: LinearRGB
    /// The standard error of each channel of `response` that follows from noise, rounding and
    /// clipping; `nil` for a table.
    public let standardError: LinearRGB?
    /// Counts of pixels; `nil` for a table.
    public let pixels: PixelCounts?
    /// How much the brightness varies over the patch, relative to its mean; `nil` for a table.
    public let nonuniformity: Double?
    /// How much more light falls on it than on the middle of the chart, as the chart's frame shows;
    /// 1 where that cannot be told.
    public let shading: Double
    /// Why the patch cannot be trusted; empty if it can.
    public internal(set) var problems: [Problem] = []
    /// Whether its pixels themselves can be trusted, whatever its color is beside the others.
    public var isReadable: Bool {
      problems.allSatisfy { if case .pixels = $0 { false } else { true } }
    }
  }

  /// A reason not to trust a patch.
  public enum Problem: Hashable, Sendable {
    /// Its pixels: clipped, dark, too few, or of several colors.
    case pixels(GrayCardEstimate.Refusal)
    /// Its color is not that of this patch beside the others: ln(red/green) or ln(blue/green)
    /// deviates by this.
    case color(deviation: Double)
    /// A gray patch is this many times as bright as it should be beside the other gray ones.
    case brightness(factor: Double)
  }

  /// The patches row by row, from dark skin to black.
  public internal(set) var patches: [Patch]
  /// The standard error of the patches' `shading`, relatively; `nil` where it cannot be told.
  public let shadingError: Double?

  /// One sentence for all that is wrong, each with its patch's name.
  public var problems: [String] {
    patches.flatMap { patch in patch.problems.map { $0.sentence(about: patch.name) } }
  }

  /// The deviation in color, a natural logarithm, above which a patch is not the one that it should
  /// be. Of 28 public cameras under white lamps one chart in a thousand has a patch beyond.
  static let acceptedDeviation = 0.6

  /// How far the gray patches are from the brightness that they should have beside each other, as
  /// the root mean square of natural logarithms: below 0.1 of a clean chart, about 0.8 where the
  /// curve of the stored values is another. `nil` where fewer than 4 can be read.
  package var grayDeviation: Double? {
    let (grays, logs) = Self.grayLogs(patches, patches.map(\.isReadable), 1e-9)
    guard grays.count >= 4 else { return nil }
    let mean = logs.reduce(0, +) / Double(logs.count)
    let squares = logs.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    return (squares / Double(logs.count)).squareRoot()
  }

  /// The gray patches that can be used, and the logarithms of what they reflect over what they
  /// should: of gray, nearly every camera sees the reflectance under every lamp.
  private static func grayLogs(
    _ patches: [Patch], _ isFair: [Bool], _ floor: Double
  ) -> (places: [Int], logs: [Double]) {
    let grays = (18..<24).filter { isFair[$0] }
    let logs = grays.map {
      logarithm(max(patches[$0].response.green, floor) / ChartColors.green[$0])
    }
    return (grays, logs)
  }

  /// The patches with what is wrong about them among each other.
  init(_ patches: [Patch], shadingError: Double?) {
    self.patches = patches
    self.shadingError = shadingError
    let isFair = patches.map { $0.problems.isEmpty }
    let floor = 1e-6 * (patches.map(\.response.green).max() ?? 0)
    let colors = ChartColors(
      zip(patches, isFair).map { SIMD4($0.response.vector, $1 ? 0 : 1) }, floor)
    for (index, deviation) in colors.deviations.enumerated() {
      guard let deviation, deviation > Self.acceptedDeviation else { continue }
      self.patches[index].problems.append(.color(deviation: deviation))
    }
    let (grays, logs) = Self.grayLogs(patches, isFair, floor)
    guard grays.count >= 3 else { return }
    let middle = logs.orderStatistic(logs.count / 2)
    for (index, log) in zip(grays, logs) {
      // Black reflects 3 %: a chart that is somewhat worn, or a little stray light, doubles it.
      guard abs(log - middle) > (index == 23 ? 0.7 : 0.25) else { continue }
      self.patches[index].problems.append(.brightness(factor: exponential(log - middle)))
    }
  }
}

extension ChartReading.Problem {
  /// One sentence that says what is wrong with a patch, by its name.
  public func sentence(about patch: String) -> String {
    switch self {
    case .pixels(.uneven), .pixels(.mixedColors):
      "\(patch) has more than one color: something lies on it, or its edge was read"
    case .pixels(.tooFewPixels(let used, let needed)):
      "\(patch) has only \(used) usable pixels; \(needed) are needed: take the chart closer"
    case .pixels(let refusal): refusal.sentence(about: patch)
    case .color(let deviation):
      "\(patch) does not have its color beside the others (a ratio of channels is off by a factor of "
        + "\(fixed(exponential(deviation), decimals: 1))): it is another patch, dirty, or in colored light"
    case .brightness(let factor):
      "\(patch) is \(fixed(factor, decimals: 2)) times as bright as it should be beside the other gray "
        + "patches: a shadow, stray light, a wrong black level or a tone curve"
    }
  }
}
