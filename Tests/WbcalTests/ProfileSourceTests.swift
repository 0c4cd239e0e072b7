import ColorScience
import Foundation
import SimulatedScenes
import Testing
import WhiteBalance

/// All commands accept the same forms of a profile's source.
struct ProfileSourceTests {
  private let bench: Workbench
  private static let rows = "4600\n"

  init() async throws {
    bench = try Workbench()
    try await bench.makeProfile()
    try await bench.run(
      "profile", "export", "desk.json", "--dcp", "desk.dcp", "--camera", "Desk", "--libcamera",
      "desk-tuning.json"
    ).expect(0)
    for platform in ["softisp", "rkisp1"] {
      try await bench.run(
        "profile", "export", "desk.json", "--libcamera", "\(platform).yaml", "--platform", platform
      ).expect(0)
    }
    try FileManager.default.copyItem(
      atPath: bench.folder.appending(path: "desk.dcp").path,
      toPath: bench.folder.appending(path: "renamed.profile").path)
    try FileManager.default.copyItem(
      atPath: bench.folder.appending(path: "rkisp1.yaml").path,
      toPath: bench.folder.appending(path: "renamed.txt").path)
  }

  private static let sources = [
    "desk.json", "desk.dcp", "desk-tuning.json", "libcamera:desk-tuning.json", "softisp.yaml",
    "rkisp1.yaml", "libcamera:rkisp1.yaml", "libcamera:imx219", "libcamera:pisp/imx708",
    "renamed.profile", "renamed.txt", Workbench.dng,
  ]

  @Test func everyCommandTakesEverySource() async throws {
    let raw = Workbench.dng
    for source in Self.sources {
      for command in [
        ["convert", "--from", "cct", "--to", "gains", "--profile", source, "4600"],
        ["estimate", raw, "--region", "796,908,36,36", "--any-camera", "--profile", source],
        ["set", "--device", Workbench.camera, "--profile", source, "--gains", "1.4,1,1.6"],
        ["gray", "--device", Workbench.camera, "--profile", source, "--json"],
        ["verify", "--device", Workbench.camera, "--profile", source],
        ["watch", "--device", Workbench.camera, "--profile", source, "--seconds", "0.01"],
        ["exposure", "--device", "simulated:size=96x64,shutter=absolute", "--profile", source],
        ["profile", "show", source], ["profile", "compare", source, "desk.json"],
        ["profile", "export", source, "--libcamera", "-"],
        ["report", "desk.json", "--compare", source, "-o", "page.html"],
      ] {
        try await bench.run(command).expect(0)
      }
    }
    // It has no shots to report, and a message states that it was imported.
    for source in Self.sources.dropFirst() {
      try await bench.run("report", source, "-o", "page.html").expect(
        65, errors: "\(source) was imported, and contains no shots to report")
      try await bench.run("calibrate", "--profile", source, "--add", "rgb:0.5,1,0.5@A").expect(
        65, errors: "\(source) was imported, and contains no shots to add to")
    }
  }

  /// The exported gains are the same when they are read back, in each format.
  @Test func exportsAreReadBack() async throws {
    func gains(_ source: String) async throws -> [Double] {
      let outcome = try await bench.run(
        "convert", "--from", "cct", "--to", "gains", "--profile", source, "3000", "2700", "3600")
      outcome.expect(0)
      return outcome.output.split(separator: "\n").dropFirst().flatMap {
        $0.split(separator: ",").compactMap { Double($0) }
      }
    }
    let own = try await gains("desk-tuning.json")
    #expect(own.count == 9)
    for yaml in ["softisp.yaml", "rkisp1.yaml"] {
      // YAML has six digits.
      for (one, other) in zip(try await gains(yaml), own) { #expect(abs(one / other - 1) < 1e-5) }
    }
  }

  /// The matrices for surfaces and the tables of a DNG profile are not used, and a message says so.
  @Test func whatADNGProfileHasBesides() async throws {
    let plain = try await bench.run("profile", "show", "desk.json")
    plain.expect(0)
    #expect(!plain.output.contains("Ignored"))
    // A chart adds matrices and tables for surfaces to the exported profile.
    let camera = MeasuredSensor.all[8]
    let light = try #require(MeasuredLamp(named: "D65")).spectrum
    let rows = camera.responses(to: ColorChart.classicFrom2014, under: light).map {
      "\($0.red),\($0.green),\($0.blue)"
    }
    try bench.write("chart.csv", (["r,g,b"] + rows).joined(separator: "\n") + "\n")
    try await bench.run("calibrate", "--chart", "chart.csv@D65", "-o", "chart.json").expect(0)
    try await bench.run("profile", "export", "chart.json", "--dcp", "chart.dcp", "--camera", "Desk")
      .expect(0)
    let sentence = "Ignored in chart.dcp: ForwardMatrix1, ForwardMatrix2, ProfileHueSatMapData1"
    let text = try await bench.run("profile", "show", "chart.dcp")
    text.expect(0)
    #expect(text.output.contains(sentence) && text.errors.isEmpty, "\(text.output)")
    try await bench.run("profile", "show", "chart.dcp", "--json").expect(0, errors: sentence)
  }

  /// A source that cannot be used is refused with a message that states what it is.
  @Test func trueReasons() throws {
    func expect(_ source: String, _ status: Int32, _ reasons: String...) throws {
      for command in [
        ["convert", "--from", "cct", "--to", "gains", "5000", "--profile"], ["profile", "show"],
        ["set", "--device", Workbench.camera, "--temperature", "5000", "--profile"],
      ] {
        let outcome = try bench.runProcess(command + [source])
        outcome.expect(status)
        for reason in reasons { #expect(outcome.errors.contains(reason), "\(outcome.errors)") }
        #expect(!outcome.errors.contains("calibrate again") || reasons.contains("calibrate again"))
      }
    }
    try bench.writeCard("card.ppm", 1, 2, 3)
    try expect("card.ppm", 65, "not a profile of this program, a .dcp or .dng file")
    try bench.write(
      "plain.yaml", "# Comment\n%YAML 1.1\n---\nversion: 1\nalgorithms:\n  - Agc:\n  - Awb:\n...\n")
    try expect("plain.yaml", 65, "it has no algorithm 'Awb' with 'colourGains'")
    try bench.write("bad.yaml", "version: 1\nalgorithms:\n  - Awb:\n      colourGains: [ { ct: 1\n")
    try expect("bad.yaml", 65, "it cannot be read as YAML: line 4")
    try bench.write("half.json", String(try bench.read("desk.json").prefix(300)))
    try expect("half.json", 65, "it is not valid JSON", "calibrate again")
    try bench.write("half-tuning.json", String(try bench.read("desk-tuning.json").dropLast(9)))
    try expect("half-tuning.json", 65, "cannot use tuning half-tuning.json: it is not JSON")
    try expect("missing.dcp", 66, "missing.dcp")
    try expect("libcamera:imx999", 66, "there is no tuning 'imx999'")
    let dcp = try Data(contentsOf: bench.folder.appending(path: "desk.dcp"))
    try dcp.prefix(40).write(to: bench.folder.appending(path: "short.dcp"))
    try expect("short.dcp", 65, "cannot use short.dcp")
  }
}
