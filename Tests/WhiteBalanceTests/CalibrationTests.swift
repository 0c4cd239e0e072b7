import ColorScience
import Foundation
import SimulatedCamera
import Testing

@testable import WhiteBalance

struct CalibrationTests {
  /// Responses of one camera, from its published sensitivities: light, x, y, r/g, b/g.
  private static let canon: [String: (x: Double, y: Double, red: Double, blue: Double)] = [
    "A": (0.4475636418, 0.4074394656, 0.7859469331, 0.3934329945),
    "D65": (0.3127385737, 0.3290520470, 0.4289282653, 0.7813126923),
    "FL2": (0.3720848891, 0.3752895998, 0.5300606841, 0.5476413619),
  ]

  private static func shots(_ names: String...) throws -> [CalibrationShot] {
    try names.map {
      let shot = try #require(canon[$0])
      return try CalibrationShot(
        light: Light(name: $0, chromaticity: Chromaticity(x: shot.x, y: shot.y)),
        response: LinearRGB(red: shot.red, green: 1, blue: shot.blue))
    }
  }

  /// An independent implementation in another language gave these figures from the same prior.
  @Test func agreesWithAnotherImplementation() throws {
    let calibration = try Calibration(fitting: Self.shots("A", "D65"))
    let day = try #require(calibration.gains(for: Chromaticity(x: 0.3127, y: 0.3290)))
    #expect(abs(day.relativeToGreen.red - 2.309902415) < 2e-4)
    #expect(abs(day.relativeToGreen.blue - 1.282317577) < 2e-4)
    let warm = try #require(calibration.gains(for: Chromaticity(x: 0.40, y: 0.39)))
    #expect(abs(warm.relativeToGreen.red - 1.592761768) < 2e-4)
    #expect(abs(warm.relativeToGreen.blue - 1.997524342) < 4e-4)
    // The signs of the residuals were −, +, +, −.
    let residuals = calibration.shots.map(\.residual)
    #expect(abs(residuals[0].red + 0.0091) < 3e-4)
    #expect(abs(residuals[1].red - 0.0091) < 3e-4)
    #expect(residuals[0].blue > 0 && residuals[1].blue < 0)
  }

  /// One shot says nothing about the matrix: the average one stays, and the shot is met exactly.
  @Test func oneShotIsTheDiagonal() throws {
    let calibration = try Calibration(fitting: Self.shots("D65"))
    let average = try #require(CameraPrior.publicCameras.averageCamera)
    for (row, expected) in zip(calibration.model.matrix.rows, average.matrix.rows) {
      for column in 0..<3 { #expect(abs(row[column] - expected[column]) < 2e-3) }
    }
    #expect(calibration.shots[0].residual.magnitude < 1e-3)
  }

  /// A light taken for another: the shots say so, and with three the wrong one is named.
  @Test func contradictionsAreRefused() throws {
    let truth = try Self.shots("A", "D65", "FL2")
    let mislabelled = try CalibrationShot(light: truth[0].light, response: truth[1].response)
    #expect(throws: CalibrationError.contradiction(light: nil)) {
      try Calibration(fitting: [truth[0], mislabelled])
    }
    let swapped = try [(0, 1), (1, 0)].map {
      try CalibrationShot(light: truth[$0.0].light, response: truth[$0.1].response)
    }
    #expect(throws: CalibrationError.contradiction(light: nil)) {
      try Calibration(fitting: swapped)
    }
    let called = try CalibrationShot(light: Light(named: "2700K"), response: truth[1].response)
    #expect(throws: CalibrationError.contradiction(light: "2700K")) {
      try Calibration(fitting: truth + [called])
    }
    #expect(try Calibration(fitting: truth).shots.count == 3)
  }

  /// No camera of the public ones is refused under lamps rightly named.
  @Test func honestShotsAreNotRefused() throws {
    for sensor in MeasuredSensor.all {
      for names in [["A", "D65"], ["A", "D65", "FL2", "FL11"], ["LED-B1", "LED-B5", "D50"]] {
        let shots = try names.map { name in
          let lamp = try #require(MeasuredLamp(named: name))
          return try CalibrationShot(
            light: Light(named: name), response: sensor.response(to: lamp.spectrum))
        }
        #expect(throws: Never.self) { try Calibration(fitting: shots) }
      }
    }
  }

  @Test func noShots() {
    #expect(throws: CalibrationError.noShots) { try Calibration(fitting: []) }
  }

  @Test(arguments: [
    SIMD3(0, 1, 1), SIMD3(1, -0.1, 1), SIMD3(1, 1, .nan), SIMD3(.infinity, 1, 1),
  ])
  func badResponses(response: SIMD3<Double>) throws {
    let light = try Light(named: "D65")
    let error = try #require(
      #expect(throws: CalibrationError.self) {
        try CalibrationShot(light: light, response: LinearRGB(response))
      })
    #expect(error.description.contains("D65"))
    #expect(error.description.contains("not positive and finite"))
  }

  @Test func aLightThatCamerasHardlySee() throws {
    let light = try Light(named: "xy:0.7,0.299")
    let shot = try CalibrationShot(
      light: light, response: LinearRGB(red: 1, green: 0.2, blue: 0.01))
    #expect(throws: CalibrationError.invisibleLight("xy:0.7,0.299")) {
      try Calibration(fitting: [shot])
    }
  }

  @Test func codingKeepsEveryBit() throws {
    let calibration = try Calibration(fitting: Self.shots("A", "D65", "FL2"))
    let data = try JSONEncoder().encode(calibration)
    #expect(try JSONDecoder().decode(Calibration.self, from: data) == calibration)
  }
}
