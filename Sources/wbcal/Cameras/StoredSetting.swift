import CameraProfiles
import WbcalFoundation
import WhiteBalance

/// A camera's settings, stored so that they can be set again after the camera has lost them.
struct StoredSetting: Hashable, Sendable, Codable {
  private static let format = "wbcal-setting"
  private static let version = 1

  private var format = Self.format
  private var version = Self.version
  var camera: CameraIdentity
  var date: Date
  /// The gains that the values produce, for a person who reads the file; `nil` without control
  /// laws.
  var gains: Gains?
  var values: [ControlValue]

  init(camera: CameraIdentity, date: Date, gains: Gains?, values: [ControlValue]) {
    self.camera = camera
    // The file holds whole seconds.
    self.date = Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.down))
    self.gains = gains
    self.values = values
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    func damaged(_ key: CodingKeys, _ reason: String) -> DecodingError {
      .dataCorruptedError(forKey: key, in: container, debugDescription: reason)
    }
    guard try container.decode(String.self, forKey: .format) == Self.format else {
      throw damaged(.format, "it is not a setting of a camera")
    }
    let version = try container.decode(Int.self, forKey: .version)
    guard version == Self.version else {
      throw damaged(.version, "it is \(version), but this program reads version \(Self.version)")
    }
    camera = try container.decode(CameraIdentity.self, forKey: .camera)
    date = try container.decode(Date.self, forKey: .date)
    gains = try container.decodeIfPresent(Gains.self, forKey: .gains)
    values = try container.decode([ControlValue].self, forKey: .values)
    guard !values.isEmpty, Set(values.map(\.id)).count == values.count else {
      throw damaged(.values, "each control must have one value")
    }
  }
}
