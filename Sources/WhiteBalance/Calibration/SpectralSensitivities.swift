public import ColorScience

/// The spectral sensitivities of a camera's channels.
public struct SpectralSensitivities: Hashable, Sendable {
  /// The red channel's relative sensitivity.
  public var red: SpectralDistribution
  /// The green channel's relative sensitivity.
  public var green: SpectralDistribution
  /// The blue channel's relative sensitivity.
  public var blue: SpectralDistribution

  /// Creates sensitivities on a common scale; only their ratios matter.
  public init(red: SpectralDistribution, green: SpectralDistribution, blue: SpectralDistribution) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  /// The red, green and blue sensitivities on `SensorGrid`.
  package var onGrid: [[Double]] { [red, green, blue].map(SensorGrid.values(of:)) }
}
