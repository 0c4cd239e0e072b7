public import ColorScience

/// The light that a camera's gains stand for.
public struct LightReading: Hashable, Sendable {
  /// Its chromaticity.
  public let chromaticity: Chromaticity
  /// Its temperature and tint; `nil` where it has none.
  public let light: TemperatureAndTint?
  /// The standard errors of temperature and of tint, from the fit; `nil` where there is no
  /// temperature, and for cameras without a calibration of this package.
  public let standardError: TemperatureAndTint?

  /// A reading of a chromaticity.
  public init(_ chromaticity: Chromaticity, standardError: TemperatureAndTint? = nil) {
    self.chromaticity = chromaticity
    light = TemperatureAndTint(chromaticity)
    self.standardError = standardError
  }
}
