public import ColorScience
public import WhiteBalance

/// What is kept of a camera: its model, with the evidence if it was calibrated, the meaning of the
/// controls, and who made it when.
public struct CameraProfile: Hashable, Sendable, Codable {
  /// What tells this kind of file from others.
  public static let format = "wbcal-profile"
  /// The version that is written, and the only one that is read.
  public static let version = 2

  /// When it was made, in ISO 8601.
  public var created: String
  /// The program and version that made it.
  public var generator: String
  /// The camera, if the shots came from one.
  public var device: CameraIdentity?
  /// The camera model, and its evidence.
  public var camera: Camera
  /// The meaning of the camera's controls, if they were probed.
  public var controls: WhiteBalanceControls?
  /// The tone curve of the camera's pictures, if it was found to be other than what they say.
  public var toneCurve: TransferFunction?
  /// The black level of the camera's pictures, if it was given for the shots.
  public var blackLevel: Double?
  /// The white level of the camera's pictures, likewise.
  public var whiteLevel: Double?

  /// A profile from its parts.
  public init(
    created: String, generator: String, device: CameraIdentity? = nil, camera: Camera,
    controls: WhiteBalanceControls? = nil, toneCurve: TransferFunction? = nil,
    blackLevel: Double? = nil, whiteLevel: Double? = nil
  ) {
    self.created = created
    self.generator = generator
    self.device = device
    self.camera = camera
    self.controls = controls
    self.toneCurve = toneCurve
    self.blackLevel = blackLevel
    self.whiteLevel = whiteLevel
  }

  /// What is known of a camera's colors, and whence.
  public enum Camera: Hashable, Sendable {
    /// Gray-card shots, and a model fitted to them.
    case calibrated(Calibration)
    /// The matrices of a DNG file or camera profile.
    case interpolated(InterpolatedCameraModel)
    /// The curve of a libcamera tuning.
    case curve(CurveCameraModel)
  }

  /// The calibration, for a camera that was calibrated.
  public var calibration: Calibration? {
    if case .calibrated(let calibration) = camera { return calibration }
    return nil
  }

  /// The camera's model.
  public var model: any CameraModel {
    switch camera {
    case .calibrated(let calibration): calibration.model
    case .interpolated(let model): model
    case .curve(let model): model
    }
  }

  /// The light that gains make neutral; `nil` where there is none. For a curve, which knows no
  /// tint, the light of the nearest of its points.
  ///
  /// - Throws: `AmbiguousGains` where there are several.
  public func reading(
    of gains: Gains, lightClass: LightClass? = nil
  ) throws(AmbiguousGains) -> LightReading? {
    switch camera {
    case .calibrated(let calibration):
      return calibration.reading(of: gains, lightClass: lightClass)
    case .interpolated(let model):
      return try model.chromaticity(for: gains).map { LightReading($0) }
    case .curve(let model):
      return model.nearest(to: gains).map {
        LightReading(
          Chromaticity(CorrelatedColorTemperature(kelvin: $0.kelvin, duv: 0)))
      }
    }
  }

  private enum CodingKeys: String, CodingKey {
    case interpolated
    case curve
    case format
    case version
    case created
    case generator
    case device
    case calibration
    case controls
    case toneCurve
    case blackLevel
    case whiteLevel
  }

  /// Decodes a profile of this format and version.
  ///
  /// - Throws: `CameraProfileError` where it is another's, `DecodingError` where it is damaged.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    let format = try? values.decode(String.self, forKey: .format)
    guard format == Self.format else { throw CameraProfileError.notAProfile(format: format) }
    let version = try values.decode(Int.self, forKey: .version)
    guard version == Self.version else { throw CameraProfileError.version(version) }
    created = try values.decode(String.self, forKey: .created)
    generator = try values.decode(String.self, forKey: .generator)
    device = try values.decodeIfPresent(CameraIdentity.self, forKey: .device)
    if let model = try values.decodeIfPresent(
      InterpolatedCameraModel.self, forKey: .interpolated)
    {
      camera = .interpolated(model)
    } else if let model = try values.decodeIfPresent(CurveCameraModel.self, forKey: .curve) {
      camera = .curve(model)
    } else {
      camera = .calibrated(try values.decode(Calibration.self, forKey: .calibration))
    }
    controls = try values.decodeIfPresent(WhiteBalanceControls.self, forKey: .controls)
    toneCurve = try values.decodeIfPresent(String.self, forKey: .toneCurve).map { name in
      guard let curve = TransferFunction(named: name) else {
        throw DecodingError.dataCorruptedError(
          forKey: .toneCurve, in: values, debugDescription: "there is no tone curve '\(name)'")
      }
      return curve
    }
    blackLevel = try values.decodeIfPresent(Double.self, forKey: .blackLevel)
    whiteLevel = try values.decodeIfPresent(Double.self, forKey: .whiteLevel)
  }

  /// Encodes the profile with its format and version.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(Self.format, forKey: .format)
    try values.encode(Self.version, forKey: .version)
    try values.encode(created, forKey: .created)
    try values.encode(generator, forKey: .generator)
    try values.encodeIfPresent(device, forKey: .device)
    switch camera {
    case .calibrated(let calibration): try values.encode(calibration, forKey: .calibration)
    case .interpolated(let model): try values.encode(model, forKey: .interpolated)
    case .curve(let model): try values.encode(model, forKey: .curve)
    }
    try values.encodeIfPresent(controls, forKey: .controls)
    try values.encodeIfPresent(toneCurve?.name, forKey: .toneCurve)
    try values.encodeIfPresent(blackLevel, forKey: .blackLevel)
    try values.encodeIfPresent(whiteLevel, forKey: .whiteLevel)
  }
}

/// Why a file is not a profile of ours.
public enum CameraProfileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Another kind of file.
  case notAProfile(format: String?)
  /// A version that this program does not know.
  case version(Int)

  /// One sentence that says what is wrong.
  public var description: String {
    switch self {
    case .notAProfile(let format):
      "it is not a camera profile"
        + (format.map { " (its format is '\($0)')" } ?? " (it names no format)")
    case .version(let version):
      "it is a profile of version \(version), and this program reads version "
        + "\(CameraProfile.version); use the program that made it, or calibrate again"
    }
  }
}
