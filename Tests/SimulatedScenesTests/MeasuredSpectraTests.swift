import ColorScience
import SimulatedScenes
import Testing
import WhiteBalance

struct MeasuredSpectraTests {
  @Test func everySpectrumIsThere() {
    #expect(MeasuredSensor.all.count == 28)
    #expect(MeasuredLamp.all.count == 115)
    for sensor in MeasuredSensor.all {
      let found = sensor.sensitivities
      #expect(
        [found.red, found.green, found.blue].allSatisfy { $0.values.count == 81 }, "\(sensor.name)")
    }
    #expect(MeasuredLamp.all.allSatisfy { $0.spectrum.values.count >= 22 })
    let counts = Dictionary(grouping: MeasuredLamp.all, by: \.technology).mapValues(\.count)
    #expect(
      counts == [
        .thermal: 10, .daylight: 12, .ciePhosphorLED: 6, .phosphorLED: 8, .mixedLED: 10,
        .fluorescent: 50, .discharge: 17, nil: 2,
      ])
    #expect(MeasuredLamp(named: "LED-B3")?.lightClass == .led)
    #expect(MeasuredLamp(named: "LED-RGB1")?.lightClass == .other)
  }

  /// Computed by another program from the same files: r/g, b/g.
  @Test(arguments: [
    ("A", 0.7859469331, 0.3934329945), ("D65", 0.4289282653, 0.7813126923),
    ("FL2", 0.5300606841, 0.5476413619), ("LED-B3", 0.5590824982, 0.5596125946),
  ])
  func responseOfASensor(lamp: String, red: Double, blue: Double) throws {
    let sensor = try #require(MeasuredSensor(named: "canon-eos-5d"))
    let response = sensor.response(to: try #require(MeasuredLamp(named: lamp)).spectrum)
    #expect(abs(response.red / response.green - red) < 1e-9)
    #expect(abs(response.blue / response.green - blue) < 1e-9)
  }

  @Test func names() throws {
    #expect(MeasuredSensor(named: "no-such-camera") == nil)
    #expect(MeasuredLamp(named: "no such lamp") == nil)
    #expect(MeasuredLamp(named: "led-b3")?.name == "LED-B3")
    let black = try #require(MeasuredLamp(named: "5000K"))
    let light = try #require(TemperatureAndTint(black.chromaticity))
    #expect(abs(light.temperature - 5000) < 1e-6)
    #expect(abs(light.tint) < 1e-6)
    #expect(MeasuredLamp(named: "-5K") == nil)
  }
}
