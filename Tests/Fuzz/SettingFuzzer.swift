import CameraControl
import CameraProfiles
import Foundation
import WhiteBalance

@testable import wbcal

private func encoded(_ setting: StoredSetting) throws -> Data {
  let encoder = JSONEncoder()
  encoder.dateEncodingStrategy = .iso8601
  return try encoder.encode(setting)
}

private func decoded(_ data: Data) throws -> StoredSetting {
  let decoder = JSONDecoder()
  decoder.dateDecodingStrategy = .iso8601
  return try decoder.decode(StoredSetting.self, from: data)
}

let seeds: [[UInt8]] = [
  [UInt8](
    try! encoded(
      StoredSetting(
        camera: CameraIdentity(driver: "uvcvideo", name: "Camera", id: "usb-Camera"),
        date: Date(timeIntervalSince1970: 1e9), gains: Gains(red: 1.2, blue: 1.6),
        values: [ControlValue(.autoWhiteBalance, 0), ControlValue(.redBalance, 300)])))
]

/// Checks that a setting that can be read is read back as it was written.
func test(_ bytes: [UInt8]) {
  guard let setting = try? decoded(Data(bytes)) else { return }
  guard let written = try? encoded(setting), (try? decoded(written)) == setting else {
    fatalError("a setting is not read back as it was written")
  }
}
