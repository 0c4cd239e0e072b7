import CameraProfiles
import ColorScience
import Foundation
import Testing
import WhiteBalance

/// Flat fields in a camera's profile.
struct FlatFieldProfileTests {
  private static func field(
    width: Int, lens: Int? = nil, encoding: PictureOrigin.Encoding? = nil
  ) throws -> FlatField {
    let layout = try FrameLayout(
      width: width, height: 128, format: .bayer(.rggb, bits: 12), blackLevel: 64)
    var bytes = [UInt8](repeating: 0, count: layout.byteCount)
    for pixel in 0..<width * 128 {
      let code = 2000 + pixel % width + pixel * 7919 % 13
      (bytes[2 * pixel], bytes[2 * pixel + 1]) = (UInt8(code & 255), UInt8(code >> 8))
    }
    var field = try FlatField(fitting: [try FlatShot(bytes.span, layout: layout)])
    (field.lensPosition, field.encoding) = (lens, encoding)
    return field
  }

  private static func profile() throws -> CameraProfile {
    let shot = try CalibrationShot(
      light: Light(named: "D65"), response: .init(red: 0.43, green: 1, blue: 0.78))
    return CameraProfile(
      created: "2026-01-01T00:00:00Z", generator: "test",
      model: .calibrated(try Calibration(fitting: [shot])))
  }

  @Test func isKeptInTheFile() throws {
    var profile = try Self.profile()
    let before = try JSONEncoder().encode(profile)
    #expect(!String(decoding: before, as: UTF8.self).contains("flatFields"))
    #expect(try JSONDecoder().decode(CameraProfile.self, from: before).flatFields.isEmpty)
    profile.setFlatField(try Self.field(width: 160, lens: 7, encoding: .raw))
    let data = try JSONEncoder().encode(profile)
    #expect(try JSONDecoder().decode(CameraProfile.self, from: data) == profile)
    // A gain of 0 would make a picture black.
    let text = String(decoding: data, as: UTF8.self)
    let damaged = text.replacingOccurrences(
      of: "\"green\":\\[[0-9.]+,", with: "\"green\":[0,", options: .regularExpression)
    #expect(damaged != text)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(CameraProfile.self, from: Data(damaged.utf8))
    }
  }

  /// The field of the whole sensor is that of the largest raw pictures, if there is only one.
  @Test func ofTheWholeSensor() throws {
    var profile = try Self.profile()
    #expect(profile.sensorFlatField == nil)
    let (small, large) = (try Self.field(width: 160), try Self.field(width: 192, lens: 7))
    profile.setFlatField(large)
    profile.setFlatField(small)
    profile.setFlatField(try Self.field(width: 256, encoding: .developed(.sRGB)))
    #expect(profile.sensorFlatField == large)
    profile.setFlatField(try Self.field(width: 192, lens: 90))
    #expect(profile.sensorFlatField == nil)
  }

  @Test func isChosenBySizeEncodingAndLens() throws {
    var profile = try Self.profile()
    let (near, far) = (try Self.field(width: 160, lens: 7), try Self.field(width: 160, lens: 90))
    profile.setFlatField(near)
    #expect(profile.flatField(width: 160, height: 128) == near)
    profile.setFlatField(far)
    profile.setFlatField(try Self.field(width: 192, encoding: .raw))
    #expect(profile.flatFields.count == 3)
    #expect(profile.flatField(width: 160, height: 128, lensPosition: 90) == far)
    #expect(profile.flatField(width: 160, height: 128, lensPosition: 50) == nil)
    // Nothing shows which of the two is right.
    #expect(profile.flatField(width: 160, height: 128) == nil)
    #expect(profile.flatField(width: 192, height: 128, encoding: .raw) != nil)
    #expect(profile.flatField(width: 192, height: 128, encoding: .developed(.sRGB)) == nil)
    #expect(profile.flatField(width: 192, height: 160, encoding: .raw) == nil)
    var again = near
    again.pictures = 4
    profile.setFlatField(again)
    #expect(profile.flatFields.count == 3)
    #expect(profile.flatField(width: 160, height: 128, lensPosition: 7)?.pictures == 4)
  }
}
