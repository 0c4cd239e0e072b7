import CameraControl
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
  let cameras: [CameraProfile.Camera] = [
    .calibrated(try! Calibration(fitting: shots)), .curve(curve),
  ]
  return cameras.map {
    [UInt8](
      try! JSONEncoder().encode(CameraProfile(created: "", generator: "", camera: $0)))
  }
}()

/// A profile that can be read answers, and is written so that it reads back the same.
func test(_ bytes: [UInt8]) {
  guard let profile = try? JSONDecoder().decode(CameraProfile.self, from: Data(bytes)) else {
    return
  }
  let light = Chromaticity(x: 0.35, y: 0.36)
  for lightClass in [nil, LightClass.led] {
    if let gains = profile.model.gains(for: light, lightClass: lightClass) {
      _ = try? profile.reading(of: gains, lightClass: lightClass)
    }
  }
  _ = profile.calibration?.uncertainty.covariance(at: light)
  guard let written = try? JSONEncoder().encode(profile) else { return }
  guard (try? JSONDecoder().decode(CameraProfile.self, from: written)) == profile else {
    fatalError("a profile is not read back as it was written")
  }
}
