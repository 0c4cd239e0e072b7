import ColorScience
import Foundation
import SimulatedScenes
import Testing

@testable import WhiteBalance

/// Calibrations from one chart only, of a camera that is in neither prior.
struct CalibrationWithChartsTests {
  private static let camera = 8
  private static let sensor = MeasuredSensor.all[camera]

  private static func chart(_ name: String) throws -> ChartShot {
    let light = Light(StandardIlluminant(named: name)!)
    return try ChartShot(
      light: light,
      responses: sensor.responses(to: .classicFrom2014, under: light.spectrum!),
      source: "chart.tif")
  }

  private static func calibration(_ charts: [ChartShot]) throws -> Calibration {
    var channels = PublicCameras.channels
    channels.remove(at: camera)
    return try Calibration(
      fitting: [], charts: charts, prior: #require(CameraPrior(channels: channels)),
      chartPrior: #require(SensitivityPrior(channels: channels)))
  }

  /// One chart is enough for lights known by chromaticity and class, as four gray cards are.
  @Test func lightsWithoutASpectrum() throws {
    let calibration = try Self.calibration([Self.chart("D65")])
    #expect(calibration.cards.isEmpty && calibration.shots.count == 1)
    for (name, lightClass, bound) in [
      ("A", LightClass.thermal, 0.01), ("D50", .daylight, 0.01), ("D75", .daylight, 0.01),
      ("FL11", .fluorescent, 0.04), ("LED-B4", .led, 0.06),
    ] {
      let light = Light(StandardIlluminant(named: name)!)
      let truth = Self.sensor.response(to: light.spectrum!).logGains
      let gains = try #require(calibration.gains(for: light.chromaticity, lightClass: lightClass))
      let (red, blue) = gains.relativeToGreen
      let miss = max(abs(log(red) - truth.x), abs(log(blue) - truth.y))
      #expect(miss < bound, "\(name): \(miss)")
      let errors = try #require(
        calibration.uncertainty.covariance(at: light.chromaticity, lightClass: lightClass)
      ).standardErrors
      #expect(miss < 3 * max(errors.red, errors.blue), "\(name): \(miss), \(errors)")
    }
  }

  @Test func itIsKeptWhole() throws {
    let own = try ColorChart(
      patches: ColorChart.classicFrom2014.patches.map {
        ColorChart.Patch(
          name: $0.name,
          reflectance: SpectralDistribution(
            first: 380, step: 10, values: $0.reflectance.values.map { 0.9 * $0 }))
      })
    let first = try Self.chart("D65")
    var hidden = try Self.chart("A").responses
    hidden[3] = nil
    let second = try ChartShot(light: Light(.a), responses: hidden, chart: own)
    for charts in [[first], [first, second]] {
      let calibration = try Calibration(fitting: [], charts: charts)
      let data = try JSONEncoder().encode(calibration)
      #expect(try JSONDecoder().decode(Calibration.self, from: data) == calibration)
    }
    // A chart of a known edition is stored by its name.
    let text = String(decoding: try JSONEncoder().encode(first), as: UTF8.self)
    #expect(text.contains("from2014") && !text.contains("reflectances"))
  }

  @Test func damagedCharts() throws {
    let text = String(decoding: try JSONEncoder().encode(Self.chart("D65")), as: UTF8.self)
    for (old, new) in [
      ("from2014", "from1999"), ("\"responses\":[", "\"responses\":[[1,1,1],"),
    ] {
      let damaged = text.replacingOccurrences(of: old, with: new)
      guard damaged != text else { continue }
      #expect(throws: (any Error).self) {
        try JSONDecoder().decode(ChartShot.self, from: Data(damaged.utf8))
      }
    }
  }

  @Test func nothingIsNoCalibration() {
    #expect(throws: CalibrationError.noShots) { try Calibration(fitting: [], charts: []) }
  }
}
