public import ColorScience
public import WhiteBalance

/// The measured colors of the 24 patches of a ColorChecker Classic, and the problems of each patch.
///
/// ```swift
/// func print(_ reading: ChartReading) {
///   for patch in reading.patches { Swift.print(patch.name, patch.response) }
///   for problem in reading.problems { Swift.print(problem) }  // white 9.5 is clipped: …
/// }
/// ```
public struct ChartReading: Hashable, Sendable {
  /// The measurement of one patch.
  public struct Patch: Hashable, Sendable {
    /// The patch's name, as in `ColorChart.classicFrom2014`.
    public let name: String
    /// The mean linear value, with black 0 and white 1, divided by `shading`; for a table, on the
    /// table's own scale.
    public let response: LinearRGB
    /// The standard error of each channel of `response` due to noise, rounding and clipping; `nil`
    /// for a table.
    public let standardError: LinearRGB?
    /// The counts of pixels; `nil` for a table.
    public let pixels: PixelCounts?
    /// The variation of the brightness over the patch, relative to its mean; `nil` for a table.
    public let nonuniformity: Double?
    /// The illumination of the patch relative to the middle of the chart, measured on the chart's
    /// frame; 1 if it is unknown.
    public let shading: Double
    /// The reasons not to trust the patch; empty if there are none.
    public internal(set) var problems: [Problem] = []
    /// `true` if the pixels of the patch can be trusted, regardless of its color relative to the
    /// other patches.
    public var isReadable: Bool {
      problems.allSatisfy { if case .pixels = $0 { false } else { true } }
    }
  }

  /// A reason not to trust a patch.
  public enum Problem: Hashable, Sendable {
    /// The pixels are clipped, dark, too few, or of several colors.
    case pixels(GrayCardEstimate.Refusal)
    /// The color is not that of this patch relative to the others; `deviation` is that of
    /// ln(red/green) or ln(blue/green), whichever is larger.
    case color(deviation: Double)
    /// The brightness of a gray patch, relative to the other gray ones, is wrong by this factor.
    case brightness(factor: Double)
  }

  /// The patches, row by row, from dark skin to black.
  public internal(set) var patches: [Patch]
  /// The relative standard error of the patches' `shading`; `nil` if it is unknown.
  public let shadingError: Double?

  /// One sentence for each problem, with the name of the patch.
  public var problems: [String] {
    patches.flatMap { patch in patch.problems.map { $0.sentence(about: patch.name) } }
  }

  /// The deviation in color, a natural logarithm, above which a patch cannot be the expected one.
  /// For 28 public cameras under white lamps, one chart in a thousand has a patch above this limit.
  static let acceptedDeviation = 0.6

  /// The deviation of the gray patches from their expected brightness relative to each other, as
  /// the root mean square of natural logarithms: below 0.1 for a clean chart, about 0.8 if the tone
  /// curve of the stored values is wrong. `nil` if fewer than 4 can be read.
  package var grayDeviation: Double? {
    let (grays, logs) = Self.grayLogs(patches, patches.map(\.isReadable), 1e-9)
    guard grays.count >= 4 else { return nil }
    let mean = logs.reduce(0, +) / Double(logs.count)
    let squares = logs.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    return (squares / Double(logs.count)).squareRoot()
  }

  /// Returns the usable gray patches, and the logarithms of their measured over their expected
  /// reflectance. For gray, the response of nearly every camera under every lamp is the
  /// reflectance.
  private static func grayLogs(
    _ patches: [Patch], _ isFair: [Bool], _ floor: Double
  ) -> (places: [Int], logs: [Double]) {
    let grays = (18..<24).filter { isFair[$0] }
    let logs = grays.map {
      logarithm(max(patches[$0].response.green, floor) / ChartColors.green[$0])
    }
    return (grays, logs)
  }

  /// Creates a reading and finds the problems of the patches relative to each other.
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
      // Black reflects 3 %: a slightly worn chart, or a little stray light, doubles it.
      guard abs(log - middle) > (index == 23 ? 0.7 : 0.25) else { continue }
      self.patches[index].problems.append(.brightness(factor: exponential(log - middle)))
    }
  }
}

extension ChartReading.Problem {
  /// Returns one sentence that describes the problem of a patch.
  public func sentence(about patch: String) -> String {
    switch self {
    case .pixels(.uneven), .pixels(.mixedColors):
      "\(patch) has more than one color: something covers part of it, or its edge was measured"
    case .pixels(.tooFewPixels(let used, let needed)):
      "\(patch) has only \(used) usable pixels; \(needed) are needed: take the chart closer"
    case .pixels(let refusal): refusal.sentence(about: patch)
    case .color(let deviation):
      "\(patch) does not fit the colors of the other patches (a ratio of channels is off by a "
        + "factor of \(fixed(exponential(deviation), decimals: 1))): it is another patch, dirty, "
        + "or in colored light"
    case .brightness(let factor):
      "\(patch) is \(fixed(factor, decimals: 2)) times as bright as the other gray patches "
        + "predict: a shadow, stray light, a wrong black level or a tone curve"
    }
  }
}
