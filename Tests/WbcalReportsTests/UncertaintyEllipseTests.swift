import ColorScience
import Foundation
import Testing
import WhiteBalance

@testable import WbcalReports

/// Compares the ellipses in the page with their definition.
struct UncertaintyEllipseTests {
  private typealias Drawn = (name: String, points: [(x: Double, y: Double)])

  /// Returns the outlines of one drawing, in the drawing's units.
  private func outlines(_ page: ParsedPage, drawing: Int) -> [Drawn] {
    var result: [Drawn] = []
    var (drawings, title) = (-1, "")
    for element in page.elements {
      if element.name == "svg", element.attributes["role"] == "img" { drawings += 1 }
      if element.name == "title" { title = element.text }
      guard drawings == drawing, element.attributes["class"] == "ellipse",
        let path = element.attributes["d"]
      else { continue }
      let points = path.dropFirst().dropLast().split(separator: "L").map { text in
        text.split(separator: " ").compactMap { Double($0) }
      }
      result.append((title, points.map { ($0[0], $0[1]) }))
    }
    return result
  }

  /// Returns δᵀC⁻¹δ of the change of ln gains for a step in x and y: 5.991 on the outline that
  /// contains 95 % of two normal coordinates.
  private func squaredDistance(
    _ dx: Double, _ dy: Double, at light: Chromaticity, _ lightClass: LightClass?,
    _ calibration: Calibration
  ) throws -> Double {
    func logGains(_ x: Double, _ y: Double) throws -> SIMD2<Double> {
      let response = try #require(
        calibration.model.response(to: Chromaticity(x: x, y: y), lightClass: lightClass))
      return SIMD2(-log(response.red), -log(response.blue))
    }
    let step = 1e-6
    let byX = try (logGains(light.x + step, light.y) - logGains(light.x - step, light.y)) / 2e-6
    let byY = try (logGains(light.x, light.y + step) - logGains(light.x, light.y - step)) / 2e-6
    let d = dx * byX + dy * byY
    let c = try #require(calibration.uncertainty.covariance(at: light, lightClass: lightClass))
    return (c.blue * d.x * d.x - 2 * c.redBlue * d.x * d.y + c.red * d.y * d.y)
      / (c.red * c.blue - c.redBlue * c.redBlue)
  }

  private func check(_ drawn: Drawn, _ lightClass: LightClass?, _ calibration: Calibration) throws {
    let light = try Light(named: drawn.name).chromaticity
    #expect(drawn.points.count == 48)
    // This is the white region: 500 units for 0.35 of x from 46, 380 for 0.266 of y up from 390.
    for point in drawn.points {
      let (x, y) = (0.225 + (point.x - 46) / 500 * 0.35, 0.2 + (390 - point.y) / 380 * 0.266)
      let square = try squaredDistance(x - light.x, y - light.y, at: light, lightClass, calibration)
      // Coordinates are rounded to 0.01; an axis has at least 2 units.
      #expect(abs(square.squareRoot() - 5.9914645.squareRoot()) < 0.02, "\(drawn.name)")
    }
  }

  @Test func oneShotShowsThreeCommonLights() throws {
    let calibration = try Sample.calibration(Sample.a)
    let page = try ParsedPage(CalibrationReport(calibration, heading: Sample.heading).html)
    let drawn = outlines(page, drawing: 0)
    try #require(drawn.map(\.name) == ["A", "D50", "D65"])
    try check(drawn[0], .thermal, calibration)
    try check(drawn[1], .daylight, calibration)
    try check(drawn[2], .daylight, calibration)
    let caption = try #require(page.texts("p").first { $0.hasPrefix("CIE 1931 x, y.") })
    #expect(!caption.contains("too small"))
  }

  @Test func theTooSmallAreNamed() throws {
    let calibration = try Sample.calibration(Sample.d65)
    let page = try ParsedPage(CalibrationReport(calibration, heading: Sample.heading).html)
    #expect(outlines(page, drawing: 0).map(\.name) == ["A"])
    let caption = try #require(page.texts("p").first { $0.hasPrefix("CIE 1931 x, y.") })
    #expect(caption.hasSuffix("The ellipses of D50 and D65 are too small to see here."))
  }

  @Test func everyShotOfSeveralHasItsOwn() throws {
    let calibration = try Sample.calibration(Sample.fl2, Sample.led)
    let page = try ParsedPage(CalibrationReport(calibration, heading: Sample.heading).html)
    let drawn = outlines(page, drawing: 0)
    try #require(drawn.map(\.name) == ["FL2", "LED-B3"])
    try check(drawn[0], .fluorescent, calibration)
    try check(drawn[1], .led, calibration)
    // The ellipses are equal at the scale of the whole diagram: 500 units for 0.83 of x.
    let whole = outlines(page, drawing: 1)
    #expect(whole.map(\.name) == drawn.map(\.name))
    for (a, b) in zip(drawn, whole) {
      func width(_ drawn: Drawn) -> Double {
        drawn.points.map(\.x).max()! - drawn.points.map(\.x).min()!
      }
      #expect(abs(width(b) / width(a) - 0.35 / 0.83) < 0.005)
    }
  }
}
