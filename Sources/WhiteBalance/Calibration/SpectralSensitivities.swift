public import ColorScience

/// How a camera's channels respond to light of each wavelength.
public struct SpectralSensitivities: Hashable, Sendable {
  /// The red channel's relative sensitivity.
  public var red: SpectralDistribution
  /// The green channel's.
  public var green: SpectralDistribution
  /// The blue channel's.
  public var blue: SpectralDistribution

  /// Sensitivities on one scale; only their ratios matter.
  public init(red: SpectralDistribution, green: SpectralDistribution, blue: SpectralDistribution) {
    self.red = red
    self.green = green
    self.blue = blue
  }
}
