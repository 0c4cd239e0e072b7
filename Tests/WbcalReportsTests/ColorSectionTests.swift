import CameraProfiles
import ColorScience
import Testing
import WhiteBalance

@testable import WbcalReports

/// Tests the page's section on color.
struct ColorSectionTests {
  private static func calibration() throws -> Calibration {
    try Calibration(
      fitting: [Sample.shot(Sample.a)], charts: [Sample.chart("D65")])
  }

  private static func page(_ calibration: Calibration) throws -> ParsedPage {
    try ParsedPage(CalibrationReport(calibration, heading: Sample.heading).html)
  }

  /// The numbers are those of `profile matrix`, and the lights of shots are first.
  @Test func matricesAndTheirDifferences() throws {
    let calibration = try Self.calibration()
    let rows = try #require(try Self.page(calibration).rows["colors"])
    #expect(rows.count == 3 * 9)
    #expect(rows.prefix(6).map(\.[0]) == ["A, X", "A, Y", "A, Z", "D65, X", "D65, Y", "D65, Z"])
    let model = CameraProfile.Model.calibrated(calibration)
    let camera = try #require(calibration.sensitivityEstimate)
    for name in ["A", "FL11"] {
      let light = try Light(named: name)
      let matrix = try #require(model.colorMatrix(for: light))
      let first = try #require(rows.firstIndex { $0[0] == "\(name), X" })
      for (row, values) in zip(rows[first...], matrix.rows) {
        #expect(Array(row.suffix(3)) == (0..<3).map { fixed(values[$0], decimals: 4) })
      }
      let spectrum = try #require(light.spectrum)
      let expected = try #require(
        camera.expectedDifference(of: RootPolynomial(matrix: matrix), under: spectrum))
      #expect(rows[first][1] == Figure.plain(expected.mean, 2))
      #expect(rows[first][2] == Figure.plain(expected.p95, 2))
    }
  }

  /// The curve of green, relative to its own maximum, is inside its band; a name from outside is
  /// escaped as text.
  @Test func sensitivitiesAndPatches() throws {
    let page = try Self.page(try Self.calibration())
    #expect(
      page.texts("p", class: "headline").first?.hasPrefix(
        "Fitted to 2 gray-card and color-chart shots under A and D65.") == true)
    func points(_ name: String) -> [(x: Double, y: Double)] {
      let chart = page.elements.firstIndex {
        $0.attributes["aria-label"]?.hasPrefix("Spectral sensitivities") ?? false
      }
      let element = page.elements[(chart ?? 0)...].first { $0.attributes["class"] == name }
      let path = element?.attributes["d"] ?? ""
      return path.dropFirst().split { $0 == "L" || $0 == "Z" }.map { text in
        let numbers = text.split(separator: " ").compactMap { Double($0) }
        return (numbers[0], numbers[1])
      }
    }
    let curve = points("curve green")
    let band = points("band green")
    let estimate = try #require(try Self.calibration().sensitivityEstimate)
    let camera = estimate.sensitivities.green
    #expect(curve.count == camera.values.count && band.count == 2 * curve.count)
    let (top, bottom) = (curve.map(\.y).min()!, curve.map(\.y).max()!)
    for (point, value) in zip(curve, camera.values) {
      // 1 is at the top, 0 near the bottom.
      let lowest = camera.values.min()!
      #expect(abs((bottom - point.y) / (bottom - top) - (value - lowest) / (1 - lowest)) < 1e-3)
    }
    for (index, point) in curve.enumerated() where (410...690).contains(380 + 5 * index) {
      // The y axis points down: the outline follows the lower edge, and returns along the upper
      // one.
      #expect(band[index].y >= point.y - 3 && band[band.count - 1 - index].y <= point.y + 3)
    }
    let patches = page.elements.filter { $0.attributes["class"] == "patch" }
    #expect(patches.count == 24)
    #expect(page.texts("p").contains { $0.hasPrefix("The chart under D65, <chart> D65: outside") })
  }

  @Test func lightsWithoutASpectrumTellNoColor() throws {
    let light = try Light(name: "meter", chromaticity: Chromaticity(x: 0.3127, y: 0.329))
    let page = try Self.page(
      try Calibration(fitting: [CalibrationShot(light: light, response: LinearRGB(Sample.d65.1))]))
    #expect(page.rows["colors"] == nil)
    #expect(page.rows["errors"]?.allSatisfy { $0[2] == "–" && $0[3] == "–" } == true)
  }
}
