import Foundation
import Testing

import ColorScience
import WhiteBalance

struct ChartComparisonTests {
  private let chart = ColorChart.classicFrom2014
  private let d50 = StandardIlluminant.d50.spectrum

  /// A picture in sRGB with the colors that the maker published differs from the spectra as little
  /// as these colors do, on any scale.
  @Test func publishedColors() throws {
    struct File: Decodable {
      struct Patch: Decodable { var lab: [Double] }
      var patches: [Patch]
    }
    let url = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Calibration/Reflectances/published-2014.json")
    let published = try JSONDecoder().decode(File.self, from: Data(contentsOf: url)).patches
    let white = XYZ(StandardIlluminant.d50.chromaticity)
    let adaptation = try #require(
      ChromaticAdaptation(from: white, to: XYZ(RGBColorSpace.sRGB.white)))
    let responses = published.map { patch -> LinearRGB? in
      let color = XYZ(LabColor(l: patch.lab[0], a: patch.lab[1], b: patch.lab[2]), white: white)
      return LinearRGB(
        0.37 * (RGBColorSpace.sRGB.fromXYZ * adaptation.matrix * color.vector))
    }
    let back = try #require(adaptation.matrix.inverse) * RGBColorSpace.sRGB.toXYZ
    let comparison = try #require(
      ChartComparison(of: responses, with: chart, matrix: back, under: d50))
    #expect(comparison.patches.count == 24)
    #expect(comparison.mean < 0.05)
    #expect(comparison.worst.difference < 0.1)

    // One patch of another color is named and does not affect the others.
    var other = responses
    other[3] = responses[3].map { LinearRGB(red: 2 * $0.red, green: $0.green, blue: $0.blue) }
    let spoilt = try #require(ChartComparison(of: other, with: chart, matrix: back, under: d50))
    #expect(spoilt.worst.name == "foliage" && spoilt.worst.difference > 10)
    #expect(spoilt.p95 < 0.2)
    // A wrong white balance shows in the grays.
    let warm = responses.map { $0.map { LinearRGB($0.vector * SIMD3(1.1, 1, 0.9)) } }
    let unbalanced = try #require(ChartComparison(of: warm, with: chart, matrix: back, under: d50))
    #expect(unbalanced.patches[19...22].allSatisfy { $0.difference > 3 })
  }

  @Test func itsOwnColors() throws {
    for name in ["A", "D65", "FL11", "LED-B3"] {
      let light = try #require(StandardIlluminant(named: name)).spectrum
      let colors = chart.colors(under: light).map { LinearRGB?.some(LinearRGB(7 * $0.vector)) }
      let comparison = try #require(
        ChartComparison(
          of: colors, with: chart, matrix: Matrix3x3(diagonal: SIMD3(1, 1, 1)), under: light))
      #expect(comparison.worst.difference < 1e-9)
    }
  }

  @Test func tooFewPatches() {
    var responses = [LinearRGB?](repeating: nil, count: 24)
    for index in 0..<5 { responses[index] = LinearRGB(red: 1, green: 1, blue: 1) }
    #expect(
      ChartComparison(
        of: responses, with: chart, matrix: Matrix3x3(diagonal: SIMD3(1, 1, 1)), under: d50) == nil)
    responses[5] = LinearRGB(red: 1, green: -1, blue: 1)
    #expect(
      ChartComparison(
        of: responses, with: chart, matrix: Matrix3x3(diagonal: SIMD3(1, 1, 1)), under: d50) == nil)
  }
}
