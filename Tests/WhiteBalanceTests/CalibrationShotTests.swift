import ColorScience
import Foundation
import Testing
import WhiteBalance

struct CalibrationShotTests {
  private static let response = LinearRGB(red: 0.5, green: 1, blue: 0.25)

  @Test func noise() throws {
    let light = try Light(named: "A")
    let shot = try CalibrationShot(light: light, response: Self.response)
    // The error message of a profile's shots names this value as an example.
    #expect(shot.noise == 0.003 && CalibrationShot.defaultNoise == 0.003)
    #expect(try CalibrationShot(light: light, response: Self.response, noise: 0).noise == 0)
    for noise in [-1e-9, .nan, .infinity] {
      #expect(throws: CalibrationError.self) {
        try CalibrationShot(light: light, response: Self.response, noise: noise)
      }
    }
  }

  @Test func codedShots() throws {
    let light = try Light(named: "xy:0.38,0.38")
    let shot = try CalibrationShot(
      light: light, response: Self.response, lightClass: .led, noise: 0.01, source: "a.dng")
    let data = try JSONEncoder().encode(shot)
    #expect(try JSONDecoder().decode(CalibrationShot.self, from: data) == shot)
    #expect(shot.knownClass == .led)
    let plain = try CalibrationShot(light: light, response: Self.response)
    var text = try #require(String(data: JSONEncoder().encode(plain), encoding: .utf8))
    text = text.replacingOccurrences(of: #","noise":0.003"#, with: "")
      .replacingOccurrences(of: #""noise":0.003,"#, with: "")
    #expect(!text.contains("noise"))
    #expect(try JSONDecoder().decode(CalibrationShot.self, from: Data(text.utf8)) == plain)
  }
}
