import ColorScience
import SimulatedScenes
import Testing

@testable import WhiteBalance

struct NextShotTests {
  private static func calibration(_ lights: [String]) throws -> Calibration {
    let sensor = try #require(MeasuredSensor(named: "canon-eos-600d"))
    return try Calibration(
      fitting: lights.map {
        let lamp = try #require(MeasuredLamp(named: $0))
        return try CalibrationShot(
          light: Light(named: $0), response: sensor.response(to: lamp.spectrum))
      })
  }

  /// What is foretold of a shot comes true when it is taken, whatever it shows.
  @Test(arguments: [["D65"], ["A", "D65"], ["A", "FL2"]])
  func whatIsForetoldComesTrue(lights: [String]) throws {
    let (now, next) = try Self.calibration(lights).nextShots()
    #expect(next.count == 7)
    #expect(next.map(\.expectedError) == next.map(\.expectedError).sorted())
    for shot in next {
      let then = try Self.calibration(lights + [shot.light]).nextShots().expectedError
      #expect(abs(shot.expectedError / then - 1) < 0.02, "\(shot.light): \(then)")
      #expect(shot.expectedError <= now)
    }
    // One of another kind helps, and one more of the same hardly.
    #expect(try #require(next.first).expectedError < 0.9 * now)
    let again = try #require(next.first { $0.light == lights[0] })
    #expect(again.expectedError > 0.95 * now)
  }
}
