import Foundation
import Testing

import ColorScience

/// Tests of the included charts against their sources and the maker's published colors.
struct ColorChartTests {
  private struct File: Decodable {
    struct Patch: Decodable {
      var name: String
      var reflectance: [Double]?
      var lab: [Double]?
    }
    var patches: [Patch]

    init(_ name: String) throws {
      let url = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Calibration/Reflectances/\(name)")
      self = try JSONDecoder().decode(Self.self, from: Data(contentsOf: url))
    }
  }

  @Test func editionBeforeIsTheAverage() throws {
    let source = try File("babelcolor-average.json").patches
    let chart = ColorChart.classicBefore2014
    #expect(chart.patches.map(\.name) == source.map(\.name))
    for (patch, row) in zip(chart.patches, source) {
      let figures = try #require(row.reflectance)
      #expect(figures.count == 36)
      #expect(Array(patch.reflectance.values.prefix(36)) == figures, "\(patch.name)")
      #expect(patch.reflectance[780] == figures[35])
    }
  }

  /// Each spectrum of the later edition is the measured one times a smooth factor.
  @Test func editionFromHasTheMeasuredShapes() throws {
    for (patch, row) in zip(
      ColorChart.classicFrom2014.patches, try File("august-2016.json").patches)
    {
      #expect(patch.name == row.name)
      let factors = zip(patch.reflectance.values, try #require(row.reflectance)).map {
        log($0 / $1)
      }
      let visible = factors[2...32]
      #expect(visible.max()! - visible.min()! <= 0.29, "\(patch.name)")
      #expect(zip(visible, visible.dropFirst()).allSatisfy { abs($0 - $1) <= 0.035 })
    }
  }

  @Test func colorsAsPublished() throws {
    let published = try File("published-2014.json").patches.map { row in
      LabColor(l: row.lab![0], a: row.lab![1], b: row.lab![2])
    }
    func differences(_ chart: ColorChart) -> [Double] {
      zip(colors(of: chart), published).map { $0.ciede2000(to: $1) }
    }
    #expect(differences(.classicFrom2014).max()! <= 0.04)
    // The older edition differs from it by the maker's changes.
    let older = differences(.classicBefore2014)
    #expect(older.reduce(0, +) / 24 >= 0.7)
    // X-Rite's figures for the edition before November 2014.
    let before: [(index: Int, lab: LabColor)] = [
      (0, LabColor(l: 37.986, a: 13.555, b: 14.059)),
      (12, LabColor(l: 28.778, a: 14.179, b: -50.297)),
      (14, LabColor(l: 42.101, a: 53.378, b: 28.190)),
      (17, LabColor(l: 51.038, a: -28.631, b: -28.638)),
      (18, LabColor(l: 96.539, a: -0.425, b: 1.186)),
      (21, LabColor(l: 50.867, a: -0.153, b: -0.270)),
    ]
    for (index, lab) in before {
      let name = ColorChart.classicBefore2014.patches[index].name
      #expect(colors(of: .classicBefore2014)[index].ciede2000(to: lab) <= 1.2, "\(name)")
    }
  }

  private func colors(of chart: ColorChart) -> [LabColor] {
    let light = StandardIlluminant.d50.spectrum
    let white = XYZ(light.xyz.vector / light.xyz.y)
    return chart.colors(under: light).map { LabColor($0, white: white) }
  }

  @Test func impossibleReflectanceIsNamed() {
    let patches = ColorChart.classicFrom2014.patches.map { patch in
      patch.name == "red"
        ? ColorChart.Patch(
          name: "red", reflectance: SpectralDistribution(first: 420, step: 10, values: [1, 1]))
        : patch
    }
    #expect {
      try ColorChart(patches: patches)
    } throws: { error in
      guard let error = error as? InvalidReflectance else { return false }
      return error.patch == "red" && error.wavelength == 400 && error.value == 0
    }
  }
}
