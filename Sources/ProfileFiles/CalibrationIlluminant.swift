public import ColorScience

/// The light that a DNG color matrix was made for.
public enum CalibrationIlluminant: Hashable, Sendable {
  /// A light with a number in Exif.
  case lightSource(LightSource)
  /// Any other light, by its chromaticity (DNG 1.6 and later).
  case chromaticity(Chromaticity)

  /// The temperature in kelvin with which the matrix is interpolated; NaN where there is none.
  public var kelvin: Double {
    switch self {
    case .lightSource(let source): source.kelvin
    case .chromaticity(let light): CorrelatedColorTemperature(light)?.kelvin ?? .nan
    }
  }
}
