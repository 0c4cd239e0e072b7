import Foundation
import Testing

struct ReportTests {
  private let bench: Workbench

  init() async throws {
    bench = try Workbench()
    try await bench.makeProfile()
  }

  /// Returns the text of the cells in a row of a table.
  private func cells(_ page: String, table: String, row: String) throws -> [String] {
    let start = try #require(page.range(of: "<table id=\"\(table)\""))
    let rest = page[start.upperBound...]
    let line = try #require(
      rest.split(separator: "\n").first { $0.contains("class=\"text\">\(row)</th>") })
    return line.split(separator: "</td>").dropLast().compactMap {
      $0.split(separator: ">", omittingEmptySubsequences: false).last.map(String.init)
    }
  }

  @Test func aloneItComparesNothing() async throws {
    let outcome = try await bench.run("report", "desk.json", "-o", "page.html")
    outcome.expect(0)
    #expect(outcome.output == "wrote page.html\n")
    let page = try bench.read("page.html")
    #expect(page.contains("id=\"errors\"") && !page.contains("id=\"comparison\""))
  }

  /// The table contains the numbers of `profile compare`.
  @Test func comparesWithCamerasOfEveryKind() async throws {
    try await bench.run(
      "calibrate", "--shot", "rgb:0.75,1,0.42@A", "--shot", "rgb:0.41,1,0.80@D65", "-o",
      "window.json"
    ).expect(0)
    try await bench.run(
      "profile", "export", "window.json", "--dcp", "window.dcp", "--camera", "Desk"
    )
    .expect(0)
    for (other, name) in [
      ("window.json", "window.json"), ("./window.dcp", "window.dcp"),
      ("libcamera:pisp/imx219", "libcamera:pisp/imx219"),
    ] {
      try await bench.run("report", "desk.json", "--compare", other, "-o", "page.html").expect(0)
      let page = try bench.read("page.html")
      #expect(page.contains("<h2>Compared with \(name)</h2>"))
      #expect(page.contains("class=\"curve other red\""))
      let row = try cells(page, table: "comparison", row: "D65")
      let compared = try await bench.run(
        "profile", "compare", "desk.json", other, "--light", "D65")
      let percents = try #require(compared.output.split(separator: "\n").dropFirst().first)
        .split(separator: " ").dropFirst().map(String.init)
      let printed = row.prefix(2).map {
        $0.replacingOccurrences(of: "−", with: "-").replacingOccurrences(of: "+", with: "")
      }
      #expect(printed == percents, "\(other)")
    }
  }

  @Test func theOtherMustBeACamera() async throws {
    func compare(_ other: String) async throws -> Workbench.Outcome {
      try await bench.run("report", "desk.json", "--compare", other, "-o", "page.html")
    }
    try await compare("missing.json").expect(66, errors: "missing.json")
    try await compare("libcamera:imx999").expect(66, errors: "there is no tuning 'imx999'")
    try bench.write("other.json", #"{"format": "other"}"#)
    try await compare("other.json").expect(65, errors: "its format is 'other'")
    try bench.write("empty.dcp", "")
    try await compare("empty.dcp").expect(65, errors: "cannot use empty.dcp")
    try bench.write("warm.json", #"{"rpi.awb": {"ct_curve": [2100, 0.9, 0.3, 2200, 0.8, 0.4]}}"#)
    try await compare("libcamera:warm.json").expect(
      65, errors: "desk.json and libcamera:warm.json have no common light with gains")
    #expect(try !bench.files().contains("page.html"))
  }

  @Test func anInputIsNotWrittenOver() async throws {
    try await bench.makeProfile("window.json")
    let before = try bench.read("window.json")
    try await bench.run("report", "desk.json", "--compare", "window.json", "-o", "window.json")
      .expect(
        64, errors: "window.json is also an input")
    try bench.write("pi.json", #"{"rpi.awb": {"ct_curve": [2500, 0.9, 0.4, 8000, 0.4, 0.8]}}"#)
    try await bench.run("report", "desk.json", "--compare", "libcamera:pi.json", "-o", "pi.json")
      .expect(
        64, errors: "pi.json is also an input")
    #expect(try bench.read("window.json") == before)
  }

  /// Only a calibration has shots to report; any camera can be compared with it.
  @Test func theFirstMustBeCalibrated() async throws {
    try await bench.run("profile", "import", "libcamera:imx219", "-o", "pi.json").expect(0)
    try await bench.run("report", "pi.json", "--compare", "desk.json", "-o", "page.html").expect(
      65, errors: "no shots to report")
    try await bench.run("report", "desk.json", "--compare", "pi.json", "-o", "page.html").expect(0)
  }
}
