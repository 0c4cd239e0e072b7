import Foundation
import Testing

import ColorScience

struct StandardIlluminantTests {
  @Test func publishedChromaticities() throws {
    var compared = 0
    for row in try ReferenceTable("illuminants.csv").rows
    where row["source"]!.contains("CIE 15 rounding") {
      let illuminant = try #require(StandardIlluminant(named: row["name"]!))
      #expect(illuminant.chromaticity.x == (try row.number("x")), "\(illuminant.name)")
      #expect(illuminant.chromaticity.y == (try row.number("y")), "\(illuminant.name)")
      compared += 1
    }
    #expect(compared == 24)
  }

  /// An independent check of every figure: the sum over the illuminant's spectrum.
  @Test func chromaticitiesOfTheSpectra() throws {
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
    for illuminant in StandardIlluminant.all {
      let light = try #require(lights.first { $0.name == illuminant.name }, "\(illuminant.name)")
      let sum = Chromaticity(
        SpectralDistribution(
          first: light.wavelengths.first, step: light.wavelengths.step, values: light.power
        ).xyz)
      // The tables stop at 780 nm in steps of 5 nm, and the published figures have four digits.
      #expect(abs(sum.x - illuminant.chromaticity.x) < 4e-4, "\(illuminant.name)")
      #expect(abs(sum.y - illuminant.chromaticity.y) < 4e-4, "\(illuminant.name)")
    }
  }

  @Test func names() {
    #expect(StandardIlluminant(named: "d65") == .d65)
    #expect(StandardIlluminant(named: "F11")?.name == "FL11")
    #expect(StandardIlluminant(named: "F3.2")?.name == "FL3.2")
    #expect(StandardIlluminant(named: "D66") == nil)
    #expect(StandardIlluminant(named: "") == nil)
    #expect(Set(StandardIlluminant.all.map(\.name)).count == StandardIlluminant.all.count)
  }

  @Test func planckianSpectrumLiesOnTheLocus() throws {
    for kelvin in [1800, 2856, 6500, 20_000] as [Double] {
      let sum = Chromaticity(SpectralDistribution.planckian(kelvin: kelvin).xyz)
      let found = try #require(CorrelatedColorTemperature(sum))
      #expect(abs(found.kelvin / kelvin - 1) < 1e-10)
      #expect(abs(found.duv) < 1e-13)
    }
  }
}
