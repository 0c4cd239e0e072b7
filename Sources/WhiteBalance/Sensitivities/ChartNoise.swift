/// The deviation of the responses to a chart's patches from those predicted from its reflectances
/// and the light, as standard deviations of logarithms: 0.01 is 1 %.
public struct ChartNoise: Hashable, Sendable, Codable {
  /// The deviation of each channel of each patch by itself: noise, and reflectances that differ
  /// from the table.
  public let independent: Double
  /// The deviation common to all channels of a patch: uneven light on the chart.
  public let common: Double

  /// The largest values that are estimated. If an estimate has one of them, the true noise may be
  /// much larger, and the stated errors of the estimate do not hold.
  public static let largest = SensitivityFit.largestNoise

  /// Creates noise from its two standard deviations, 0 or more.
  public init(independent: Double, common: Double) {
    self.independent = independent
    self.common = common
  }
}
