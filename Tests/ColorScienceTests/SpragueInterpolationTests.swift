import ColorScience
import Testing

struct SpragueInterpolationTests {
  /// Wavelengths among lines, and within two steps of either end. Figures: colour-science 0.4.7.
  @Test(arguments: [
    (381.0, 1.2379143349282296), (388, 1.7049243253588517), (437, 29.670256), (546, 24.938928),
    (583, 20.707696), (777, 0.30540195215311006), (779, 0.2815682296650717),
  ])
  func figuresOfAPeer(wavelength: Double, power: Double) throws {
    let light = try #require(StandardIlluminant(named: "FL2")).spectrum
    let fine = try #require(light.interpolatedBySprague(parts: 5))
    #expect(fine.step == 1 && fine.firstWavelength == 380 && fine.values.count == 401)
    #expect(abs(fine[wavelength] - power) < 1e-12)
    #expect(abs(light[wavelength] - power) > 4e-4)
  }

  @Test func polynomialsOfTheFourthDegree() throws {
    func quartic(_ x: Double) -> Double { 3 - x * (2 - x * (0.5 + x * (0.125 - x / 64))) }
    let table = SpectralDistribution(first: 0, step: 1, values: (0...9).map { quartic(Double($0)) })
    let fine = try #require(table.interpolatedBySprague(parts: 8))
    for index in 16...56 {
      let x = Double(index) / 8
      #expect(abs(fine.values[index] - quartic(x)) < 1e-12, "\(x)")
    }
  }

  @Test func tabulatedValuesAreKept() throws {
    let light = StandardIlluminant.a.spectrum
    #expect(light.interpolatedBySprague(parts: 1) == light)
    let fine = try #require(light.interpolatedBySprague(parts: 3))
    for (index, value) in light.values.enumerated() { #expect(fine.values[3 * index] == value) }
  }

  @Test func shortTables() {
    func table(_ count: Int) -> SpectralDistribution {
      SpectralDistribution(first: 400, step: 10, values: [Double](repeating: 2, count: count))
    }
    #expect(table(5).interpolatedBySprague(parts: 2) == nil)
    #expect(table(6).interpolatedBySprague(parts: 2)?.values.count == 11)
  }
}
