import WhiteBalance

@testable import wbcal

let seeds: [[UInt8]] = [
  Array("r,g,b,light,class,noise\n0.8,1,0.4,A,thermal,\n0.4,1,0.8,\"xy:0.31,0.33\",,0.01\n".utf8),
  Array("\u{FEFF}image,r,g,b,light,uncertainty\r\ncard.png,,,,D5600K,0.002\r\n".utf8),
]

/// Checks that each shot of a table that can be read becomes a calibration shot, or causes an
/// error.
func test(_ bytes: [UInt8]) {
  let text = String(decoding: bytes, as: UTF8.self)
  // A table may name a file of a spectrum; these files have their own fuzzer.
  guard !text.contains("spd:"), let shots = try? ShotTable(bytes, path: "shots.csv").shots else {
    return
  }
  for shot in shots {
    guard case .response(let response) = shot.source else { continue }
    _ = try? CalibrationShot(
      light: shot.light, response: response, lightClass: shot.lightClass,
      noise: shot.noise ?? CalibrationShot.defaultNoise)
  }
}
