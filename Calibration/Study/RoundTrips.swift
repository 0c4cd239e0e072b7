import ColorScience
import SimulatedScenes
import WhiteBalance

/// The accuracy with which gains convert back to chromaticities, and lights back to gains.
struct RoundTrips {
  /// Counts of lights with gains, by the lights that these stand for: one, several, none.
  var unique = 0
  var ambiguous = 0
  var lost = 0
  /// The largest error of x and y, and the largest relative error of gains up to 100. A larger gain
  /// is the reciprocal of a response near 0, and has fewer correct digits.
  var worst = 0.0
  var worstGain = 0.0
  /// An example of ambiguous gains.
  var example: AmbiguousGains?

  mutating func check(_ xy: Chromaticity, _ model: some CameraModel, _ lightClass: LightClass?) {
    guard let gains = model.gains(for: xy, lightClass: lightClass) else { return }
    do {
      guard let back = try model.chromaticity(for: gains, lightClass: lightClass),
        let again = model.gains(for: back, lightClass: lightClass)
      else {
        lost += 1
        return
      }
      unique += 1
      worst = max(worst, abs(back.x - xy.x), abs(back.y - xy.y))
      guard gains.vector.max() <= 100 else { return }
      let difference = again.vector / gains.vector - 1
      worstGain = max(worstGain, abs(difference.x), abs(difference.y), abs(difference.z))
    } catch {
      ambiguous += 1
      example = example ?? error
    }
  }
}

/// The round trips of random lights, 2000…20 000 K and |Duv| ≤ 0.05, on every public camera: by the
/// classified model from two shots, and by a DNG model with its matrices for thermal light and
/// daylight.
func roundTrips(lights count: Int) throws -> (classified: RoundTrips, interpolated: RoundTrips) {
  var random = SplitMix64(state: 7)
  let lights = (0..<count).map { _ in
    Chromaticity(
      CorrelatedColorTemperature(
        mired: 50 + 450 * random.uniform(), duv: 0.1 * random.uniform() - 0.05))
  }
  let classes = LightClass.allCases.map(Optional.some) + [nil]
  var classified = RoundTrips()
  var interpolated = RoundTrips()
  for sensor in MeasuredSensor.all {
    let shots = try ["A", "D65"].map { name in
      let light = try Light(named: name)
      return try CalibrationShot(light: light, response: sensor.response(to: light.spectrum!))
    }
    let model = try Calibration(fitting: shots).model
    let dng = try InterpolatedCameraModel(calibrations: [
      .init(kelvin: 2856, colorMatrix: model.matrixModel(for: .thermal).cameraMatrix),
      .init(kelvin: 6504, colorMatrix: model.matrixModel(for: .daylight).cameraMatrix),
    ])
    for (index, light) in lights.enumerated() {
      classified.check(light, model, classes[index % classes.count])
      interpolated.check(light, dng, nil)
    }
  }
  return (classified, interpolated)
}

/// Prints the round trips of ten thousand lights on every camera.
func printRoundTrips() throws {
  let found = try roundTrips(lights: 10_000)
  print("\n## x, y to gains and back, 10 000 random lights on every camera\n")
  for (name, trips) in [("classified", found.classified), ("DNG's", found.interpolated)] {
    print(
      "- \(name): \(trips.unique) with one light, within \(trips.worst) in x and y and \(trips.worstGain) of "
        + "the gains up to 100; \(trips.ambiguous) with several lights, \(trips.lost) with none")
    if let example = trips.example { print("  for example \(example)") }
  }
}
