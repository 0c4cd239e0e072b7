public import ColorScience

/// The illuminant that a DNG color matrix was made for.
public enum CalibrationIlluminant: Hashable, Sendable {
  /// An illuminant with a number in Exif.
  case lightSource(LightSource)
  /// Any other illuminant, by its chromaticity (DNG 1.6 and later).
  case chromaticity(Chromaticity)

  /// The temperature in kelvin that is used to interpolate the matrix; NaN if there is none.
  public var kelvin: Double {
    switch self {
    case .lightSource(let source): source.kelvin
    case .chromaticity(let light): CorrelatedColorTemperature(light)?.kelvin ?? .nan
    }
  }
}
