import CameraProfiles
import ColorScience
import Foundation
import Testing
import WhiteBalance

struct PictureOriginTests {
  private let canon = PictureOrigin(
    make: "Canon", model: "Canon EOS 550D", serial: "1", encoding: .raw)

  @Test func names() {
    #expect(canon.name == "Canon EOS 550D")
    #expect(PictureOrigin(make: "SONY", model: "ILCE-7M3").name == "SONY ILCE-7M3")
    #expect(PictureOrigin(make: "NIKON CORPORATION", model: "NIKON D850").name == "NIKON D850")
    #expect(PictureOrigin(make: "Canon").name == nil)
    let phone = PictureOrigin(model: "iPhone 12 Pro", uniqueModel: "iPhone13,3 back camera")
    #expect(phone.name == "iPhone13,3 back camera")
  }

  @Test(arguments: [
    PictureOrigin(), PictureOrigin(encoding: .raw), PictureOrigin(uniqueModel: "Canon EOS 550D"),
    PictureOrigin(make: "CANON", model: "EOS 550D", serial: "1"), PictureOrigin(model: "EOS 550D"),
    PictureOrigin(make: "Canon", model: "Canon EOS 550D", uniqueModel: "Canon EOS Rebel T2i"),
  ])
  func theSameAsFarAsIsKnown(other: PictureOrigin) {
    #expect(canon.difference(from: other) == nil)
    #expect(other.difference(from: canon) == nil)
  }

  @Test(arguments: [
    (
      PictureOrigin(uniqueModel: "Nikon D850"),
      "the camera is a Nikon D850 and not a Canon EOS 550D"
    ),
    (
      PictureOrigin(make: "Canon", model: "Canon EOS 550D", serial: "2"),
      "the camera is the Canon EOS 550D with serial number 2 and not 1"
    ), (PictureOrigin(encoding: .developed(.sRGB)), "the pixel values are srgb and not raw"),
  ])
  func others(other: PictureOrigin, sentence: String) {
    #expect(canon.difference(from: other) == sentence)
    #expect(other.difference(from: canon) != nil)
  }

  /// The cameras of one telephone have the same name in Exif.
  @Test func camerasOfATelephone() {
    let (back, front) = (
      PictureOrigin(model: "iPhone 12 Pro", uniqueModel: "iPhone13,3 back camera"),
      PictureOrigin(model: "iPhone 12 Pro", uniqueModel: "iPhone13,3 front camera")
    )
    #expect(back.difference(from: front) != nil && back.difference(from: back) == nil)
    #expect(back.difference(from: PictureOrigin(model: "iPhone 12 Pro")) == nil)
  }

  /// The key is optional, so older profiles can be read, and older programs can read newer ones.
  @Test func inAProfile() throws {
    let shot = try CalibrationShot(
      light: Light(named: "D65"), response: .init(red: 0.43, green: 1, blue: 0.78))
    var profile = CameraProfile(
      created: "", generator: "test", pictures: canon,
      model: .calibrated(try Calibration(fitting: [shot])))
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let json = String(decoding: try encoder.encode(profile), as: UTF8.self)
    let key =
      #""pictures":{"encoding":"raw","make":"Canon","model":"Canon EOS 550D","serial":"1"},"#
    #expect(json.contains(key) && json.contains("\"version\":2"))
    func decode(_ json: String) throws -> CameraProfile {
      try JSONDecoder().decode(CameraProfile.self, from: Data(json.utf8))
    }
    #expect(try decode(json) == profile)
    #expect(
      try decode(json.replacing("\"raw\"", with: "\"srgb\"")).pictures?.encoding
        == .developed(.sRGB))
    #expect(throws: (any Error).self) { try decode(json.replacing("\"raw\"", with: "\"cooked\"")) }
    profile.pictures = nil
    #expect(try decode(json.replacing(key, with: "")) == profile)
    // A device's profile matches a photograph's camera by a part of the name.
    profile.device = CameraIdentity(driver: "unicam", name: "imx219 10-0010", id: "i")
    #expect(profile.difference(from: PictureOrigin(make: "RaspberryPi", model: "imx219")) == nil)
    #expect(profile.difference(from: canon) != nil && profile.difference(from: .init()) == nil)
  }
}
