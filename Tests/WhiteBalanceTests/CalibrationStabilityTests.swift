import ColorScience
import Testing
import WhiteBalance

/// Checks that identical shots give identical gains in every version; a change must be a deliberate
/// improvement that the changelog mentions.
struct CalibrationStabilityTests {
  private static let calibration = Result {
    try Calibration(fitting: [
      CalibrationShot(
        light: Light(named: "A"), response: LinearRGB(red: 0.786, green: 1, blue: 0.393)),
      CalibrationShot(
        light: Light(named: "xy:0.3457,0.3585", uncertainty: 0.001),
        response: LinearRGB(red: 0.52, green: 1, blue: 0.655)),
    ])
  }

  @Test(arguments: [
    (
      "A", LightClass.thermal, Gains(red: 1.27209472065, blue: 2.54328370353), 0.0089756074256,
      0.00774347081595
    ),
    (
      "D65", .daylight, Gains(red: 2.22909092819, blue: 1.31657313736), 0.0205301030278,
      0.0273922534092
    ),
    (
      "LED-B3", .led, Gains(red: 1.72003498138, blue: 1.87707694451), 0.0272348091497,
      0.089888435014
    ),
    (
      "FL11", .fluorescent, Gains(red: 1.70458953344, blue: 1.89803276157), 0.0295451328572,
      0.0301877341002
    ),
    (
      "HP4", .other, Gains(red: 1.71678904463, blue: 1.94199761367), 0.0701390476825,
      0.0765331348917
    ),
  ])
  func theSameShotsGiveTheSameGains(
    name: String, lightClass: LightClass, gains: Gains, redError: Double, blueError: Double
  ) throws {
    let calibration = try Self.calibration.get()
    let light = try Light(named: name).chromaticity
    let found = try #require(calibration.model.gains(for: light, lightClass: lightClass))
      .relativeToGreen
    let errors = try #require(
      calibration.uncertainty.covariance(at: light, lightClass: lightClass)?.standardErrors)
    for (now, before) in [
      (found.red, gains.red), (found.blue, gains.blue), (errors.red, redError),
      (errors.blue, blueError),
    ] {
      #expect(
        abs(now / before - 1) < 1e-9,
        "\(name): \(found.red), \(found.blue), \(errors.red), \(errors.blue)")
    }
  }
}
