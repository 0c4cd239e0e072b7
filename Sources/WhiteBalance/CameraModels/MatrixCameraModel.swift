public import ColorScience

/// A camera model with one matrix for all lights: response = diag(unit calibration) · matrix · XYZ,
/// up to a scale.
///
/// A DNG profile's ColorMatrix and CameraCalibration have the same form. Both conversions are
/// closed forms with at most one answer each. The class of a light makes no difference.
public struct MatrixCameraModel: MatrixBasedCameraModel, Hashable, Codable {
  /// The matrix from XYZ to the linear red, green and blue of the average camera of this type.
  public let matrix: Matrix3x3
  /// The factors by which this unit's channels differ from that average.
  public let unitCalibration: LinearRGB
  /// The matrix from XYZ to the linear red, green and blue of this unit.
  package let cameraMatrix: Matrix3x3
  private let inverse: Matrix3x3

  /// Creates a model from its matrix and the unit's diagonal.
  ///
  /// - Throws: `CameraModelError` if the matrix has no inverse or mirrors the chromaticity diagram,
  ///   or a factor is not positive and finite.
  public init(
    matrix: Matrix3x3, unitCalibration: LinearRGB = LinearRGB(red: 1, green: 1, blue: 1)
  ) throws(CameraModelError) {
    guard unitCalibration.isPositive else {
      throw .notPositive("the unit calibration", unitCalibration)
    }
    let cameraMatrix = Matrix3x3(diagonal: unitCalibration.vector) * matrix
    guard let inverse = cameraMatrix.inverse else { throw .singular("the camera matrix") }
    guard cameraMatrix.determinant > 0 else { throw .mirrored("matrix") }
    self.matrix = matrix
    self.unitCalibration = unitCalibration
    self.cameraMatrix = cameraMatrix
    self.inverse = inverse
  }

  /// The response to a neutral surface, relative to green; `nil` if any channel would not be
  /// positive.
  public func response(to light: Chromaticity, lightClass: LightClass? = nil) -> LinearRGB? {
    let response = cameraMatrix * light.projected
    guard LinearRGB(response).isPositive else { return nil }
    return LinearRGB(response / response.y)
  }

  /// The light that gains make neutral; none unless the gains are positive and finite and the light
  /// has a chromaticity.
  ///
  /// Error: `chromaticity(for: gains(for: xy)!)` returns xy to within 1e-13
  /// (`MatrixCameraModelTests`).
  public func lights(for gains: Gains, lightClass: LightClass? = nil) -> [Chromaticity] {
    guard gains.arePositiveAndFinite else { return [] }
    return Chromaticity(projecting: inverse * (1 / gains.vector)).map { [$0] } ?? []
  }

  /// The derivatives of the gains with respect to the light; `nil` if `response(to:lightClass:)` is
  /// `nil`.
  public func logGainSlopes(
    at light: Chromaticity, lightClass: LightClass? = nil
  ) -> LogGainSlopes? {
    let response = cameraMatrix * light.projected
    guard LinearRGB(response).isPositive else { return nil }
    return LogGainSlopes(
      byX: cameraMatrix * SIMD3(1, 0, -1) / response, byY: cameraMatrix * SIMD3(0, 1, -1) / response
    )
  }

  /// Returns this model, which applies to lights of every class.
  public func matrixModel(for lightClass: LightClass?) -> MatrixCameraModel { self }

  private enum CodingKeys: String, CodingKey { case matrix, unitCalibration }

  /// Decodes and checks a model.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    try self.init(
      matrix: values.decode(Matrix3x3.self, forKey: .matrix),
      unitCalibration: values.decode(LinearRGB.self, forKey: .unitCalibration))
  }
}
