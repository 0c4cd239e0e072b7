import CameraControl
import CameraProfiles
import ColorScience
import WhiteBalance

@testable import wbcal

let seeds: [[UInt8]] = [
  "0.3127,0.3290", "6504 0.0032", " -1e400\tnan", "1.9,1,1.4", "5000;3", "2000 , 150",
].map { Array($0.utf8) }

private let converters: [Converter] = {
  let shots = try! [("A", 0.79, 0.39), ("D65", 0.43, 0.78)].map { name, red, blue in
    try CalibrationShot(
      light: Light(named: name), response: LinearRGB(red: red, green: 1, blue: blue))
  }
  let profile = CameraProfile(
    created: "", generator: "", model: .calibrated(try! Calibration(fitting: shots)))
  return LightCoordinates.allCases.flatMap { from in
    LightCoordinates.allCases.flatMap { to in
      [nil, LightClass.led].map { lightClass in
        Converter(
          from: from, to: to, method: .exact, locus: PlanckianLocus(), profile: profile,
          lightClass: lightClass)
      }
    }
  }
}()

/// Checks that a row results in as many numbers as it has columns, none of them NaN, or in an
/// error.
func test(_ bytes: [UInt8]) {
  let text = String(decoding: bytes, as: UTF8.self)
  let fields = FieldSeparator.guess(for: text).fields(of: text) ?? []
  for converter in converters {
    let involvesGains = converter.from == .gains || converter.to == .gains
    guard let row = try? converter.convert(fields, withErrors: involvesGains).numbers else {
      continue
    }
    let count = converter.to.columns.count * (involvesGains ? 2 : 1)
    guard row.count == count, !row.contains(where: { $0?.isNaN == true }) else {
      fatalError("\(converter.from) to \(converter.to) gives \(row)")
    }
  }
}
