import CameraProfiles
import ColorScience
import Foundation
import Testing
import WhiteBalance

@testable import WbcalReports

struct GainComparisonTests {
  private func page(
    _ calibration: Calibration, _ model: CameraProfile.Model, named name: String = "other.json"
  ) throws -> ParsedPage {
    let comparison = try #require(
      GainComparison(of: calibration, with: model, named: name))
    return try ParsedPage(
      CalibrationReport(calibration, heading: Sample.heading, comparison: comparison).html)
  }

  /// Returns a curve whose R/G and B/G are linear from 2500 to 5000 K.
  private static func curve() throws -> CurveCameraModel {
    try CurveCameraModel(points: [
      .init(kelvin: 2500, red: 0.9, blue: 0.4), .init(kelvin: 5000, red: 0.5, blue: 0.7),
    ])
  }

  /// Compares a row with the responses of both cameras, and with the lights that a calibration
  /// estimates from them.
  private func check(
    _ row: [String], _ response: [Double], against own: [Double], _ model: MatrixCameraModel
  ) throws {
    try #require(row.count == 5)
    let matrix = combined(model)
    let red = (response[1] / response[0]) / (own[1] / own[0])
    let blue = (response[1] / response[2]) / (own[1] / own[2])
    try expect(row[1], 100 * (red - 1), decimals: 2, slack: 0.01)
    try expect(row[2], 100 * (blue - 1), decimals: 2, slack: 0.01)
    func light(_ response: [Double]) -> (mired: Double, duv: Double) {
      let xyz = solved(matrix, response)
      let sum = xyz[0] + xyz[1] + xyz[2]
      return nearestBlackBody(x: xyz[0] / sum, y: xyz[1] / sum)
    }
    let (seen, there) = (light(response), light(own))
    try expect(row[3], seen.mired - there.mired, decimals: 1, slack: 0.01)
    try expect(row[4], 3000 * (seen.duv - there.duv), decimals: 1, slack: 0.01)
  }

  @Test func withAnotherCalibration() throws {
    let calibration = try Sample.calibration(Sample.a, Sample.d65, Sample.led)
    let other = try Sample.calibration(Sample.a)
    let rows = try #require(
      try page(calibration, .calibrated(other)).rows["comparison"])
    #expect(rows.count == 18)
    // Both were shot under A; for the other lights the second camera has the gains of their
    // spectra.
    #expect(rows.first { $0[0] == "A" }?.dropFirst() == ["0.00", "0.00", "0.0", "0.0"])
    let camera = try #require(other.sensitivityEstimate)
    for (name, own, lightClass) in [
      ("D65", Sample.d65.1, LightClass.daylight), ("LED-B3", Sample.led.1, .led),
    ] {
      let spectrum = try #require(StandardIlluminant(named: name)).spectrum
      let gains = try #require(camera.gains(under: spectrum)).gains
      try check(
        try #require(rows.first { $0[0] == name }),
        [1 / gains.red, 1 / gains.green, 1 / gains.blue],
        against: [own.x, own.y, own.z], calibration.model.matrixModel(for: lightClass))
    }
  }

  /// Outside the curve's range there is nothing to compare.
  @Test func withACurve() throws {
    let calibration = try Sample.calibration(Sample.a, Sample.d65)
    let page = try page(calibration, .curve(try Self.curve()))
    let rows = try #require(page.rows["comparison"])
    let row = try #require(rows.first { $0[0] == "4000 K" })
    let camera = try #require(calibration.sensitivityEstimate)
    let gains = try #require(camera.gains(under: .planckian(kelvin: 4000))).gains
    try check(
      row, [0.66, 1, 0.58], against: [1 / gains.red, 1 / gains.green, 1 / gains.blue],
      calibration.model.matrixModel(for: .thermal))
    for name in ["2000 K", "6500 K", "D65"] {
      #expect(rows.first { $0[0] == name } == [name, "–", "–", "–", "–"])
    }
    let largest = rows.flatMap { $0[1...2] }.compactMap { text in
      Double(text.replacingOccurrences(of: "−", with: "-")).map(abs)
    }.max()
    let note = try #require(page.texts("p").first { $0.contains("relative to this camera") })
    let words = note.split { $0 == " " || $0 == "\u{A0}" }
    #expect(words.contains("\(fixed(try #require(largest), decimals: 2))"))
  }

  @Test func withItself() throws {
    let calibration = try Sample.calibration(Sample.a)
    let rows = try #require(try page(calibration, .calibrated(calibration)).rows["comparison"])
    #expect(rows.allSatisfy { $0.dropFirst() == ["0.00", "0.00", "0.0", "0.0"] })
  }

  @Test func dashedCurves() throws {
    let calibration = try Sample.calibration(Sample.a, Sample.d65)
    let page = try page(calibration, .curve(try Self.curve()))
    let first = try #require(
      page.elements.firstIndex { $0.attributes["aria-label"]?.hasPrefix("Gains of red") ?? false })
    let chart = page.elements[first...]
    // Gains are spaced by their logarithms; the numbers are 4 units below their lines.
    let ticks = chart.prefix { $0.name != "figcaption" }.filter {
      $0.attributes["class"] == "small" && $0.attributes["text-anchor"] == "end"
    }.map { (log(Double($0.text) ?? .nan), (Double($0.attributes["y"] ?? "") ?? .nan) - 4) }
    let (low, high) = (try #require(ticks.first), try #require(ticks.last))
    for (name, start, end) in [("red", 0.9, 0.5), ("blue", 0.4, 0.7)] {
      let path = try #require(
        chart.first { $0.attributes["class"] == "curve other \(name)" }?.attributes["d"])
      let points = path.dropFirst().split(separator: "L").map { text in
        text.split(separator: " ").compactMap { Double($0) }
      }
      for (point, mired, ratio) in [
        (points[0], 400.0, start), (points[points.count - 1], 200, end),
      ] {
        #expect(abs(point[0] - (46 + (500 - mired) / 450 * 500)) < 0.011)
        let gain = low.0 + (point[1] - low.1) / (high.1 - low.1) * (high.0 - low.0)
        #expect(abs(gain - log(1 / ratio)) < 2e-4)
      }
    }
  }

  @Test func aHostileNameIsText() throws {
    let calibration = try Sample.calibration(Sample.a)
    let page = try page(calibration, .calibrated(calibration), named: "<script>&")
    #expect(page.texts("h2").contains("Compared with <script>&"))
    #expect(!page.elements.contains { $0.name == "script" })
  }

  @Test func nothingInCommon() throws {
    let curve = try CurveCameraModel(points: [
      .init(kelvin: 2100, red: 0.9, blue: 0.3), .init(kelvin: 2200, red: 0.8, blue: 0.4),
    ])
    let calibration = try Sample.calibration(Sample.a)
    #expect(GainComparison(of: calibration, with: .curve(curve), named: "x") == nil)
    let alone = try ParsedPage(CalibrationReport(calibration, heading: Sample.heading).html)
    #expect(alone.rows["comparison"] == nil)
    #expect(
      !alone.elements.contains { $0.attributes["class"]?.hasPrefix("curve other") ?? false })
  }
}
