public import ColorScience

/// One matrix for each class of light, and one for lights of unknown class.
///
/// Sensors are not colorimetric: lights of one chromaticity but of different kinds need different
/// gains, phosphor diodes about 7 % more blue than thermal light. Both directions are closed forms,
/// with at most one answer each.
public struct ClassifiedCameraModel: CameraModel, Hashable, Codable {
  /// For lights of a class that is not known or has no matrix of its own.
  public let general: MatrixCameraModel
  /// For lights of a known class.
  public let byClass: [LightClass: MatrixCameraModel]

  /// A model from its matrices.
  public init(general: MatrixCameraModel, byClass: [LightClass: MatrixCameraModel] = [:]) {
    self.general = general
    self.byClass = byClass
  }

  /// The matrix that serves a class of light.
  public func matrixModel(for lightClass: LightClass?) -> MatrixCameraModel {
    lightClass.flatMap { byClass[$0] } ?? general
  }

  /// The response to a neutral surface under a light, green 1; `nil` where a channel would not be
  /// positive.
  public func response(to light: Chromaticity, lightClass: LightClass?) -> LinearRGB? {
    matrixModel(for: lightClass).response(to: light)
  }

  /// The light that gains make neutral, if any; never more than one.
  public func lights(for gains: Gains, lightClass: LightClass?) -> [Chromaticity] {
    matrixModel(for: lightClass).lights(for: gains)
  }

  /// How the gains change with the light; `nil` where `response(to:lightClass:)` is.
  public func logGainSlopes(at light: Chromaticity, lightClass: LightClass?) -> LogGainSlopes? {
    matrixModel(for: lightClass).logGainSlopes(at: light)
  }

  private enum CodingKeys: String, CodingKey {
    case general
    case byClass = "classes"
  }

  /// Decodes a model; classes by their names.
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

  /// Encodes a model; classes by their names.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(general, forKey: .general)
    try values.encode(
      Dictionary(uniqueKeysWithValues: byClass.map { ($0.rawValue, $1) }), forKey: .byClass)
  }
}
