/// One matrix for each class of light, and one for lights of unknown class. Sensors are not
/// colorimetric: two lights of one chromaticity need different gains if they are made differently,
/// phosphor diodes about 7 % more blue than thermal light. Both directions are closed forms with at
/// most one answer each.
public struct ClassifiedCameraModel: MatrixBasedCameraModel, Hashable, Codable {
  /// For lights whose class is unknown or has no matrix of its own.
  public let general: MatrixCameraModel
  /// For lights of a known class.
  public let byClass: [LightClass: MatrixCameraModel]

  /// A model from its matrices.
  public init(general: MatrixCameraModel, byClass: [LightClass: MatrixCameraModel] = [:]) {
    self.general = general
    self.byClass = byClass
  }

  /// The matrix for lights of a class; `general` where the class has none of its own.
  public func matrixModel(for lightClass: LightClass?) -> MatrixCameraModel {
    lightClass.flatMap { byClass[$0] } ?? general
  }

  private enum CodingKeys: String, CodingKey {
    case general
    case byClass = "classes"
  }

  /// Decodes a model, in which classes are keyed by their names.
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
