public import WhiteBalance

/// What is kept of a calibration: the camera model with its evidence, the meaning of the controls,
/// and who made it when.
public struct CameraProfile: Hashable, Sendable, Codable {
  /// What tells this kind of file from others.
  public static let format = "wbcal-profile"
  /// The version that is written, and the only one that is read.
  public static let version = 1

  /// When it was made, in ISO 8601.
  public var created: String
  /// The program and version that made it.
  public var generator: String
  /// The camera, if the shots came from one.
  public var device: CameraIdentity?
  /// The camera model and its evidence.
  public var calibration: Calibration
  /// The meaning of the camera's controls, if they were probed.
  public var controls: WhiteBalanceControls?

  /// A profile from its parts.
  public init(
    created: String, generator: String, device: CameraIdentity?, calibration: Calibration,
    controls: WhiteBalanceControls?
  ) {
    self.created = created
    self.generator = generator
    self.device = device
    self.calibration = calibration
    self.controls = controls
  }

  private enum CodingKeys: String, CodingKey {
    case format
    case version
    case created
    case generator
    case device
    case calibration
    case controls
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
    calibration = try values.decode(Calibration.self, forKey: .calibration)
    controls = try values.decodeIfPresent(WhiteBalanceControls.self, forKey: .controls)
  }

  /// Encodes the profile with its format and version.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(Self.format, forKey: .format)
    try values.encode(Self.version, forKey: .version)
    try values.encode(created, forKey: .created)
    try values.encode(generator, forKey: .generator)
    try values.encodeIfPresent(device, forKey: .device)
    try values.encode(calibration, forKey: .calibration)
    try values.encodeIfPresent(controls, forKey: .controls)
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
