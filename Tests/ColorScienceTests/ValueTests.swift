import ColorScience
import Foundation
import Testing

/// Tests of the storage and printing of small values.
struct ValueTests {
  private func expect<Value: Codable & Equatable>(_ value: Value, stored json: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    #expect(String(decoding: try encoder.encode([value]), as: UTF8.self) == "[\(json)]")
    #expect(try JSONDecoder().decode([Value].self, from: Data("[\(json)]".utf8)) == [value])
  }

  @Test func stored() throws {
    try expect(Chromaticity(x: 0.3127, y: 0.329), stored: #"{"x":0.3127,"y":0.329}"#)
    try expect(
      TemperatureAndTint(temperature: 5600, tint: 10), stored: #"{"temperature":5600,"tint":10}"#)
    try expect(
      CorrelatedColorTemperature(mired: 180, duv: 0.003), stored: #"{"duv":0.003,"mired":180}"#)
    try expect(XYZ(x: 0.5, y: 1, z: 0.25), stored: #"{"x":0.5,"y":1,"z":0.25}"#)
    try expect(LabColor(l: 50, a: 2.5, b: -8), stored: #"{"a":2.5,"b":-8,"l":50}"#)
    try expect(LinearRGB(red: 1, green: 0.5, blue: 2), stored: "[1,0.5,2]")
    try expect(StandardIlluminant.ledB3, stored: #""LED-B3""#)
    try expect(LightingPreset.warmWhiteFluorescent, stored: #""warm-white-fluorescent""#)
    try expect(TransferFunction.sRGB, stored: #""srgb""#)
    try expect(TransferFunction.gamma(2.2), stored: #""gamma:2.2""#)
  }

  @Test func unknownNames() {
    for name in ["log", "gamma:", "gamma:0", "gamma:-1", "gamma:inf", "sRGB"] {
      #expect(TransferFunction(named: name) == nil)
      #expect(throws: DecodingError.self) {
        try JSONDecoder().decode([TransferFunction].self, from: Data("[\"\(name)\"]".utf8))
      }
    }
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([StandardIlluminant].self, from: Data(#"["D66"]"#.utf8))
    }
  }

  @Test func printed() {
    let white = Chromaticity(x: 0.31272, y: 0.32903)
    for (value, text) in [
      (white, "x 0.3127, y 0.3290"),
      (TemperatureAndTint(temperature: 2855.6, tint: -0.34), "2856 K, tint -0.3"),
      (UCS1960(white), "u 0.1978, v 0.3122"),
      (UCS1976(white), "u′ 0.1978, v′ 0.4683"), (XYZ(white), "X 0.9504, Y 1.0000, Z 1.0888"),
      (CorrelatedColorTemperature(mired: 0, duv: 0.003), "inf K, Duv 0.0030"),
      (LabColor(l: 50, a: -2.504, b: .nan), "L* 50.00, a* -2.50, b* nan"),
      (LinearRGB(red: 0.21, green: 1, blue: 2), "red 0.2100, green 1.000, blue 2.000"),
      (
        Matrix3x3(diagonal: SIMD3(1, 2, 3)),
        "1.0000 0.0000 0.0000; 0.0000 2.0000 0.0000; 0.0000 0.0000 3.0000"
      ),
      (StandardIlluminant.fl11, "FL11"),
    ] as [(any CustomStringConvertible, String)] {
      #expect("\(value)" == text)
    }
  }
}
