import ColorScience
import Testing

struct StandardIlluminantTests {
  /// Every published figure, digit by digit.
  @Test func publishedChromaticities() throws {
    var compared: [StandardObserver: Int] = [:]
    for row in try ReferenceTable("illuminant-chromaticities.csv").rows {
      let observer: StandardObserver = row["observer"] == "1931" ? .cie1931 : .cie1964
      let illuminant = try #require(StandardIlluminant(named: row["name"]!))
      let printed = Chromaticity(x: try row.number("x"), y: try row.number("y"))
      #expect(illuminant.chromaticity(observer: observer) == printed, "\(row)")
      compared[observer, default: 0] += 1
    }
    #expect(compared == [.cie1931: StandardIlluminant.all.count, .cie1964: 20])
    let unpublished = StandardIlluminant.all.filter { $0.chromaticity(observer: .cie1964) == nil }
    #expect(unpublished.count == StandardIlluminant.all.count - 20)
    #expect(StandardIlluminant.d65.chromaticity == Chromaticity(x: 0.31272, y: 0.32903))
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
