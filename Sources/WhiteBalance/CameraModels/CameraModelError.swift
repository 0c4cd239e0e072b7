public import ColorScience

/// Why numbers do not make a camera model.
public enum CameraModelError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The matrix has no inverse, so gains would not belong to one light.
  case singularMatrix
  /// A factor of the diagonal is not positive and finite.
  case unitCalibration(LinearRGB)
  /// There are not one, two or three calibrated lights.
  case calibrationCount(Int)
  /// A calibrated light's temperature is not finite or is below 500 K; with its field.
  case temperature(String, kelvin: Double)
  /// A matrix has no inverse; with its field.
  case singular(String)
  /// A matrix has a negative determinant, so that it mirrors the chromaticity diagram; with its
  /// field.
  case mirrored(String)
  /// Between the matrices of two fields one that is interpolated has no inverse.
  case singularBetween(String, String)
  /// Two fields give different matrices for the same temperature.
  case contradiction(String, String)
  /// A factor of the analog balance is not positive and finite.
  case analogBalance(LinearRGB)

  /// One sentence that says what is wrong.
  public var description: String {
    switch self {
    case .singularMatrix: "the camera matrix has no inverse"
    case .unitCalibration(let diagonal):
      "the unit calibration (\(diagonal.red), \(diagonal.green), \(diagonal.blue)) is not positive and finite"
    case .calibrationCount(let count):
      "there are \(count) calibrated lights; one, two or three make a model"
    case .temperature(let field, let kelvin):
      "\(field) has the temperature \(kelvin) K; it must be finite, and at least 500 K"
    case .singular(let field): "\(field) has no inverse"
    case .mirrored(let field):
      "\(field) has a negative determinant: it turns the chromaticity diagram over"
    case .singularBetween(let first, let second):
      "between \(first) and \(second) the matrix has no inverse"
    case .contradiction(let first, let second):
      "\(first) and \(second) differ, but belong to the same temperature"
    case .analogBalance(let balance):
      "AnalogBalance (\(balance.red), \(balance.green), \(balance.blue)) is not positive and finite"
    }
  }
}
