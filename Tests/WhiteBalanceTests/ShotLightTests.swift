import ColorScience
import SimulatedScenes
import Testing

@testable import WhiteBalance

/// A light that was shot has the gains of its own shots, whatever its class predicts.
struct ShotLightTests {
  private static func calibration(_ lamps: String...) throws -> Calibration {
    let sensor = try #require(MeasuredSensor(named: "canon-eos-600d"))
    return try Calibration(
      fitting: lamps.map {
        let lamp = try #require(MeasuredLamp(named: $0))
        return try CalibrationShot(
          light: Light(named: $0), response: sensor.response(to: lamp.spectrum))
      })
  }

  /// The sensor's response to the lamp is the truth; the class is off by up to 10 %.
  @Test(arguments: ["LED-RGB1", "HP1", "LED-V2", "FL12"])
  func anOddLamp(name: String) throws {
    let calibration = try Self.calibration("A", "D65", name)
    let sensor = try #require(MeasuredSensor(named: "canon-eos-600d"))
    let response = sensor.response(to: try #require(MeasuredLamp(named: name)).spectrum)
    let light = try Light(named: name)
    let own = try #require(calibration.shotLight(light))
    let (red, blue) = own.gains.relativeToGreen
    #expect(own.name == name && !own.isDoubtful)
    #expect(abs(red * response.red / response.green - 1) < 1e-12)
    #expect(abs(blue * response.blue / response.green - 1) < 1e-12)
    #expect(own.gains.vector.min() == 1)
    // A meter displays four decimals.
    let read = try Light(
      name: "meter",
      chromaticity: Chromaticity(
        x: (light.chromaticity.x * 1e4).rounded() / 1e4,
        y: (light.chromaticity.y * 1e4).rounded() / 1e4))
    #expect(calibration.shotLight(read)?.gains == own.gains)
    #expect(calibration.shotLight(read, lightClass: light.impliedClass)?.gains == own.gains)
    // A light of another class is another lamp, and so is one of a slightly different color.
    #expect(calibration.shotLight(read, lightClass: .daylight) == nil)
    let beside = try Light(
      name: "meter",
      chromaticity: Chromaticity(x: light.chromaticity.x + 2e-4, y: light.chromaticity.y))
    #expect(calibration.shotLight(beside) == nil)
    #expect(try calibration.shotLight(Light(named: "D50")) == nil)
  }

  /// Noises of 0.5 and 2 % have weights of 16 to 1: ln 2 and ln 2.04, and a variance of 1/(1/0.5² +
  /// 1/2²).
  @Test func shotsOfOneLightAreAveraged() throws {
    let shots = try [(0.5, 0.005), (1 / 2.04, 0.02)].map { red, noise in
      try CalibrationShot(
        light: Light(named: "A"), response: LinearRGB(red: red, green: 1, blue: 0.4), noise: noise)
    }
    let own = try #require(try Calibration(fitting: shots).shotLight(Light(named: "A")))
    let (red, blue) = own.gains.relativeToGreen
    #expect(abs(red - 2.00233) < 1e-5)
    #expect(abs(blue - 2.5) < 1e-12)
    #expect(abs(own.covariance.standardErrors.red - 0.00485071) < 1e-7)
  }

  /// Zero noise counts as a millionth, since its weight would be infinite.
  @Test(arguments: [(0.0, 1e-6), (CalibrationShot.defaultNoise, 0.003)])
  func theNoiseOfOneShot(noise: Double, error: Double) throws {
    let shot = try CalibrationShot(
      light: Light(named: "A"), response: LinearRGB(red: 0.5, green: 1, blue: 0.4), noise: noise)
    let own = try #require(try Calibration(fitting: [shot]).shotLight(Light(named: "A")))
    let (red, blue) = own.gains.relativeToGreen
    #expect(abs(red - 2) < 1e-12 && abs(blue - 2.5) < 1e-12)
    let (redError, blueError) = own.covariance.standardErrors
    #expect(abs(redError / error - 1) < 1e-9 && abs(blueError / error - 1) < 1e-9)
    #expect(own.covariance.redBlue == 0)
  }

  /// A value that rounds to the same four decimals as the true value is up to 5e-5 from it, plus a
  /// small rounding error.
  @Test func fourDecimals() throws {
    let shot = try CalibrationShot(
      light: Light(name: "lamp", chromaticity: Chromaticity(x: 0.38, y: 0.38)),
      response: LinearRGB(red: 0.5, green: 1, blue: 0.4))
    let calibration = try Calibration(fitting: [shot])
    for (distance, isFound) in [(5.05e-5, true), (5.15e-5, false)] {
      for (x, y) in [(1.0, 0.0), (-1, 0), (0, 1), (0, -1), (1, -1)] {
        let light = try Light(
          name: "meter", chromaticity: Chromaticity(x: 0.38 + x * distance, y: 0.38 + y * distance))
        #expect((calibration.shotLight(light) != nil) == isFound, "\(distance) \(x) \(y)")
      }
    }
  }

  /// Two lamps have one color: only the class or the name distinguishes them.
  @Test func lampsOfOneColor() throws {
    let color = try Light(named: "xy:0.38,0.38")
    let named = try Light(name: "desk", chromaticity: color.chromaticity)
    func shot(_ light: Light, _ lightClass: LightClass, blue: Double) throws -> CalibrationShot {
      try CalibrationShot(
        light: light, response: LinearRGB(red: 0.55, green: 1, blue: blue), lightClass: lightClass)
    }
    let calibration = try Calibration(fitting: [
      shot(color, .thermal, blue: 0.56), shot(color, .led, blue: 0.54),
      shot(named, .fluorescent, blue: 0.55),
    ])
    #expect(calibration.shotLight(color) == nil)
    let led = try #require(calibration.shotLight(color, lightClass: .led))
    #expect(abs(led.gains.relativeToGreen.blue * 0.54 - 1) < 1e-12)
    let desk = try #require(calibration.shotLight(named))
    #expect(abs(desk.gains.relativeToGreen.blue * 0.55 - 1) < 1e-12)
    let meter = try Light(name: "meter", chromaticity: color.chromaticity)
    #expect(calibration.shotLight(meter) == nil)
    #expect(calibration.shotLight(meter, lightClass: .fluorescent)?.name == "desk")
  }
}
