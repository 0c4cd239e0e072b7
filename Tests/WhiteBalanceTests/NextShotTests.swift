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

  /// The error predicted for a further shot agrees with the one after taking it.
  @Test(arguments: [["D65"], ["A", "D65"], ["A", "FL2"]])
  func whatIsForetoldComesTrue(lights: [String]) throws {
    let expected = try Self.calibration(lights).nextShots()
    let (now, next) = (expected.expectedError, expected.shots)
    #expect(next.count == 7)
    #expect(next.map(\.expectedError) == next.map(\.expectedError).sorted())
    for shot in next {
      let then = try Self.calibration(lights + [shot.light]).nextShots().expectedError
      #expect(abs(shot.expectedError / then - 1) < 0.02, "\(shot.light): \(then)")
      #expect(shot.expectedError <= now)
    }
    // A shot of another kind helps, and another shot of the same kind hardly does.
    #expect(try #require(next.first).expectedError < 0.9 * now)
    let again = try #require(next.first { $0.light == lights[0] })
    #expect(again.expectedError > 0.95 * now)
  }
}
