public import ColorScience
public import WhiteBalance

/// A camera's stored characteristics: its color model, with the evidence if it was calibrated, the
/// laws of its controls, and the profile's origin and date.
public struct CameraProfile: Hashable, Sendable, Codable {
  /// The identifier of this kind of file.
  public static let format = "wbcal-profile"
  /// The version that is written, and the only one that is read.
  public static let version = 2

  @Indirect private var parts: Parts

  private struct Parts: Hashable, Sendable {
    var created, generator: String
    var device: CameraIdentity?
    var pictures: PictureOrigin?
    var model: Model
    var laws: ControlLaws?
    var exposure: ExposureLaws?
    var transfer: TransferFunction?
    var blackLevel, whiteLevel: Double?
    var flatFields: [FlatField] = []
  }

  /// The date of creation, in ISO 8601.
  public var created: String {
    get { parts.created }
    set { parts.created = newValue }
  }
  /// The program and version that made the profile.
  public var generator: String {
    get { parts.generator }
    set { parts.generator = newValue }
  }
  /// The camera, if the shots came from one.
  public var device: CameraIdentity? {
    get { parts.device }
    set { parts.device = newValue }
  }
  /// The origin of the shots' pictures, or of those that an imported model is for.
  public var pictures: PictureOrigin? {
    get { parts.pictures }
    set { parts.pictures = newValue }
  }
  /// The camera's color model.
  public var model: Model {
    get { parts.model }
    set { parts.model = newValue }
  }
  /// The laws of the camera's controls, if they were probed.
  public var laws: ControlLaws? {
    get { parts.laws }
    set { parts.laws = newValue }
  }
  /// The laws of the camera's exposure, if they were probed.
  public var exposure: ExposureLaws? {
    get { parts.exposure }
    set { parts.exposure = newValue }
  }
  /// The transfer function of the camera's pictures, if it was found to differ from the declared
  /// one.
  public var transfer: TransferFunction? {
    get { parts.transfer }
    set { parts.transfer = newValue }
  }
  /// The black level of the camera's pictures, if it was given for the shots.
  public var blackLevel: Double? {
    get { parts.blackLevel }
    set { parts.blackLevel = newValue }
  }
  /// The white level of the camera's pictures, if it was given for the shots.
  public var whiteLevel: Double? {
    get { parts.whiteLevel }
    set { parts.whiteLevel = newValue }
  }
  /// The shading of the camera's lenses, for each size of pictures and each position of the lens
  /// that was measured.
  public var flatFields: [FlatField] {
    get { parts.flatFields }
    set { parts.flatFields = newValue }
  }

  /// Creates a profile from its parts.
  public init(
    created: String, generator: String, device: CameraIdentity? = nil,
    pictures: PictureOrigin? = nil, model: Model,
    laws: ControlLaws? = nil, exposure: ExposureLaws? = nil, transfer: TransferFunction? = nil,
    blackLevel: Double? = nil, whiteLevel: Double? = nil
  ) {
    parts = Parts(
      created: created, generator: generator, device: device, pictures: pictures, model: model,
      laws: laws, exposure: exposure, transfer: transfer, blackLevel: blackLevel,
      whiteLevel: whiteLevel)
  }

  /// The calibration, if the camera was calibrated.
  public var calibration: Calibration? {
    if case .calibrated(let calibration) = model { return calibration }
    return nil
  }

  /// The covariance of the errors of ln red and ln blue for a light's gains: from the calibration,
  /// and from the laws of the controls. `nil` if the profile was imported.
  public func covariance(
    at light: Chromaticity, lightClass: LightClass? = nil
  ) -> GainUncertainty.Covariance? {
    let covariance = calibration?.uncertainty.covariance(at: light, lightClass: lightClass)
    guard let laws, let gains = model.gains(for: light, lightClass: lightClass) else {
      return covariance
    }
    return covariance.map { $0 + laws.covariance(of: gains) }
  }

  /// The name of the camera that the profile is for; `nil` if it is unknown.
  public var cameraName: String? { pictures?.name ?? device?.name }

  /// The difference between a picture's camera and that of the profile, as the end of a sentence;
  /// `nil` if they may be the same camera.
  public func difference(from picture: PictureOrigin) -> String? {
    if let pictures { return pictures.difference(from: picture) }
    guard let device, let name = picture.name else { return nil }
    let known = PictureOrigin.letters(of: device.name)
    let isSame = [picture.model, picture.uniqueModel].contains { model in
      let its = PictureOrigin.letters(of: model ?? "")
      return !its.isEmpty && (known.contains(its) || its.contains(known))
    }
    return isSame ? nil : "the camera is a \(name) and not a \(device.name)"
  }

  private enum CodingKeys: String, CodingKey {
    case format, version, created, generator, device, pictures, calibration
    case interpolated, curve, curveWidth, colorMatrices
    case laws = "controls"
    case transfer = "toneCurve"
    case exposure, blackLevel, whiteLevel, flatFields
  }

  /// Decodes a profile of this format and version.
  ///
  /// - Throws: `CameraProfileError` if the file has another format or version, `DecodingError` if
  ///   it is damaged.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    let format = try? values.decode(String.self, forKey: .format)
    guard format == Self.format else { throw CameraProfileError.notAProfile(format: format) }
    let version = try values.decode(Int.self, forKey: .version)
    guard version == Self.version else { throw CameraProfileError.version(version) }
    parts = Parts(
      created: try values.decode(String.self, forKey: .created),
      generator: try values.decode(String.self, forKey: .generator),
      device: try values.decodeIfPresent(CameraIdentity.self, forKey: .device),
      pictures: try values.decodeIfPresent(PictureOrigin.self, forKey: .pictures),
      model: try Self.model(values),
      laws: try values.decodeIfPresent(ControlLaws.self, forKey: .laws),
      exposure: try values.decodeIfPresent(ExposureLaws.self, forKey: .exposure),
      transfer: try values.decodeIfPresent(TransferFunction.self, forKey: .transfer),
      blackLevel: try values.decodeIfPresent(Double.self, forKey: .blackLevel),
      whiteLevel: try values.decodeIfPresent(Double.self, forKey: .whiteLevel),
      flatFields: try values.decodeIfPresent([FlatField].self, forKey: .flatFields) ?? [])
  }

  private static func model(_ values: KeyedDecodingContainer<CodingKeys>) throws -> Model {
    if let model = try values.decodeIfPresent(InterpolatedCameraModel.self, forKey: .interpolated) {
      return .interpolated(model)
    }
    guard let model = try values.decodeIfPresent(CurveCameraModel.self, forKey: .curve) else {
      return .calibrated(try values.decode(Calibration.self, forKey: .calibration))
    }
    let width = try values.decodeIfPresent(CurveWidth.self, forKey: .curveWidth)
    let colors = try values.decodeIfPresent([CurveDetails.ColorMatrix].self, forKey: .colorMatrices)
    return .curve(model, CurveDetails(width: width ?? CurveWidth(), colorMatrices: colors ?? []))
  }

  /// Encodes the profile with its format and version.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(Self.format, forKey: .format)
    try values.encode(Self.version, forKey: .version)
    try values.encode(created, forKey: .created)
    try values.encode(generator, forKey: .generator)
    try values.encodeIfPresent(device, forKey: .device)
    try values.encodeIfPresent(pictures, forKey: .pictures)
    switch model {
    case .calibrated(let calibration): try values.encode(calibration, forKey: .calibration)
    case .interpolated(let model): try values.encode(model, forKey: .interpolated)
    case .curve(let model, let details):
      try values.encode(model, forKey: .curve)
      try values.encode(details.width, forKey: .curveWidth)
      if !details.colorMatrices.isEmpty {
        try values.encode(details.colorMatrices, forKey: .colorMatrices)
      }
    }
    try values.encodeIfPresent(laws, forKey: .laws)
    try values.encodeIfPresent(exposure, forKey: .exposure)
    try values.encodeIfPresent(transfer, forKey: .transfer)
    try values.encodeIfPresent(blackLevel, forKey: .blackLevel)
    try values.encodeIfPresent(whiteLevel, forKey: .whiteLevel)
    if !flatFields.isEmpty { try values.encode(flatFields, forKey: .flatFields) }
  }
}
