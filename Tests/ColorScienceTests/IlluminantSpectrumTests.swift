import Foundation
import Testing

import ColorScience

/// Tests of the spectra of the standard illuminants against their source and the published
/// chromaticities.
struct IlluminantSpectrumTests {
  @Test func everyFigure() throws {
    struct File: Decodable {
      struct Light: Decodable {
        struct Range: Decodable { var first, step: Double }
        var name: String
        var wavelengths: Range
        var power: [Double]
      }
      var lights: [Light]
    }
    let url = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Calibration/Illuminants/illuminants.json")
    let lights = try JSONDecoder().decode(File.self, from: Data(contentsOf: url)).lights
    #expect(lights.count == StandardIlluminant.all.count)
    for illuminant in StandardIlluminant.all {
      let light = try #require(lights.first { $0.name == illuminant.name }, "\(illuminant.name)")
      #expect(
        illuminant.spectrum
          == SpectralDistribution(
            first: light.wavelengths.first, step: light.wavelengths.step, values: light.power),
        "\(illuminant.name)")
    }
  }

  /// Summed as their publishers do, the spectra give the published chromaticities.
  ///
  /// CIE sums at the tabulated wavelengths, 5 nm apart. Figures with four digits agree to half a
  /// unit of the last one, and to 5.3e-5 for FL3.13. The five digits of A to D agree to 2.8e-5, the
  /// accuracy of tristimulus values with two decimals. E differs by the sums of the functions. The
  /// 10° figures that are not CIE's, FL1 to FL12 and D65, are sums at 1 nm; the x of FL10 belongs
  /// to another table.
  @Test func sumsGiveThePublishedChromaticities() throws {
    for row in try ReferenceTable("illuminant-chromaticities.csv").rows {
      let name = row["name"]!
      let light = try #require(StandardIlluminant(named: name)).spectrum
      let observer: StandardObserver = row["observer"] == "1931" ? .cie1931 : .cie1964
      let atOneNanometer = observer == .cie1964 && (name.hasPrefix("FL") || name == "D65")
      let sum = Chromaticity(
        atOneNanometer ? light.xyz(observer: observer) : sumAtTabulated(light, observer))
      let limit =
        switch (name, observer) {
        case ("E", _): 4.8e-5
        case ("D60", _): 1e-6
        case ("ID50", _), ("ID65", _): 1e-8
        case ("FL10", .cie1964): 2.9e-4
        case (_, .cie1964): name == "B" ? 3e-5 : 1.2e-5
        case (_, .cie1931): name.count == 1 || name.hasPrefix("D") ? 2.8e-5 : 5.3e-5
        }
      #expect(abs(sum.x - (try row.number("x"))) <= limit, "\(row) \(sum)")
      #expect(abs(sum.y - (try row.number("y"))) <= limit, "\(row) \(sum)")
    }
  }

  private func sumAtTabulated(
    _ spectrum: SpectralDistribution, _ observer: StandardObserver
  ) -> XYZ {
    var sum = SIMD3<Double>.zero
    for (index, power) in spectrum.values.enumerated() {
      let wavelength = spectrum.firstWavelength + spectrum.step * Double(index)
      sum += power * (observer.colorMatchingFunctions(at: wavelength)?.vector ?? .zero)
    }
    return XYZ(sum)
  }

  /// The library's own sums, at 1 nm: linear between tabulated values, and by Sprague's
  /// polynomials.
  @Test func sumsOfInterpolatedSpectra() throws {
    for illuminant in StandardIlluminant.all {
      let (name, white) = (illuminant.name, illuminant.chromaticity)
      let smooth = name.count == 1 || name.hasPrefix("D") || name.hasPrefix("ID")
      let linear = Chromaticity(illuminant.spectrum.xyz)
      #expect(distance(linear, white) <= (smooth ? 7e-5 : 2.7e-4), "\(name) \(linear)")
      let fine = try #require(illuminant.spectrum.interpolatedBySprague(parts: 5))
      #expect(distance(Chromaticity(fine.xyz), white) <= 6.1e-5, "\(name)")
    }
  }

  private func distance(_ a: Chromaticity, _ b: Chromaticity) -> Double {
    max(abs(a.x - b.x), abs(a.y - b.y))
  }

  /// A is defined by a formula (CIE 015:2018): a black body of 2848 K under c₂ = 1.435e-2 m·K.
  @Test func incandescentLightByItsFormula() {
    func exponent(_ wavelength: Double) -> Double { expm1(1.435e7 / (2848 * wavelength)) }
    let table = StandardIlluminant.a.spectrum
    for (index, power) in table.values.enumerated() {
      let wavelength = 300 + 5 * Double(index)
      let exact = 100 * pow(560 / wavelength, 5) * exponent(560) / exponent(wavelength)
      #expect(abs(power / exact - 1) < 6e-6, "\(wavelength) \(power) \(exact)")
    }
  }
}
