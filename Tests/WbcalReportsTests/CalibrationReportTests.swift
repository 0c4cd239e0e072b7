import ColorScience
import Testing
import WhiteBalance

@testable import WbcalReports

struct CalibrationReportTests {
  private func report(
    _ calibration: Calibration, _ heading: CalibrationReport.Heading = Sample.heading
  ) -> CalibrationReport {
    CalibrationReport(calibration, heading: heading)
  }

  @Test func sameInputSameBytes() throws {
    let first = report(try Sample.calibration(Sample.a, Sample.d65)).html
    let second = report(try Sample.calibration(Sample.a, Sample.d65)).html
    #expect(Array(first.utf8) == Array(second.utf8))
    var heading = Sample.heading
    heading.created = "2026-03-14 09:27 UTC"
    let third = report(try Sample.calibration(Sample.a, Sample.d65), heading).html
    #expect(first != third)
    #expect(third.replacing("09:27", with: "09:26") == first)
  }

  @Test func isSelfContained() throws {
    let html = report(try Sample.calibration(Sample.a, Sample.d65, Sample.fl2, Sample.led)).html
    for reference in [
      "http", "<script", "<link", "<img", "@import", "src=", "href=", "javascript:",
    ] {
      #expect(!html.contains(reference), "\(reference)")
    }
    // All references are within the page.
    let page = try ParsedPage(html)
    let ids = page.elements.compactMap { $0.attributes["id"] }
    #expect(Set(ids).count == ids.count)
    var references = 0
    for element in page.elements {
      for key in ["clip-path", "filter"] {
        guard let value = element.attributes[key] else { continue }
        #expect(ids.contains { value == "url(#\($0))" }, "\(value)")
        references += 1
      }
    }
    #expect(references >= 8)
    #expect(html.utf8.count < 150_000)
  }

  @Test func namesTheEvidence() throws {
    let one = try ParsedPage(report(try Sample.calibration(Sample.a)).html)
    let oneLine = try #require(one.texts("p", class: "headline").first)
    #expect(oneLine.hasPrefix("Fitted to one gray-card shot under A."))
    let four = try Sample.calibration(Sample.a, Sample.d65, Sample.fl2, Sample.led)
    let page = try ParsedPage(report(four).html)
    let line = try #require(page.texts("p", class: "headline").first)
    #expect(line.hasPrefix("Fitted to 4 gray-card shots under A, D65, FL2 and LED-B3."))
    // A shot is not doubted because of the residual of its class, but because of the prediction
    // from the other shots.
    let worst = try #require(four.shots.max { ($0.surprise ?? 0) < ($1.surprise ?? 0) })
    let miss = fixed(100 * (worst.leaveOneOut?.magnitude ?? 0), decimals: 1)
    #expect(line.contains("Each agrees with the others’ prediction"))
    #expect(line.hasSuffix("is \(worst.shot.light.name), off by \(miss)\u{A0}%."))
    #expect(page.texts("h1") == ["Canon EOS 5D"])
    #expect(page.texts("dt") == ["red_balance", "blue_balance"])
    let sources = page.texts("p").last ?? ""
    #expect(sources.contains("CIE 015:2018") && sources.contains("CIE 1931"))
  }

  @Test func withoutADeviceThereIsStillATitle() throws {
    var heading = Sample.heading
    heading.device = nil
    heading.notes = []
    let page = try ParsedPage(report(try Sample.calibration(Sample.a), heading).html)
    #expect(page.texts("h1") == ["Camera calibration"])
    #expect(page.texts("dt").isEmpty && page.texts("dl").isEmpty)
  }

  @Test func hostileNamesAreText() throws {
    let hostile = "<script>alert(\"1\")</script> & 'x' ]]> \u{1B}[2J\u{0}"
    let shown = "<script>alert(\"1\")</script> & 'x' ]]> \u{FFFD}[2J\u{FFFD}"
    let white = Chromaticity(x: 0.3127, y: 0.3290)
    let calibration = try Calibration(fitting: [
      CalibrationShot(
        light: Light(name: hostile, chromaticity: white), response: LinearRGB(Sample.d65.1),
        source: hostile)
    ])
    let heading = CalibrationReport.Heading(
      device: hostile, created: hostile, program: hostile, profile: hostile,
      notes: [(hostile, hostile)])
    let html = report(calibration, heading).html
    #expect(!html.contains("<script"))
    let page = try ParsedPage(html)
    #expect(!page.elements.contains { $0.name == "script" })
    for (element, count) in [("h1", 1), ("dt", 1), ("dd", 1), ("small", 1)] {
      #expect(page.texts(element) == Array(repeating: shown, count: count), "\(element)")
    }
    #expect(page.rows["residuals"]?.first?.first == shown)
    // In the drawings a name is shortened as a label, and whole in the text that appears under the
    // pointer.
    let labels = page.texts("text", class: "name")
    #expect(labels == Array(repeating: "<script>alert(\"1\")<…", count: 4))
    let titles = page.texts("title").dropFirst().filter { !["A", "D50", "D65"].contains($0) }
    #expect(titles.count == 4 && titles.allSatisfy { $0.hasPrefix(shown) })
  }

  @Test func marksOfTheShots() throws {
    let calibration = try Sample.calibration(Sample.a, Sample.d65, Sample.fl2, Sample.led)
    let page = try ParsedPage(report(calibration).html)
    // There are two diagrams of four shots, and one sample.
    let seen = page.elements.filter { $0.attributes["class"] == "seen" }
    #expect(seen.count == 9)
    let measured = page.elements.filter {
      $0.attributes["class"]?.hasPrefix("measured") ?? false
    }
    // There are two gains and one pair of ratios for each of four shots, and two samples.
    #expect(measured.count == 14)
    for name in ["A", "D65", "FL2", "LED-B3"] {
      #expect(page.texts("text", class: "name").filter { $0 == name }.count == 4, "\(name)")
    }
    // D65 is in the white region: 500 units for 0.35 of x from 46, 380 for 0.266 of y up from 390.
    let cross = page.elements.filter { $0.attributes["class"] == "cross" }
    let x = 46 + (0.31272 - 0.225) / 0.35 * 500
    let found = cross.contains { element in
      guard let x1 = Double(element.attributes["x1"] ?? ""),
        let x2 = Double(element.attributes["x2"] ?? "")
      else { return false }
      return abs((x1 + x2) / 2 - x) < 0.011 && abs(x2 - x1 - 12) < 0.011
    }
    #expect(found)
  }

  /// 1900 K is too warm for the chart of gains, and the other light is too blue for the white
  /// region.
  @Test(arguments: ["1900K", "xy:0.22,0.24"])
  func aLightOutsideAChartIsLeftToTheTable(name: String) throws {
    let model = try Sample.calibration(Sample.a, Sample.d65).model
    let light = try Light(named: name)
    let response = try #require(model.response(to: light.chromaticity, lightClass: nil))
    let calibration = try Calibration(fitting: [CalibrationShot(light: light, response: response)])
    let page = try ParsedPage(report(calibration).html)
    #expect(page.rows["residuals"]?.first?.first == name)
    let left = page.texts("p").filter { $0.contains("no room here for \(name)") }.count
    #expect(left > 0)
    #expect(page.texts("text", class: "name") == Array(repeating: name, count: 4 - left))
  }

  @Test func temperaturesThatAreNotCorrelatedAreMarked() throws {
    let model = try Sample.calibration(Sample.a, Sample.d65).model
    let light = try Light(named: "5000K/-0.06")
    let response = try #require(model.response(to: light.chromaticity, lightClass: nil))
    let calibration = try Calibration(fitting: [CalibrationShot(light: light, response: response)])
    let page = try ParsedPage(report(calibration).html)
    #expect(page.rows["residuals"]?.first?[3] == "(5000)")
    #expect(page.rows["residuals"]?.first?[4] == "−180.0")
    #expect(page.texts("p").contains { $0.contains("in parentheses") })
    let usual = try ParsedPage(report(try Sample.calibration(Sample.a)).html)
    #expect(!usual.texts("p").contains { $0.contains("in parentheses") })
  }

  @Test func noNumberIsMissing() throws {
    let html = report(try Sample.calibration(Sample.a, Sample.d65, Sample.fl2, Sample.led)).html
    let words = Set(html.split { !$0.isLetter && $0 != "(" })
    for word in ["nan", "inf", "NaN", "Infinity", "Optional("] {
      #expect(!words.contains(Substring(word)), "\(word)")
    }
  }
}
