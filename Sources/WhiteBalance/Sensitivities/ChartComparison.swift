public import ColorScience

/// A comparison of the colors of a chart in a picture with the chart's true colors.
///
/// ```swift
/// import ColorScience
///
/// func meanDifference(of responses: [LinearRGB?], matrix: Matrix3x3) -> Double? {
///   ChartComparison(
///     of: responses, with: .classicFrom2014, matrix: matrix,
///     under: StandardIlluminant.d65.spectrum)?.mean
/// }
/// ```
///
/// Brightness is not compared: one factor, the median of the patches' ratios of Y, scales all
/// patches to their true lightness. White balance is compared.
public struct ChartComparison: Hashable, Sendable, Codable {
  /// The comparison of one patch.
  public struct Patch: Hashable, Sendable, Codable {
    /// The index among the chart's patches, from 0.
    public let index: Int
    /// The patch's name.
    public let name: String
    /// The true color under the light, relative to the light's white.
    public let expected: LabColor
    /// The color in the picture.
    public let shown: LabColor
    /// The CIEDE2000 difference of the two.
    public let difference: Double
  }

  /// The patches that could be read, in the chart's order.
  public let patches: [Patch]
  /// The mean of the patches' differences.
  public let mean: Double
  /// The difference that 95 % of the patches do not exceed: the 23rd of 24.
  public let p95: Double
  /// The patch with the largest difference.
  public let worst: Patch

  /// Compares responses with a chart.
  ///
  /// Returns `nil` if fewer than `ChartShot.fewestPatches` can be compared, because responses are
  /// missing or patches are darker than black.
  ///
  /// Error: that of the reflectances; colors made from the chart's own spectra differ by less than
  /// 1e-9 (`ChartComparisonTests`). Complexity: O(patches).
  ///
  /// - Parameters:
  ///   - responses: the linear response to each patch, `nil` for those that cannot be read.
  ///   - chart: the chart, with one patch for each response.
  ///   - matrix: the matrix from those responses to XYZ under the light, on any scale.
  ///   - light: the light's power from 380 to 780 nm, in any unit.
  public init?(
    of responses: [LinearRGB?], with chart: ColorChart, matrix: Matrix3x3,
    under light: SpectralDistribution
  ) {
    let sum = light.xyz
    self.init(
      of: responses, with: chart.colors(under: light), of: chart, matrix: matrix,
      white: XYZ(sum.vector / sum.y))
  }

  /// Compares responses with other colors than the chart's own, scaled to Y = 1 for white.
  init?(
    of responses: [LinearRGB?], with colors: [XYZ], of chart: ColorChart, matrix: Matrix3x3,
    white: XYZ
  ) {
    precondition(responses.count == chart.patches.count, "every patch must have a response")
    var found: [(index: Int, expected: XYZ, shown: SIMD3<Double>)] = []
    for (index, (response, expected)) in zip(responses, colors).enumerated() {
      guard let response else { continue }
      let shown = matrix * response.vector
      guard shown.y > 0, shown.sum().isFinite, expected.y > 0 else { continue }
      found.append((index, expected, shown))
    }
    guard found.count >= ChartShot.fewestPatches else { return nil }
    let ratios = found.map { $0.expected.y / $0.shown.y }
    let count = ratios.count
    let scale = (ratios.orderStatistic((count - 1) / 2) + ratios.orderStatistic(count / 2)) / 2
    let patches = found.map { index, expected, shown in
      let (expected, shown) = (
        LabColor(expected, white: white), LabColor(XYZ(scale * shown), white: white)
      )
      return Patch(
        index: index, name: chart.patches[index].name, expected: expected, shown: shown,
        difference: shown.ciede2000(to: expected))
    }
    let differences = patches.map(\.difference)
    guard differences.allSatisfy(\.isFinite),
      let worst = patches.max(by: { $0.difference < $1.difference })
    else { return nil }
    self.patches = patches
    self.worst = worst
    mean = differences.reduce(0, +) / Double(count)
    p95 = differences.orderStatistic((count * 95 + 99) / 100 - 1)
  }
}
