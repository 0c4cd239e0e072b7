/// How far the responses to a chart's patches are from what its reflectances and the light make of
/// them, as standard deviations of logarithms: 0.01 is 1 %.
public struct ChartNoise: Hashable, Sendable, Codable {
  /// Of each channel of each patch by itself: noise, and reflectances that differ from the table.
  public let independent: Double
  /// Of all channels of a patch together: light that falls unevenly on the chart.
  public let common: Double

  /// The largest that an estimate finds: at one of these the noise may be any larger, and the
  /// errors that the estimate states do not hold.
  public static let largest = SensitivityFit.largestNoise

  /// Noise from its two standard deviations, 0 or more.
  public init(independent: Double, common: Double) {
    self.independent = independent
    self.common = common
  }
}
