import ColorScience
import Testing

struct ChromaticityTests {
  @Test func diagrams() {
    // x = 0.3127, y = 0.3290: u = 1.2508/6.3226, v = 1.974/6.3226, u′ = u, v′ = 2.961/6.3226.
    let white = Chromaticity(x: 0.3127, y: 0.3290)
    let uv = UCS1960(white)
    #expect(abs(uv.u - 0.19783000664283682) < 1e-16)
    #expect(abs(uv.v - 0.312213329959194) < 1e-16)
    let prime = UCS1976(white)
    #expect(abs(prime.uPrime - uv.u) < 1e-16)
    #expect(abs(prime.vPrime - 0.468319994938791) < 1e-16)
    for back in [Chromaticity(uv), Chromaticity(prime)] {
      #expect(abs(back.x - white.x) < 1e-15)
      #expect(abs(back.y - white.y) < 1e-15)
    }
  }

  @Test func singularities() {
    #expect(!UCS1960(Chromaticity(x: 1.5, y: 0)).u.isFinite)
    #expect(Chromaticity(XYZ(x: 1, y: -1, z: 0)).x.isNaN)
    #expect(!XYZ(Chromaticity(x: 0.1, y: 0)).x.isFinite)
  }

  @Test func tristimulusValues() {
    let white = XYZ(Chromaticity(x: 0.3127, y: 0.3290))
    #expect(abs(white.x - 0.9504559270516716) < 1e-15)
    #expect(white.y == 1)
    #expect(abs(white.z - 1.0890577507598784) < 1e-15)
  }

  /// IEC 61966-2-1 prints 0.4124 0.3576 0.1805 / 0.2126 0.7152 0.0722 / 0.0193 0.1192 0.9505.
  @Test func sRGBMatrix() throws {
    let printed = [
      SIMD3(0.4124, 0.3576, 0.1805), SIMD3(0.2126, 0.7152, 0.0722), SIMD3(0.0193, 0.1192, 0.9505),
    ]
    for (row, expected) in zip(RGBColorSpace.sRGB.toXYZ.rows, printed) {
      for column in 0..<3 { #expect(abs(row[column] - expected[column]) < 6e-5) }
    }
    let identity = RGBColorSpace.sRGB.toXYZ * RGBColorSpace.sRGB.fromXYZ
    for (index, row) in identity.rows.enumerated() {
      for column in 0..<3 { #expect(abs(row[column] - (index == column ? 1 : 0)) < 1e-15) }
    }
  }

  @Test func everySampleOfASpectrumIsRead() {
    for count in 2...400 {
      let table = SpectralDistribution(
        first: 380, step: 10 / Double(count), values: [Double](repeating: 1, count: count + 1))
      #expect(table[380] == 1 && table[380 + 10 / Double(count) * Double(count)] == 1)
      #expect(table[379.999] == 0 && table[390.001] == 0)
    }
    #expect(SpectralDistribution(first: 380, step: 5, values: [1, 1])[.nan].isNaN)
  }

  @Test func singularMatrixHasNoInverse() {
    #expect(Matrix3x3(SIMD3(1, 2, 3), SIMD3(2, 4, 6), SIMD3(0, 1, 0)).inverse == nil)
    #expect(Matrix3x3(diagonal: SIMD3(1, .nan, 1)).inverse == nil)
    #expect(Matrix3x3(diagonal: SIMD3(1e10, 1e10, .leastNonzeroMagnitude)).inverse == nil)
  }
}
