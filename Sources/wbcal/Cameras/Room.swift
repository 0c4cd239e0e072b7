import CameraProfiles
import ColorScience

/// Cameras that were matched on one gray card, with all that is needed to set them together.
struct Room: Hashable, Sendable, Codable {
  /// The text that distinguishes this kind of file from others.
  static let format = "wbcal-room"
  /// The version that is written, and the only one that is read.
  static let version = 1

  /// A camera and its settings.
  struct Member: Hashable, Sendable, Codable {
    /// The specification by which the camera was opened.
    var device: String
    var identity: CameraIdentity
    /// The camera's own profile, if one was given.
    var profile: CameraProfile?
    /// The measured tone curve of the pictures, if it differs from the one that their format
    /// states.
    var toneCurve: TransferFunction?
    /// The values of the exposure's controls; empty if it cannot be set.
    var exposure: [ControlValue]
    var whiteBalance: [ControlValue]
    /// The linear values of the card after the match, relative to white.
    var card: LinearRGB
    /// The CIEDE2000 difference between the card and the reference before the match; `nil` if the
    /// card could not be read.
    var before: Double?
    var after: Double
  }

  private var format = Self.format
  private var version = Self.version
  /// The time at which the file was made, in ISO 8601.
  var created: String
  /// The program and version that made the file.
  var generator: String
  /// The linear values of the card to which all cameras were matched, relative to white.
  var reference: LinearRGB
  var cameras: [Member]

  init(created: String, generator: String, reference: LinearRGB, cameras: [Member]) {
    self.created = created
    self.generator = generator
    self.reference = reference
    self.cameras = cameras
  }

  /// Decodes a room of this format and version.
  ///
  /// - Throws: `RoomError` for another format or version, `DecodingError` if the file is damaged.
  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    func damaged(_ key: CodingKeys, _ reason: String) -> DecodingError {
      .dataCorruptedError(forKey: key, in: values, debugDescription: reason)
    }
    let format = try? values.decode(String.self, forKey: .format)
    guard format == Self.format else { throw RoomError.notARoom(format: format) }
    let version = try values.decode(Int.self, forKey: .version)
    guard version == Self.version else { throw RoomError.version(version) }
    created = try values.decode(String.self, forKey: .created)
    generator = try values.decode(String.self, forKey: .generator)
    reference = try values.decode(LinearRGB.self, forKey: .reference)
    cameras = try values.decode([Member].self, forKey: .cameras)
    guard reference.isPositive, cameras.allSatisfy(\.card.isPositive) else {
      throw damaged(.cameras, "the level of a card must be positive")
    }
    guard cameras.allSatisfy({ $0.after >= 0 && $0.before ?? 0 >= 0 }) else {
      throw damaged(.cameras, "a difference must not be negative")
    }
    guard !cameras.isEmpty, Set(cameras.map(\.identity.id)).count == cameras.count else {
      throw damaged(.cameras, "each camera must occur once")
    }
    for camera in cameras {
      let controls = (camera.exposure + camera.whiteBalance).map(\.id)
      guard !camera.whiteBalance.isEmpty, Set(controls).count == controls.count else {
        throw damaged(.cameras, "each control must have one value")
      }
      guard camera.profile.map({ $0.device?.id == camera.identity.id }) ?? true else {
        throw damaged(.cameras, "the profile belongs to another camera")
      }
    }
  }
}
