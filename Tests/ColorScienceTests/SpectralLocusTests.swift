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

  @Test func monochromaticLightIsInside() throws {
    for step in 0...4700 {
      let wavelength = 360 + Double(step) / 10
      let light = try #require(SpectralLocus.chromaticity(wavelength: wavelength))
      #expect(SpectralLocus.contains(light), "\(wavelength) nm")
    }
  }

  @Test(arguments: ["inverse.csv", "crazy.csv"])
  func insideAsTheReferenceSays(table: String) throws {
    var counts = [0, 0]
    for row in try ReferenceTable(table).rows {
      let point = Chromaticity(x: try row.number("x"), y: try row.number("y"))
      let inside = try row.number("inside_spectral_locus") == 1
      // This point is 3.1e-5 outside the polygon of the table, and so counts as outside there, but
      // 3.0e-5 within the mixtures of 574 and 612 nm.
      let isMixture = point.x == 0.6403610280853663
      #expect(SpectralLocus.contains(point) == (inside || isMixture), "\(point)")
      counts[inside ? 1 : 0] += 1
    }
    #expect(counts.min()! > 10)
  }

  @Test func edgeOfTheVisible() throws {
    // Mixtures of two lights lie on the chord between them, even where the locus is concave.
    func light(_ wavelength: Double) throws -> Chromaticity {
      try #require(SpectralLocus.chromaticity(wavelength: wavelength))
    }
    for (first, second) in [(574.0, 612.0), (360, 380), (360, 767), (504, 505)] {
      let (a, b) = (try light(first), try light(second))
      let middle = Chromaticity(x: (a.x + b.x) / 2, y: (a.y + b.y) / 2)
      #expect(SpectralLocus.contains(middle), "\(first) \(second)")
      // A step of 1e-12 outward, to the right of the direction from the blue end to the red.
      let length = ((b.x - a.x) * (b.x - a.x) + (b.y - a.y) * (b.y - a.y)).squareRoot()
      let outward = first == 360 && second == 767 ? 1e-12 : -1e-12
      let outside = Chromaticity(
        x: middle.x + outward * (b.y - a.y) / length, y: middle.y - outward * (b.x - a.x) / length)
      #expect(!SpectralLocus.contains(outside), "\(first) \(second)")
    }
    for point in [
      Chromaticity(x: .nan, y: 0.3), Chromaticity(x: 0.3, y: .infinity),
      Chromaticity(x: -1e300, y: 1e300), Chromaticity(x: 1e308, y: 1e308),
    ] {
      #expect(!SpectralLocus.contains(point))
    }
  }
}
