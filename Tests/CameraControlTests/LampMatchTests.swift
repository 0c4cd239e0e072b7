import CameraProfiles
import ColorScience
import SimulatedScenes
import Testing
import WhiteBalance

/// Identification of the lamp among several, with measured cameras that were calibrated by a chart
/// under daylight.
struct LampMatchTests {
  private static let names = ["A", "D65", "FL2", "FL11", "LED-B3", "LED-V1", "HP4"]

  private func model(of sensor: MeasuredSensor) throws -> CameraProfile.Model {
    let light = Light(.d65)
    let responses = sensor.responses(to: .classicFrom2014, under: StandardIlluminant.d65.spectrum)
    return .calibrated(
      try Calibration(fitting: [], charts: [try ChartShot(light: light, responses: responses)]))
  }

  @Test func theRightLampIsNamed() throws {
    let lights = try Self.names.map { try Light(named: $0) }
    var (right, plausible, all) = (0, 0, 0)
    for index in stride(from: 0, to: MeasuredSensor.all.count, by: 4) {
      let sensor = MeasuredSensor.all[index]
      let model = try model(of: sensor)
      for light in lights {
        let spectrum = try #require(light.spectrum)
        let gains = try #require(Gains(neutralizing: sensor.response(to: spectrum)))
        let lamps = model.lamps(lights, for: gains, error: (0.002, 0.002))
        #expect(lamps.count == lights.count)
        let shares: Double = lamps.map(\.share).reduce(0, +)
        #expect(abs(shares - 1) < 1e-9)
        all += 1
        if lamps.first?.light.name == light.name { right += 1 }
        if lamps.first(where: { $0.light.name == light.name })?.isPlausible == true {
          plausible += 1
        }
        // Without the right lamp, no lamp of another color is plausible.
        let others = model.lamps(
          lights.filter { $0.name != light.name && ["A", "D65"].contains($0.name) }, for: gains)
        if ["FL11", "HP4"].contains(light.name) {
          #expect(others.allSatisfy { !$0.isPlausible }, "\(sensor.name) \(light.name)")
        }
      }
    }
    #expect(all >= 49 && right * 100 >= all * 97 && plausible * 100 >= all * 98)
  }

  /// A lamp whose spectrum is unknown and that was not shot is left out.
  @Test func unknownLamps() throws {
    let model = try model(of: MeasuredSensor.all[3])
    let meter = try Light(named: "xy:0.38,0.38")
    #expect(model.lamps([meter], for: Gains(red: 2, blue: 2)).isEmpty)
  }
}
