import ColorScience
import SimulatedScenes
import WhiteBalance

@testable import WbcalReports

/// Responses by the published sensitivities of a Canon EOS 5D, relative to green.
enum Sample {
  static let a = ("A", SIMD3(0.7859469331, 1, 0.3934329945), LightClass?.none)
  static let d65 = ("D65", SIMD3(0.4289282653, 1, 0.7813126923), LightClass?.none)
  static let fl2 = ("FL2", SIMD3(0.5300606841, 1, 0.5476413619), LightClass?.some(.fluorescent))
  static let led = ("LED-B3", SIMD3(0.5590824982, 1, 0.5596125946), LightClass?.some(.led))

  static func shot(
    _ sample: (String, SIMD3<Double>, LightClass?), source: String? = nil
  ) throws -> CalibrationShot {
    try CalibrationShot(
      light: Light(named: sample.0), response: LinearRGB(sample.1), lightClass: sample.2,
      source: source)
  }

  static func calibration(
    _ samples: (String, SIMD3<Double>, LightClass?)...
  ) throws -> Calibration {
    try Calibration(fitting: samples.map { try shot($0, source: $0.0.lowercased() + ".dng") })
  }

  /// Returns a chart under a lamp, with the responses of a measured camera.
  static func chart(_ lamp: String) throws -> ChartShot {
    let light = try Light(named: lamp)
    return try ChartShot(
      light: light,
      responses: MeasuredSensor(named: "canon-eos-5d")!.responses(
        to: .classicFrom2014, under: light.spectrum!),
      source: "<chart> \(lamp)")
  }

  static let heading = CalibrationReport.Heading(
    device: "Canon EOS 5D", created: "2026-03-14 09:26 UTC", program: "wbcal 1.0.0",
    profile: "canon-eos-5d.json",
    notes: [
      ("red_balance", "gain = value / 256, 0 … 1023"),
      ("blue_balance", "gain = value / 256, 0 … 1023"),
    ])
}
