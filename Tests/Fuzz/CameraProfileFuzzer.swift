import CameraControl
import CameraProfiles
import ColorScience
import Foundation
import WhiteBalance

let seeds: [[UInt8]] = {
  let shots = try! [("A", 0.79, 0.39), ("D65", 0.43, 0.78)].map { name, red, blue in
    try CalibrationShot(
      light: Light(named: name), response: LinearRGB(red: red, green: 1, blue: blue))
  }
  let curve = try! CurveCameraModel(points: [
    .init(kelvin: 2500, red: 0.9, blue: 0.4), .init(kelvin: 8000, red: 0.4, blue: 0.8),
  ])
  let cameras: [CameraProfile.Model] = [
    .calibrated(try! Calibration(fitting: shots)), .curve(curve),
  ]
  func control(_ id: ControlID) -> ControlDescription {
    ControlDescription(id: id, minimum: 0, maximum: 1023, defaultValue: 256)
  }
  func law(_ id: ControlID, bend: Double) -> ControlLaw {
    ControlLaw(
      control: control(id), reference: 256,
      points: [64, 256, 512, 900].map {
        .init(value: $0, gain: Double($0) / 256 + bend * Double(($0 - 256) * ($0 - 256)) / 65536)
      })!
  }
  let path = GainCurve(
    control: control(.whiteBalanceTemperature), reference: 256,
    points: [
      .init(value: 0, red: 0.7, blue: 1.6), .init(value: 256, red: 1, blue: 1),
      .init(value: 1023, red: 1.4, blue: 0.6),
    ])!
  let controls = [
    ControlLaws(
      .channels(
        red: law(.redBalance, bend: 0), green: law(.greenBalance, bend: 0),
        blue: law(.blueBalance, bend: 0.1)), fixedSettings: [ControlValue(.gain, 40)], latency: 2),
    ControlLaws(.path(path)),
  ]
  return zip(cameras, controls).map {
    [UInt8](
      try! JSONEncoder().encode(
        CameraProfile(
          created: "", generator: "", model: $0, laws: $1, transfer: .gamma(2.2))))
  }
}()

/// Checks that a profile that can be read can be used, and is read back as it was written.
func test(_ bytes: [UInt8]) {
  guard let profile = try? JSONDecoder().decode(CameraProfile.self, from: Data(bytes)) else {
    return
  }
  let light = Chromaticity(x: 0.35, y: 0.36)
  for lightClass in [nil, LightClass.led] {
    if let gains = profile.model.gains(for: light, lightClass: lightClass) {
      _ = try? profile.model.reading(of: gains, lightClass: lightClass)
    }
  }
  if let laws = profile.laws {
    _ = laws.gains(at: laws.reference)
    _ = laws.range
    for gains in [
      Gains(red: 1.4, blue: 1.8), Gains(red: .nan, blue: 1), Gains(red: 1e9, blue: 1e-9),
    ] {
      _ = try? laws.setting(for: gains).remainder
    }
  }
  _ = profile.calibration?.uncertainty.covariance(at: light)
  _ = profile.calibration?.nextShots()
  guard let written = try? JSONEncoder().encode(profile) else { return }
  guard (try? JSONDecoder().decode(CameraProfile.self, from: written)) == profile else {
    fatalError("a profile is not read back as it was written")
  }
}
