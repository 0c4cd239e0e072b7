/// A camera model with one matrix for each class of light, and one for lights of unknown class.
///
/// Sensors are not colorimetric: two lights of the same chromaticity but different spectra need
/// different gains. LEDs with phosphors need about 7 % more blue than thermal light. Both
/// conversions are closed forms with at most one answer each.
public struct ClassifiedCameraModel: MatrixBasedCameraModel, Hashable, Codable {
  /// The matrix for lights whose class is unknown or has no matrix of its own.
  public let general: MatrixCameraModel
  /// The matrices for lights of a known class.
  public let byClass: [LightClass: MatrixCameraModel]

  /// Creates a model from its matrices.
  public init(general: MatrixCameraModel, byClass: [LightClass: MatrixCameraModel] = [:]) {
    self.general = general
    self.byClass = byClass
  }

  /// The matrix for lights of a class; `general` if the class has none of its own.
  public func matrixModel(for lightClass: LightClass?) -> MatrixCameraModel {
    lightClass.flatMap { byClass[$0] } ?? general
  }

  private enum CodingKeys: String, CodingKey {
    case general
    case byClass = "classes"
  }

  /// Decodes a model whose classes are keyed by their names.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    general = try values.decode(MatrixCameraModel.self, forKey: .general)
    let named = try values.decode([String: MatrixCameraModel].self, forKey: .byClass)
    byClass = try Dictionary(
      uniqueKeysWithValues: named.map { name, model in
        guard let lightClass = LightClass(rawValue: name) else {
          throw DecodingError.dataCorruptedError(
            forKey: .byClass, in: values, debugDescription: "'\(name)' is not a class of light")
        }
        return (lightClass, model)
      })
  }

  /// Encodes a model, with classes keyed by their names.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(general, forKey: .general)
    try values.encode(
      Dictionary(uniqueKeysWithValues: byClass.map { ($0.rawValue, $1) }), forKey: .byClass)
  }
}
