import ColorScience
import Foundation
import Testing
import WhiteBalance

@testable import WbcalReports

/// Compares the page's numbers with values computed here from their definitions.
struct ResidualTableTests {
  @Test func everyNumberOfTheResiduals() throws {
    let samples = [Sample.a, Sample.d65, Sample.fl2, Sample.led]
    let calibration = try Sample.calibration(samples[0], samples[1], samples[2], samples[3])
    let page = try ParsedPage(CalibrationReport(calibration, heading: Sample.heading).html)
    let rows = try #require(page.rows["residuals"])
    #expect(rows.count == 4)
    let chromaticities = [
      (0.44758, 0.40745), (0.31272, 0.32903), (0.3721, 0.3751), (0.3756, 0.3723),
    ]
    for (index, row) in rows.enumerated() {
      let matrix = combined(
        calibration.model.matrixModel(for: calibration.shots[index].shot.knownClass))
      let (name, response, _) = samples[index]
      let (x, y) = chromaticities[index]
      try #require(row.count == 14)
      #expect(row[0] == name)
      try expect(row[1], x, decimals: 4)
      try expect(row[2], y, decimals: 4)
      let light = nearestBlackBody(x: x, y: y)
      try expect(row[3], 1e6 / light.mired, decimals: 0)
      try expect(row[4], 3000 * light.duv, decimals: 1, slack: 0.01)

      let predicted = product(matrix, [x / y, 1, (1 - x - y) / y])
      let measuredRed = response.y / response.x
      let measuredBlue = response.y / response.z
      let predictedRed = predicted[1] / predicted[0]
      let predictedBlue = predicted[1] / predicted[2]
      try expect(row[5], measuredRed, decimals: 4)
      try expect(row[6], predictedRed, decimals: 4)
      try expect(row[7], 100 * log(measuredRed / predictedRed), decimals: 2)
      let leftOut = try #require(calibration.shots[index].leaveOneOut)
      try expect(row[8], 100 * leftOut.red, decimals: 2)
      try expect(row[9], measuredBlue, decimals: 4)
      try expect(row[10], predictedBlue, decimals: 4)
      try expect(row[11], 100 * log(measuredBlue / predictedBlue), decimals: 2)

      try expect(row[12], 100 * leftOut.blue, decimals: 2)

      let xyz = solved(matrix, [response.x, response.y, response.z])
      let sum = xyz[0] + xyz[1] + xyz[2]
      let seen = nearestBlackBody(x: xyz[0] / sum, y: xyz[1] / sum)
      try expect(row[13], seen.mired - light.mired, decimals: 1, slack: 0.01)
    }
  }

  @Test func predictedGainsHaveTheSmallestOne() throws {
    let calibration = try Sample.calibration(Sample.a, Sample.d65)
    let page = try ParsedPage(CalibrationReport(calibration, heading: Sample.heading).html)
    let rows = try #require(page.rows["predictions"])
    #expect(rows.count == 18)
    // There is a shot under D65, but not under D50, whose gains are those of its spectrum.
    let camera = try #require(calibration.sensitivityEstimate)
    let d50 = try #require(camera.gains(under: StandardIlluminant.d50.spectrum))
    for (name, gains) in [
      ("D65", (0..<3).map { 1 / Sample.d65.1[$0] }),
      ("D50", [d50.gains.red, d50.gains.green, d50.gains.blue]),
    ] {
      let named = try #require(rows.first { $0[0] == name })
      for index in 0..<3 { try expect(named[3 + index], gains[index] / gains.min()!, decimals: 4) }
    }
    let row = try #require(rows.first { $0[0] == "D50" })
    try expectPercent(row[6], 100 * d50.covariance.standardErrors.red)
    try expectPercent(row[7], 100 * d50.covariance.standardErrors.blue)
    for row in rows {
      #expect(row[3...5].contains("1.0000"), "\(row)")
      #expect(row[3...5].allSatisfy { (Double($0) ?? 0) >= 1 }, "\(row)")
    }
    let fiveThousand = try #require(rows.first { $0[0] == "5000 K" })
    #expect(fiveThousand[1] == "5000" && fiveThousand[2] == "0.0")
  }

  @Test func theOnlyShotCannotBeLeftOut() throws {
    let calibration = try Sample.calibration(Sample.a)
    let page = try ParsedPage(CalibrationReport(calibration, heading: Sample.heading).html)
    let row = try #require(page.rows["residuals"]?.first)
    #expect(row[8] == "–" && row[12] == "–")
  }

  @Test func errorsOfEveryClass() throws {
    let calibration = try Sample.calibration(Sample.a, Sample.d65)
    let page = try ParsedPage(CalibrationReport(calibration, heading: Sample.heading).html)
    let rows = try #require(page.rows["errors"])
    let expected: [(LightClass, String, Double)] = [
      (.thermal, "2856K", 2856), (.daylight, "D65", 6504), (.led, "4000K", 4000),
      (.fluorescent, "4000K", 4000), (.other, "4000K", 4000),
    ]
    try #require(rows.count == expected.count)
    for (row, (lightClass, light, kelvin)) in zip(rows, expected) {
      try #require(row.count == 8)
      #expect(row[0] == lightClass.rawValue && row[1] == light)
      let camera = try #require(calibration.sensitivityEstimate)
      let lamps = StandardIlluminant.all.filter { Light($0).impliedClass == lightClass }
        .compactMap { camera.gains(under: $0.spectrum)?.covariance }
      #expect(lamps.count > 0)
      for (column, sum) in [
        (2, lamps.reduce(0) { $0 + $1.red }), (3, lamps.reduce(0) { $0 + $1.blue }),
      ] {
        try expectPercent(row[column], 100 * (sum / Double(lamps.count)).squareRoot())
      }
      // Only the temperature of a light counts.
      let black = Chromaticity(SpectralDistribution.planckian(kelvin: kelvin).xyz)
      for (column, known) in [(4, lightClass), (6, nil)] {
        let error = try #require(
          calibration.uncertainty.covariance(at: black, lightClass: known))
        try expectPercent(row[column], 100 * error.red.squareRoot())
        try expectPercent(row[column + 1], 100 * error.blue.squareRoot())
      }
    }
    #expect(rows[0][4] != rows[0][6])
  }

  private func expectPercent(_ text: String, _ value: Double) throws {
    #expect(text.hasSuffix(" %"))
    try expect(String(text.dropLast(2)), value, decimals: 1, slack: 0.01)
  }

  @Test func theMatrixCanBeCopied() throws {
    let calibration = try Sample.calibration(Sample.a, Sample.d65)
    let page = try ParsedPage(CalibrationReport(calibration, heading: Sample.heading).html)
    let rows = try #require(page.rows["matrix"])
    try #require(rows.count == 18)
    let models =
      [calibration.model.general] + LightClass.allCases.map(calibration.model.matrixModel)
    for (index, row) in rows.enumerated() {
      let printed = row.dropFirst().map { Double($0) ?? .nan }
      let model = models[index / 3]
      let expected = model.matrix.rows[index % 3]
      for column in 0..<3 { #expect(abs(printed[column] - expected[column]) <= 5.1e-7) }
      #expect(abs(printed[3] - model.unitCalibration.vector[index % 3]) <= 5.1e-7)
    }
  }

  /// The class and the source are below the light's name.
  @Test func classAndSource() throws {
    let page = try ParsedPage(
      CalibrationReport(try Sample.calibration(Sample.a, Sample.fl2), heading: Sample.heading).html)
    #expect(page.texts("small") == ["a.dng", "fluorescent · fl2.dng"])
  }
}
