import CameraControl
import Foundation
import WhiteBalance

/// What a camera was set to, stored so that it can be set again after the camera has lost it.
struct StoredSetting: Hashable, Sendable, Codable {
  static let format = "wbcal-setting"
  static let version = 1

  var camera: CameraIdentity
  var date: Date
  /// The gains that the controls' values mean, for a person who reads the file.
  var gains: Gains
  var values: [ControlValue]

  init(camera: CameraIdentity, date: Date, gains: Gains, values: [ControlValue]) {
    self.camera = camera
    // A file holds whole seconds.
    self.date = Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.down))
    self.gains = gains
    self.values = values
  }

  private enum CodingKeys: String, CodingKey {
    case format
    case version
    case camera
    case date
    case gains
    case values
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    func damaged(_ key: CodingKeys, _ reason: String) -> DecodingError {
      .dataCorruptedError(forKey: key, in: container, debugDescription: reason)
    }
    guard try container.decode(String.self, forKey: .format) == Self.format else {
      throw damaged(.format, "it is no setting of a camera")
    }
    let version = try container.decode(Int.self, forKey: .version)
    guard version == Self.version else {
      throw damaged(
        .version, "it is \(version), and this program reads version \(Self.version)")
    }
    camera = try container.decode(CameraIdentity.self, forKey: .camera)
    date = try container.decode(Date.self, forKey: .date)
    gains = try container.decode(Gains.self, forKey: .gains)
    values = try container.decode([ControlValue].self, forKey: .values)
    guard !values.isEmpty, Set(values.map(\.id)).count == values.count else {
      throw damaged(.values, "each control has one value")
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(Self.format, forKey: .format)
    try container.encode(Self.version, forKey: .version)
    try container.encode(camera, forKey: .camera)
    try container.encode(date, forKey: .date)
    try container.encode(gains, forKey: .gains)
    try container.encode(values, forKey: .values)
  }
}
