public import ColorScience

/// A reason why numbers do not form a camera model. Errors name the field at fault, as DNG does.
public enum CameraModelError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A factor of a field is not positive and finite.
  case notPositive(String, LinearRGB)
  /// The number of calibrated lights is not one, two or three.
  case calibrationCount(Int)
  /// A calibrated light's temperature is not finite or is below 500 K.
  case temperature(String, kelvin: Double)
  /// A matrix has no inverse, so that gains would not correspond to one light.
  case singular(String)
  /// A matrix has a negative determinant, so that it mirrors the chromaticity diagram.
  case mirrored(String)
  /// A matrix interpolated between those of two fields has no inverse.
  case singularBetween(String, String)
  /// Two fields give different matrices for the same temperature.
  case contradiction(String, String)

  /// One sentence that states the error.
  public var description: String {
    switch self {
    case .notPositive(let field, let factors):
      "\(field) (\(factors.red), \(factors.green), \(factors.blue)) is not positive and finite"
    case .calibrationCount(let count):
      "there are \(count) calibrated lights; a model needs one, two or three"
    case .temperature(let field, let kelvin):
      "\(field) has the temperature \(kelvin) K; it must be finite, and at least 500 K"
    case .singular(let field): "\(field) has no inverse"
    case .mirrored(let field):
      "\(field) has a negative determinant: it mirrors the chromaticity diagram"
    case .singularBetween(let first, let second):
      "the matrix interpolated between \(first) and \(second) has no inverse"
    case .contradiction(let first, let second):
      "\(first) and \(second) differ, but belong to the same temperature"
    }
  }
}
