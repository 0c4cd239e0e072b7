import ColorScience
import Foundation
import Testing
import WhiteBalance

@testable import WbcalReports

/// Compares the camera's neutral locus in the page with the camera's matrices.
struct NeutralLocusTests {
  private func elements(_ page: ParsedPage) throws -> ArraySlice<ParsedPage.Element> {
    let first = try #require(
      page.elements.firstIndex { $0.attributes["aria-label"]?.contains("gray card") ?? false })
    let end = page.elements[first...].firstIndex { $0.name == "figcaption" }
    return page.elements[first..<(end ?? page.elements.endIndex)]
  }

  private func number(_ element: ParsedPage.Element, _ attribute: String) -> Double {
    Double(element.attributes[attribute] ?? "") ?? .nan
  }

  @Test func everyMarkIsWhereTheCameraSeesIt() throws {
    let samples = [Sample.a, Sample.d65]
    let calibration = try Sample.calibration(samples[0], samples[1])
    let page = try ParsedPage(CalibrationReport(calibration, heading: Sample.heading).html)
    let chart = try elements(page)

    // The scale follows from two of the labels of each axis.
    let small = chart.filter { $0.name == "text" && $0.attributes["class"] == "small" }
    func axis(_ anchor: String, _ attribute: String, _ shift: Double) throws -> (Double) -> Double {
      let ticks = small.filter { $0.attributes["text-anchor"] == anchor }
      let (a, b) = (try #require(ticks.first), try #require(ticks.last))
      let (va, vb) = (try #require(Double(a.text)), try #require(Double(b.text)))
      let (pa, pb) = (number(a, attribute) + shift, number(b, attribute) + shift)
      return { va + ($0 - pa) / (pb - pa) * (vb - va) }
    }
    let red = try axis("middle", "x", 0)
    let blue = try axis("end", "y", -4)

    let dots = chart.filter { $0.attributes["class"] == "measured neutral" }
    try #require(dots.count == 2)
    for (dot, sample) in zip(dots, samples) {
      #expect(abs(red(number(dot, "cx")) - sample.1.x) < 1e-4)
      #expect(abs(blue(number(dot, "cy")) - sample.1.z) < 1e-4)
    }

    func expect(
      _ x: Double, _ y: Double, _ light: Chromaticity, _ lightClass: LightClass, _ name: String
    ) throws {
      let response = try #require(
        calibration.model.matrixModel(for: lightClass).response(to: light))
      #expect(abs(red(x) - response.red) < 1e-4, "\(name)")
      #expect(abs(blue(y) - response.blue) < 1e-4, "\(name)")
    }
    let lamps = chart.filter { $0.attributes["class"] == "lamp" }
    let names = ["LED-B1", "LED-B2", "LED-B3", "LED-B4", "LED-B5", "FL2", "FL11"]
    try #require(lamps.count == names.count)
    for (lamp, name) in zip(lamps, names) {
      let light = try Light(named: name).chromaticity
      if name.hasPrefix("LED") {
        try expect(number(lamp, "cx"), number(lamp, "cy"), light, .led, name)
      } else {
        try expect(number(lamp, "x") + 3.5, number(lamp, "y") + 3.5, light, .fluorescent, name)
      }
    }
    let feet = chart.filter { $0.attributes["class"] == "foot" }
    let temperatures = [2000.0, 2700, 3200, 4000, 5000, 6500, 10_000, 20_000]
    try #require(feet.count == temperatures.count)
    for (foot, kelvin) in zip(feet, temperatures) {
      let light = Chromaticity(SpectralDistribution.planckian(kelvin: kelvin).xyz)
      try expect(number(foot, "cx"), number(foot, "cy"), light, .thermal, "\(kelvin) K")
    }
    for (name, first, last, lightClass) in [
      ("planckian", "2000K", "20000K", LightClass.thermal),
      ("daylight", "D25000K", "D4000K", .daylight),
    ] {
      let path = try #require(
        chart.first { $0.name == "path" && $0.attributes["class"] == name }?.attributes["d"])
      let points = path.dropFirst().split(separator: "L").map { text in
        text.split(separator: " ").compactMap { Double($0) }
      }
      for (point, light) in [(points[0], first), (points[points.count - 1], last)] {
        try expect(point[0], point[1], Light(named: light).chromaticity, lightClass, light)
      }
    }
    #expect(chart.contains { $0.text == "red / green" })
    #expect(chart.contains { $0.text == "blue / green" })
  }
}
