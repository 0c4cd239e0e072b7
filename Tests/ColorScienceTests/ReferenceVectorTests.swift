import ColorScience
import Testing

/// Tests against exact values computed in 200-bit arithmetic, independently of this package.
struct ReferenceVectorTests {
  static let constants: [(RadiationConstant, String)] = [(.cie, "its90"), (.codata2018, "codata")]

  @Test(arguments: constants)
  func temperatureAndDuvOfChromaticity(constant: RadiationConstant, suffix: String) throws {
    let locus = PlanckianLocus(constant: constant)
    var worst = (kelvin: 0.0, duv: 0.0)
    let rows = try ReferenceTable("inverse.csv").rows
    try #require(rows.count == 1772)
    for row in rows {
      let found = try #require(
        CorrelatedColorTemperature(
          Chromaticity(x: try row.number("x"), y: try row.number("y")), on: locus))
      let duv = try row.number("Duv")
      if abs(duv) > 1e-9 { #expect((found.duv > 0) == (duv > 0), "sign of Duv, row \(row["id"]!)") }
      worst.duv = max(worst.duv, abs(found.duv - duv))
      worst.kelvin = max(worst.kelvin, abs(found.kelvin - (try row.number("CCT_\(suffix)"))))
      #expect(locus.contains(found))
    }
    #expect(worst.kelvin <= 1e-7)
    #expect(worst.duv <= 1e-13)
  }

  @Test func chromaticityOfTemperatureAndDuv() throws {
    for row in try ReferenceTable("inverse.csv").rows {
      let input = CorrelatedColorTemperature(
        kelvin: try row.number("T_in"), duv: try row.number("Duv_in"))
      for (constant, suffix) in [(RadiationConstant.codata2018, ""), (.cie, "_its90")] {
        let found = Chromaticity(input, on: PlanckianLocus(constant: constant))
        #expect(abs(found.x - (try row.number("fwd_x\(suffix)"))) <= 1e-15)
        #expect(abs(found.y - (try row.number("fwd_y\(suffix)"))) <= 1e-15)
      }
    }
  }

  @Test(arguments: constants)
  func locus(constant: RadiationConstant, suffix: String) throws {
    let locus = PlanckianLocus(constant: constant)
    for row in try ReferenceTable("locus.csv").rows {
      let kelvin = try row.number("T")
      let point = Chromaticity(CorrelatedColorTemperature(kelvin: kelvin, duv: 0), on: locus)
      // 500 K of the other constant lies slightly beyond the end, on the tangent.
      let tolerance = locus.physicalRange.contains(1e6 / kelvin) ? 1e-14 : 1e-9
      #expect(abs(point.x - (try row.number("x_\(suffix)"))) <= tolerance, "\(kelvin) K")
      #expect(abs(point.y - (try row.number("y_\(suffix)"))) <= tolerance, "\(kelvin) K")
    }
  }

  @Test func infiniteTemperature() throws {
    let point = Chromaticity(CorrelatedColorTemperature(mired: 0, duv: 0))
    #expect(abs(point.x - 0.239876965952409392) <= 1e-15)
    #expect(abs(point.y - 0.234037314921174155) <= 1e-15)
    let found = try #require(CorrelatedColorTemperature(point))
    #expect(abs(found.mired) <= 1e-11)
    #expect(abs(found.duv) <= 1e-15)
  }

  @Test func extremePoints() throws {
    var interior = 0
    var beyond = 0
    for row in try ReferenceTable("crazy.csv").rows {
      let point = Chromaticity(x: try row.number("x"), y: try row.number("y"))
      guard let found = CorrelatedColorTemperature(point) else {
        #expect(row["u"] == "undefined", "no answer at \(point)")
        continue
      }
      let back = Chromaticity(found)
      // u, v compress the far plane into a line, so that errors at such distances are checked in u,
      // v.
      let (there, here) = (UCS1960(back), UCS1960(point))
      #expect(abs(there.u - here.u) <= 1e-13, "\(row["name"]!) \(point)")
      #expect(abs(there.v - here.v) <= 1e-13, "\(row["name"]!) \(point)")
      if max(abs(point.x), abs(point.y)) < 10 {
        #expect(abs(back.x - point.x) <= 1e-13, "\(row["name"]!) \(point)")
        #expect(abs(back.y - point.y) <= 1e-13, "\(row["name"]!) \(point)")
      }
      switch row["kind_500_inf"] {
      case "interior" where row["n_minima"] == "1":
        interior += 1
        let codata = try #require(
          CorrelatedColorTemperature(point, on: PlanckianLocus(constant: .codata2018)))
        let kelvin = try row.number("CCT_500_inf")
        #expect(abs(found.duv - (try row.number("Duv_500_inf"))) <= 1e-12, "\(row["name"]!)")
        // Even with twenty printed digits the chromaticity of infinite temperature gives a finite
        // one.
        if kelvin < 1e9 {
          #expect(PlanckianLocus().contains(found), "\(row["name"]!)")
          #expect(abs(codata.kelvin / kelvin - 1) <= 1e-9, "\(row["name"]!)")
        } else {
          #expect(abs(codata.mired) < 1e-9, "\(row["name"]!)")
        }
      case "Tmax_end", "Tmin_end":
        beyond += 1
        #expect(!PlanckianLocus().contains(found), "\(row["name"]!) \(point) \(found)")
      default: break
      }
    }
    #expect(interior >= 20)
    #expect(beyond >= 10)
  }

  /// Points with mired and Duv, as published with the definition of the tangents.
  @Test(arguments: [
    (0.23, 0.22, -38.5, 0.00033), (0.10, 0.30, -45.2, 0.1184), (0.25, 0.20, -53.0, -0.0277),
    (0.22, 0.21, -71.1, 0.0030), (0.20, 0.20, -117.8, 0.0139), (0.15, 0.06, -661.0, -0.0329),
    (0.0366, 0.0001, -1223.4, 0.0641), (0, 0, -1274.7, 0.1126), (0.7347, 0.2653, 2504.1, -0.00001),
    (0.7, 0.1, 8129.2, -0.0855), (0.3, 0.12, -181.6, -0.1467),
  ])
  func tangents(x: Double, y: Double, mired: Double, duv: Double) throws {
    let found = try #require(CorrelatedColorTemperature(Chromaticity(x: x, y: y)))
    #expect(abs(found.mired - mired) <= 0.06)
    #expect(abs(found.duv - duv) <= 6e-5)
    #expect(!PlanckianLocus().contains(found))
  }

  @Test(arguments: [-1e-9, 0, 1e-9, 2000 - 1e-9, 2000, 2000 + 1e-9])
  func noSeam(mired: Double) throws {
    for duv in [-0.05, 0, 0.05] {
      let input = CorrelatedColorTemperature(mired: mired, duv: duv)
      let found = try #require(CorrelatedColorTemperature(Chromaticity(input)))
      #expect(abs(found.mired - mired) <= 1e-10)
      #expect(abs(found.duv - duv) <= 1e-14)
    }
  }

  @Test func theConstantOnlyRescales() throws {
    let ratio = RadiationConstant.codata2018.meterKelvin / RadiationConstant.cie.meterKelvin
    for point in [(0.31, 0.33), (0.2, 0.2), (0.72, 0.28), (0.735, 0.265)] {
      let xy = Chromaticity(x: point.0, y: point.1)
      let cie = try #require(CorrelatedColorTemperature(xy))
      let codata = try #require(
        CorrelatedColorTemperature(xy, on: PlanckianLocus(constant: .codata2018)))
      #expect(codata.duv == cie.duv)
      #expect(abs(codata.mired * ratio / cie.mired - 1) <= 1e-15)
    }
  }

  @Test(arguments: [
    Chromaticity(x: .nan, y: 0.3), Chromaticity(x: 0.3, y: .nan),
    Chromaticity(x: .infinity, y: 0.3),
    Chromaticity(x: 0.3, y: -.infinity), Chromaticity(x: 1.5, y: 0),
    Chromaticity(x: 0.3, y: -0.2),
  ])
  func noAnswer(point: Chromaticity) {
    #expect(CorrelatedColorTemperature(point) == nil)
    #expect(TemperatureAndTint(point) == nil)
  }

  @Test func nanStaysNaN() {
    #expect(Chromaticity(TemperatureAndTint(temperature: .nan, tint: 0)).x.isNaN)
    #expect(Chromaticity(TemperatureAndTint(temperature: 5000, tint: .nan)).y.isNaN)
  }

  @Test func tintIsThreeThousandDuvAndGreenIsPositive() throws {
    let greener = Chromaticity(x: 0.3457, y: 0.3787)
    let light = try #require(TemperatureAndTint(greener))
    let plain = try #require(CorrelatedColorTemperature(greener))
    #expect(light.tint > 0)
    #expect(light.tint == 3000 * plain.duv)
    #expect(light.temperature == plain.kelvin)
    #expect(CorrelatedColorTemperature(light).duv == light.tint / 3000)
  }

  @Test func daylightLocus() throws {
    var rows = 0
    for row in try ReferenceTable("illuminants.csv").rows {
      guard let name = row["name"], name.hasPrefix("CIE D locus "),
        let kelvin = Double(name.dropFirst(12))
      else { continue }
      rows += 1
      let point = try #require(DaylightLocus.chromaticity(kelvin: kelvin))
      #expect(abs(point.x - (try row.number("x"))) <= 1e-15)
      #expect(abs(point.y - (try row.number("y"))) <= 1e-15)
    }
    #expect(rows == 11)
    for kelvin in [3999.9, 25_000.1, .nan] {
      #expect(DaylightLocus.chromaticity(kelvin: kelvin) == nil)
    }
  }
}
