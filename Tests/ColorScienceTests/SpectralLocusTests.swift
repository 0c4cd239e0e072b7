import Testing

import ColorScience

struct SpectralLocusTests {
  /// Published chromaticities of the CIE 1931 diagram, to four decimals.
  @Test(arguments: [
    (380.0, 0.1741, 0.0050), (450.0, 0.1566, 0.0177), (520.0, 0.0743, 0.8338),
    (600.0, 0.6270, 0.3725), (700.0, 0.7347, 0.2653),
  ])
  func publishedChromaticities(wavelength: Double, x: Double, y: Double) throws {
    let point = try #require(SpectralLocus.chromaticity(wavelength: wavelength))
    #expect(abs(point.x - x) <= 5.1e-5 && abs(point.y - y) <= 5.1e-5, "\(point)")
  }

  /// Published chromaticities of the CIE 1964 diagram.
  @Test(arguments: [
    (450.0, 0.1510, 0.0364), (520.0, 0.1252, 0.8102), (600.0, 0.6306, 0.3694),
    (700.0, 0.7204, 0.2796),
  ])
  func publishedFor10Degrees(wavelength: Double, x: Double, y: Double) throws {
    let point = try #require(
      SpectralLocus.chromaticity(wavelength: wavelength, observer: .cie1964))
    #expect(abs(point.x - x) <= 5.1e-5 && abs(point.y - y) <= 5.1e-5, "\(point)")
  }

  /// A spectrum of one line has the same chromaticity.
  @Test func agreesWithTheSpectralSum() throws {
    for wavelength in 360...830 {
      let line = SpectralDistribution(first: Double(wavelength), step: 1, values: [1])
      let sum = Chromaticity(line.xyz)
      let point = try #require(SpectralLocus.chromaticity(wavelength: Double(wavelength)))
      #expect(abs(point.x - sum.x) <= 1e-15 && abs(point.y - sum.y) <= 1e-15, "\(wavelength)")
    }
  }

  @Test func betweenAndBeyondTheTable() throws {
    let low = try #require(SpectralLocus.chromaticity(wavelength: 500))
    let middle = try #require(SpectralLocus.chromaticity(wavelength: 500.5))
    let high = try #require(SpectralLocus.chromaticity(wavelength: 501))
    #expect(middle.y > low.y && middle.y < high.y)
    #expect(SpectralLocus.chromaticity(wavelength: 359.999) == nil)
    #expect(SpectralLocus.chromaticity(wavelength: 830.001) == nil)
    #expect(SpectralLocus.chromaticity(wavelength: .nan) == nil)
  }
}
