import Testing

@testable import ColorScience

struct DaylightSpectrumTests {
  @Test func everyComponent() throws {
    let rows = try ReferenceTable("daylight-components.csv").rows
    try #require(rows.count == DaylightComponents.hundredths.count)
    for (index, row) in rows.enumerated() {
      let (s0, s1, s2) = DaylightComponents.hundredths[index]
      #expect(try row.number("wavelength") == Double(300 + 10 * index))
      #expect(try row.number("S0") == Double(s0) / 100)
      #expect(try row.number("S1") == Double(s1) / 100)
      #expect(try row.number("S2") == Double(s2) / 100)
    }
  }

  /// The spectra equal the published tables, to their decimals. Three figures of D65 are means of
  /// rounded neighbors.
  @Test(arguments: [
    ("D50", 5000, 5.1e-4), ("D55", 5500, 5.1e-4), ("D60", 6000, 5.1e-5), ("D65", 6500, 8.6e-4),
    ("D75", 7500, 5.1e-4),
  ])
  func publishedTables(name: String, kelvin: Double, limit: Double) throws {
    let table = try #require(StandardIlluminant(named: name)).spectrum
    let daylight = try #require(
      SpectralDistribution.daylight(kelvin: kelvin * DaylightLocus.nominalCorrection))
    for (index, power) in table.values.enumerated() {
      let wavelength = 300 + 5 * Double(index)
      #expect(abs(daylight[wavelength] - power) <= limit, "\(wavelength)")
    }
    let uncorrected = try #require(SpectralDistribution.daylight(kelvin: kelvin))
    #expect(abs(uncorrected[400] - table[400]) > 0.01)
  }

  /// Figures: colour-science 0.4.7, at 300, 450, 705 and 830 nm.
  @Test(
    arguments: [
      (4000.0, [0.0099, 63.3722, 120.64985, 95.0245]),
      (7000, [0.0386, 125.2823, 69.41615, 57.6655]),
      (10_000, [0.06006, 162.6778, 58.87125, 49.6721]),
      (25_000, [0.09814, 225.1618, 52.24605, 44.1689]),
    ] as [(Double, [Double])])
  func figuresOfAPeer(kelvin: Double, figures: [Double]) throws {
    let daylight = try #require(SpectralDistribution.daylight(kelvin: kelvin))
    for (wavelength, power) in zip([300, 450, 705, 830] as [Double], figures) {
      #expect(abs(daylight[wavelength] - power) < 1e-12, "\(wavelength)")
    }
    #expect(daylight[560] == 100)
  }

  /// The sums give the same chromaticity as the locus's polynomial, which is independent of them.
  @Test func sumsLieOnTheLocus() throws {
    for kelvin in stride(from: 4000.0, through: 25_000, by: 250) {
      let sum = Chromaticity(try #require(SpectralDistribution.daylight(kelvin: kelvin)).xyz)
      let locus = try #require(DaylightLocus.chromaticity(kelvin: kelvin))
      #expect(abs(sum.x - locus.x) < 1.4e-4 && abs(sum.y - locus.y) < 1.4e-4, "\(kelvin) \(sum)")
    }
  }

  @Test func outsideItsTemperatures() {
    for kelvin in [3999.9, 25_000.1, .nan, .infinity, -6500] as [Double] {
      #expect(SpectralDistribution.daylight(kelvin: kelvin) == nil)
    }
  }
}
