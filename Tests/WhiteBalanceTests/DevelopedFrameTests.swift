import ColorScience
import Testing
import WhiteBalance

/// Codes are compared with IEC 61966-2-1 in double precision, implemented again here.
struct DevelopedFrameTests {
  private func sRGB(_ light: Double) -> Double {
    let light = min(max(light, 0), 1)
    return 65_535 * (light <= 0.0031308 ? 12.92 * light : 1.055 * power(light, 1 / 2.4) - 0.055)
  }

  private func codes(_ picture: DevelopedFrame) -> [Int] {
    stride(from: 0, to: picture.frame.bytes.count, by: 2).map {
      Int(picture.frame.bytes[$0]) | Int(picture.frame.bytes[$0 + 1]) << 8
    }
  }

  private static let matrix = Matrix3x3(
    SIMD3(1.7, -0.5, -0.2), SIMD3(-0.2, 1.5, -0.3), SIMD3(0.05, -0.55, 1.5))
  /// The factors of red, green, blue, √(red · green), √(green · blue) and √(blue · red); each row
  /// adds up to 1.
  private static let factors = [
    [1.7, -0.7, -0.1, 0.2, -0.3, 0.2], [-0.2, 1.2, -0.4, 0.1, 0.4, -0.1],
    [0.05, -0.45, 1.3, -0.1, 0.4, -0.2],
  ]
  private static let colors = RootPolynomial(
    matrix: Matrix3x3(SIMD3(factors[0][0...2]), SIMD3(factors[1][0...2]), SIMD3(factors[2][0...2])),
    roots: Matrix3x3(SIMD3(factors[0][3...5]), SIMD3(factors[1][3...5]), SIMD3(factors[2][3...5])))

  /// Tests 12-bit codes that stay below white.
  @Test func everyCode() throws {
    let gains = SIMD3(1.8, 1, 1.4)
    for first in stride(from: 0, to: 4096, by: 7) {
      let raw = [first, (first * 5 + 11) % 2200, (first * 3 + 5) % 2900]
      let layout = try FrameLayout(
        width: 2, height: 2, format: .bayer(.rggb, bits: 16), blackLevel: 64, whiteLevel: 4095)
      let bytes = [raw[0], raw[1], raw[1], raw[2]].flatMap {
        [UInt8($0 & 255), UInt8($0 >> 8)]
      }
      let picture = try Frame(layout: layout, bytes: bytes).developed(
        gains: Gains(red: 1.8, blue: 1.4), colors: Self.colors)
      guard first < 4095 else { continue }
      var light = SIMD3<Double>.zero
      for channel in 0..<3 { light[channel] = gains[channel] * Double(raw[channel] - 64) / 4031 }
      // Values below black have no root.
      let (r, g, b) = (max(light.x, 0), max(light.y, 0), max(light.z, 0))
      let roots = [r * g, g * b, b * r].map { $0.squareRoot() }
      let terms = [light.x, light.y, light.z] + roots
      let color = Self.factors.map { row in zip(row, terms).reduce(0) { $0 + $1.0 * $1.1 } }
      for (channel, code) in codes(picture).enumerated() {
        #expect(abs(Double(code) - sRGB(color[channel])) < 1, "\(raw), \(channel)")
      }
    }
  }

  /// A neutral light of any strength stays neutral, however many channels it clips.
  @Test func highlightsStayNeutral() throws {
    let gains = SIMD3(1.8, 1, 1.4)
    for step in 6...60 {
      let level = Double(step) / 20
      let layout = try FrameLayout(width: 1, height: 1, format: .rgb16)
      let bytes = (0..<3).flatMap { channel -> [UInt8] in
        let code = Int((65_535 * min(level / gains[channel], 1)).rounded())
        return [UInt8(code & 255), UInt8(code >> 8)]
      }
      let picture = try Frame(layout: layout, bytes: bytes).developed(
        gains: Gains(red: 1.8, blue: 1.4), colors: Self.colors)
      let codes = codes(picture)
      #expect(codes.max()! - codes.min()! <= 3, "\(level): \(codes)")
      #expect(abs(Double(codes[1]) - sRGB(level)) < 3, "\(level): \(codes)")
      #expect(picture.clipped == (level > 1 ? 1 : 0) && picture.beyondSpace == 0)
    }
  }

  /// A green outside sRGB is clipped and counted.
  @Test func colorsBeyondTheSpace() throws {
    let layout = try FrameLayout(width: 2, height: 1, format: .rgb8)
    let picture = try Frame(layout: layout, bytes: [0, 200, 0, 90, 90, 90]).developed(
      colors: RootPolynomial(matrix: Self.matrix))
    #expect(picture.beyondSpace == 1 && picture.pixels == 2 && picture.clipped == 1)
    #expect(codes(picture)[0] == 0 && codes(picture)[2] == 0)
    // The gray pixel is unchanged.
    #expect(codes(picture)[3...].allSatisfy { abs(Double($0) - sRGB(90.0 / 255)) < 1 })
  }
}
