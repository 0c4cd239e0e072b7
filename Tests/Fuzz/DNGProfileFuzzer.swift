import ColorScience
import ProfileFiles
import WhiteBalance

/// A profile with every field, and the beginning of a big-endian one.
let seeds: [[UInt8]] = {
  let matrix = Matrix3x3(
    SIMD3(0.5309, -0.0229, -0.0336), SIMD3(-0.6241, 1.3265, 0.3337), SIMD3(-0.0817, 0.1215, 0.6664))
  let colder = Matrix3x3(
    SIMD3(0.4716, 0.0603, -0.0830), SIMD3(-0.7798, 1.5474, 0.2480), SIMD3(-0.1496, 0.1937, 0.6651))
  let unit = Matrix3x3(diagonal: SIMD3(0.9368, 1, 0.9444))
  var profile = DNGProfile(
    uniqueCameraModel: "Camera", name: "Name", copyright: "©",
    calibrations: [
      .init(
        illuminant: .lightSource(.standardLightA), colorMatrix: matrix, cameraCalibration: unit),
      .init(illuminant: .lightSource(.d65), colorMatrix: colder, cameraCalibration: unit),
      .init(illuminant: .chromaticity(Chromaticity(x: 0.28, y: 0.29)), colorMatrix: colder),
    ], analogBalance: LinearRGB(red: 1, green: 1.25, blue: 0.5),
    asShotWhite: .neutral(LinearRGB(red: 0.5, green: 1, blue: 0.7)))
  profile.cameraCalibrationSignature = "a"
  profile.profileCalibrationSignature = "a"
  var other = profile
  other.calibrations.removeLast(2)
  other.asShotWhite = .chromaticity(Chromaticity(x: 0.3457, y: 0.3585))
  return [try! profile.encoded(), try! other.encoded(), Array("MM\0*\0\0\0\u{8}\0\u{1}".utf8)]
}()

/// Checks that a profile that was read and written does not change when it is read and written
/// again, and that its camera model gives finite numbers.
func test(_ bytes: [UInt8]) {
  guard let profile = try? DNGProfile(bytes) else { return }
  if let written = try? profile.encoded() {
    guard let again = try? DNGProfile(written), (try? again.encoded()) == written else {
      fatalError("reading what was written and writing it gives other bytes")
    }
  }
  guard let model = try? InterpolatedCameraModel(profile) else { return }
  var gains = Gains(red: 2, blue: 1.5)
  if case .neutral(let neutral) = profile.asShotWhite {
    gains = Gains(neutralizing: neutral) ?? gains
  }
  for light in model.lights(for: gains) {
    guard light.isFinite else { fatalError("a light without a chromaticity") }
    _ = model.response(to: light)
    _ = model.logGainSlopes(at: light)
  }
}
