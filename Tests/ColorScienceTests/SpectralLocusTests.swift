import Testing

import ColorScience

struct SpectralLocusTests {
  /// Chromaticities that CIE 015:2018 prints in table 5, five decimals.
  @Test(arguments: [
    (380.0, 0.17411, 0.00496), (450.0, 0.15664, 0.01771), (520.0, 0.07430, 0.83380),
    (555.0, 0.33736, 0.65885), (600.0, 0.62704, 0.37249), (700.0, 0.73469, 0.26531),
  ])
  func publishedChromaticities(wavelength: Double, x: Double, y: Double) throws {
    let point = try #require(SpectralLocus.chromaticity(wavelength: wavelength))
    #expect(abs(point.x - x) <= 5.1e-6 && abs(point.y - y) <= 5.1e-6, "\(point)")
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
