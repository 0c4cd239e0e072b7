import Foundation
import Testing

struct ProfileTests {
  private let bench: Workbench

  init() throws { bench = try Workbench() }

  private func object(_ text: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  private static let tuning =
    #"{"version": 2.0, "algorithms": [{"rpi.awb": {"transverse_pos": 0.05, "ct_curve": "#
    + "[2500, 0.9, 0.4, 5000, 0.5, 0.7, 8000, 0.4, 0.8, ]}}]}"

  @Test func showsAProfile() async throws {
    try await bench.makeProfile()
    let outcome = try await bench.run(
      "profile", "show", "desk.json", "--light", "A", "--light", "D65")
    outcome.expect(0)
    let lines = outcome.output.split(separator: "\n")
    try #require(lines.count == 8)
    #expect(
      lines[0] == "desk.json: calibrated from 2 shots, one matrix for each class of light")
    #expect(lines[2].split(separator: " ").prefix(3) == ["shot", "red", "residual"])
    #expect(lines[3].hasPrefix("A   ") && lines[3].split(separator: " ").count == 5)
    #expect(lines[5].split(separator: " ") == ["light", "red", "green", "blue"])
    // About the gains of the shots, 1/0.429 and 1/0.781.
    let d65 = lines[7].split(separator: " ").compactMap { Double($0) }
    #expect(abs(d65[0] * 0.429 - 1) < 0.02 && d65[1] == 1 && abs(d65[2] * 0.781 - 1) < 0.02)
  }

  @Test func showsAProfileAsJSON() async throws {
    try await bench.makeProfile()
    let outcome = try await bench.run("profile", "show", "desk.json", "--json")
    outcome.expect(0)
    let record = try object(outcome.output)
    #expect(record["source"] as? String == "desk.json")
    #expect((record["created"] as? String)?.hasSuffix("Z") == true)
    let shots = try #require(record["shots"] as? [[String: Any]])
    #expect(shots.map { $0["light"] as? String } == ["A", "D65"])
    #expect(abs(try #require(shots[0]["red"] as? Double)) < 5)
    #expect((record["gains"] as? [Any])?.count == 6)
  }

  /// The gains in libcamera's own file at one of its points.
  @Test func showsAShippedTuning() async throws {
    let outcome = try await bench.run(
      "profile", "show", "libcamera:imx219", "--light", "4600K", "--light", "2000K")
    outcome.expect(0)
    #expect(
      outcome.output.hasPrefix(
        "libcamera:imx219: a curve of 7 points from 2498 to 8575 K, without tint\n"))
    #expect(
      outcome.output.hasSuffix(
        """
        light     red   green    blue
        4600K  1.6450  1.0000  1.4879
        2000K       –       –       –

        """))
    let json = try await bench.run(
      "profile", "show", "libcamera:imx219", "--json", "--light", "2000K")
    let rows = try #require(try object(json.output)["gains"] as? [[String: Any]])
    #expect(rows.count == 1 && rows[0]["gains"] == nil && rows[0]["light"] as? String == "2000K")
  }

  @Test func importsAndUsesATuning() async throws {
    try bench.write("tuning.json", Self.tuning)
    for source in ["tuning.json", "libcamera:tuning.json"] {
      let outcome = try await bench.run("profile", "import", source, "-o", "pi.json")
      outcome.expect(0)
      #expect(outcome.output == "saved pi.json\n" && outcome.errors.isEmpty)
      let shown = try await bench.run("profile", "show", "pi.json", "--light", "5000K")
      shown.expect(0)
      #expect(shown.output.contains("5000K  2.0000  1.0000  1.4286"))
    }
    let same = try await bench.run(
      "profile", "compare", "pi.json", "libcamera:tuning.json", "--json")
    same.expect(0)
    #expect(try object(same.output)["largest"] as? Double == 0)
  }

  @Test func importsAShippedTuning() async throws {
    let outcome = try await bench.run("profile", "import", "libcamera:imx219", "-o", "-")
    outcome.expect(0)
    #expect(outcome.errors.contains("libcamera:pisp/imx219"))
    let record = try object(outcome.output)
    #expect(record["format"] as? String == "wbcal-profile")
    #expect((record["curve"] as? [[Double]])?[4] == [4600, 0.6079, 0.6721])
    // There is no remark if nothing can be confused.
    let other = try await bench.run("profile", "import", "libcamera:pisp/imx219", "-o", "-")
    other.expect(0)
    #expect(other.errors.isEmpty)
    #expect((try object(other.output)["curve"] as? [[Double]])?.count == 6)
  }

  @Test func listsTheTunings() async throws {
    let outcome = try await bench.run("profile", "import", "--list")
    outcome.expect(0)
    let names = outcome.output.split(separator: "\n")
    #expect(names.count == 49)
    #expect(names.first == "libcamera:vc4/imx219")
  }

  @Test func exportsATuning() async throws {
    try await bench.makeProfile()
    try await bench.run("profile", "export", "desk.json", "--libcamera", "out.json").expect(0)
    let file = try object(try bench.read("out.json"))
    #expect(file["target"] as? String == "bcm2835")
    // The same camera, except for the straight lines between the temperatures.
    let difference = try await bench.run(
      "profile", "compare", "desk.json", "libcamera:out.json", "--light", "3000K", "--light",
      "3150K", "--json")
    difference.expect(0)
    let rows = try #require(try object(difference.output)["lights"] as? [[String: Any]])
    #expect(abs(try #require(rows[0]["red"] as? Double)) < 1e-9)
    #expect(abs(try #require(rows[1]["blue"] as? Double)) < 0.5)
  }

  @Test func aTuningKeepsItsWidths() async throws {
    try bench.write("tuning.json", Self.tuning)
    let outcome = try await bench.run(
      "profile", "export", "libcamera:tuning.json", "--libcamera", "-", "--platform", "pisp")
    outcome.expect(0)
    #expect(try object(outcome.output)["target"] as? String == "pisp")
    #expect(outcome.output.contains(#""transverse_pos" : 0.05"#))
  }

  @Test func exportsAnICCProfile() async throws {
    try await bench.makeProfile()
    let outcome = try await bench.run(
      "profile", "export", "desk.json", "--icc", "desk.icc", "--light", "D65", "--libcamera",
      "out.json")
    outcome.expect(0)
    #expect(outcome.output == "wrote desk.icc\nwrote out.json\n")
    let data = try Data(contentsOf: bench.folder.appending(path: "desk.icc"))
    #expect(String(decoding: data[12..<24], as: UTF8.self) == "scnrRGB XYZ ")
    let name = "desk.json under D65".flatMap { "\0\($0)" }
    #expect(data.range(of: Data(String(name).utf8)) != nil)
  }

  @Test func comparesProfiles() async throws {
    let outcome = try await bench.run(
      "profile", "compare", "libcamera:imx219", "libcamera:pisp/imx219", "--light", "A", "--light",
      "D65")
    outcome.expect(0)
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.count == 4)
    #expect(lines[1].split(separator: " ") == ["A", "–", "–"])
    #expect(lines[3].hasPrefix("at most "))
    // The sign: of the second relative to the first.
    try bench.write("a.json", #"{"rpi.awb": {"ct_curve": [2500, 0.5, 0.5, 8000, 0.4, 0.6]}}"#)
    try bench.write("b.json", #"{"rpi.awb": {"ct_curve": [2500, 0.4, 0.5, 8000, 0.32, 0.6]}}"#)
    let known = try await bench.run("profile", "compare", "libcamera:a.json", "libcamera:b.json")
    #expect(known.output.contains("A       25.00    0.00"), "\(known.output)")
    #expect(known.output.hasSuffix("at most 25.00 %\n"))
  }

  @Test func sourcesThatAreNone() async throws {
    try await bench.run("profile", "show", "missing.json").expect(66, errors: "missing.json")
    try await bench.run("profile", "show", "libcamera:missing.json").expect(
      66, errors: "missing.json")
    try await bench.run("profile", "show", "libcamera:imx999").expect(
      66, errors: "there is no tuning 'imx999'", "--list")
    try bench.write("other.json", #"{"format": "other"}"#)
    try await bench.run("profile", "show", "other.json").expect(65, errors: "its format is 'other'")
    try bench.write("empty.json", "")
    try await bench.run("profile", "show", "empty.json").expect(65, errors: "not valid JSON")
    try await bench.run("profile", "show", "libcamera:empty.json").expect(
      65, errors: "cannot use tuning empty.json: it is not JSON")
    try bench.write("infrared.json", #"{"algorithms": [{"rpi.awb": {"bayes": 0}}]}"#)
    try await bench.run("profile", "import", "infrared.json", "-o", "x.json").expect(
      65, errors: "cannot use tuning infrared.json: it has no algorithm 'rpi.awb'")
    let curve = #"{"format": "wbcal-profile", "created": "", "generator": "", "#
    try bench.write("v.json", curve + #""version": 3, "curve": [[1,1,1],[2,1,2]]}"#)
    try await bench.run("profile", "show", "v.json").expect(65, errors: "the profile has version 3")
    try bench.write("c.json", curve + #""version": 2, "curve": [[1,1,1]]}"#)
    try await bench.run("profile", "show", "c.json").expect(
      65, errors: "at least 2 points and has 1")
    try bench.write("m.json", curve + #""version": 2}"#)
    try await bench.run("profile", "show", "m.json").expect(65, errors: "'calibration' is missing")
  }

  @Test func wrongUse() async throws {
    try await bench.makeProfile()
    try await bench.run("profile", "show").expect(64, errors: "source")
    try await bench.run("profile", "shwo").expect(64, errors: "shwo")
    try await bench.run("profile", "show", "desk.json", "--light", "D66").expect(
      65, errors: "'D66' is not a light")
    try await bench.run("profile", "import").expect(64, errors: "name what to import")
    try await bench.run("profile", "import", "x.json").expect(64, errors: "--output")
    try await bench.run("profile", "import", "--list", "x.json").expect(
      64, errors: "--list cannot be combined")
    try await bench.run("profile", "import", "photo.jpg", "-o", "x.json").expect(
      64, errors: "neither libcamera:SENSOR", ".dcp")
    try await bench.run("profile", "export", "desk.json").expect(
      64, errors: "--icc, --dcp or --libcamera")
    try await bench.run("profile", "export", "desk.json", "--icc", "x", "--libcamera", "x").expect(
      64, errors: "cannot be the same file")
    try await bench.run("profile", "export", "desk.json", "--libcamera", "x", "--light", "A")
      .expect(
        64, errors: "requires --icc")
    try await bench.run("profile", "export", "desk.json", "--icc", "x", "--platform", "vc4").expect(
      64, errors: "requires --libcamera")
    try await bench.run("profile", "export", "desk.json", "--icc", "desk.json").expect(
      64, errors: "desk.json is also an input")
    try await bench.run("profile", "compare", "desk.json").expect(64, errors: "second")
    #expect(try bench.files() == ["desk.json"])
  }

  @Test func whatCannotBeExportedOrCompared() async throws {
    try await bench.makeProfile()
    try await bench.run(
      "profile", "export", "libcamera:imx219", "--icc", "x.icc", "--libcamera", "x"
    )
    .expect(65, errors: "it has no colors for an ICC profile")
    try await bench.run("profile", "export", "desk.json", "--icc", "x.icc", "--light", "xy:0.7,0.1")
      .expect(65, errors: "desk.json: the matrix and the light do not define an ICC profile")
    try await bench.run("profile", "export", "desk.json", "--icc", "folder/x.icc").expect(
      74, errors: "cannot write folder/x.icc", "Nothing was saved.")
    try await bench.run(
      "profile", "compare", "libcamera:imx219", "desk.json", "--light", "2000K"
    ).expect(65, errors: "have no common light with gains")
    #expect(try bench.files() == ["desk.json"])
  }

  @Test func helpOfNestedCommands() async throws {
    for command in ["show", "import", "export", "compare"] {
      let outcome = try await bench.run("profile", command, "--help")
      outcome.expect(0)
      #expect(outcome.output.contains("USAGE: wbcal profile \(command)"))
    }
    #expect(try await bench.run("profile").output.contains("SUBCOMMANDS:"))
  }

  /// The sample's own white, according to its matrices.
  @Test func importsAPhotographsMatrices() async throws {
    let outcome = try await bench.run(
      "profile", "import", Workbench.dng, "-o", "camera.json")
    outcome.expect(0)
    #expect(outcome.output.hasPrefix("its own white: 5302 K, tint 33.4\n"), "\(outcome.output)")
    // An imported profile has all uses of a calibrated one, except for those that require shots.
    let there = try await bench.run(
      "convert", "--from", "xy", "--to", "gains", "--profile", "camera.json", "0.35", "0.36")
    there.expect(0)
    let gains = String(there.output.split(separator: "\n")[1])
    let back = try await bench.run(
      "convert", "--from", "gains", "--to", "xy", "--profile", "camera.json", input: gains)
    let xy = back.output.split(separator: "\n")[1].split(separator: ",").compactMap { Double($0) }
    #expect(abs(xy[0] - 0.35) < 1e-12 && abs(xy[1] - 0.36) < 1e-12)
    try await bench.run(
      "convert", "--from", "xy", "--to", "gains", "--profile", "camera.json", "--uncertainty",
      "0.35", "0.36"
    ).expect(65, errors: "no standard error")
    try await bench.run("report", "camera.json", "-o", "page.html").expect(65, errors: "no shots")
    try await bench.run("calibrate", "--profile", "camera.json", "--add", "rgb:1,1,1@D65").expect(
      65, errors: "no shots to add to", "Nothing was saved.")
  }

  /// A profile for other programs has the matrices of the calibration, of which those programs keep
  /// four decimals.
  @Test func exportsADNGProfile() async throws {
    try await bench.makeProfile()
    try await bench.run("profile", "export", "desk.json", "--dcp", "desk.dcp", "--camera", "Desk")
      .expect(0)
    func gains(_ source: String) async throws -> [[Double]] {
      let shown = try await bench.run(
        "profile", "show", source, "--light", "A", "--light", "D65", "--json")
      shown.expect(0)
      let rows = try #require(try object(shown.output)["gains"] as? [[String: Any]])
      return try rows.map { row in
        let gains = try #require(row["gainsGreenOne"] as? [String: Double])
        return try [#require(gains["red"]), #require(gains["blue"])]
      }
    }
    for (own, exported) in try await zip(gains("desk.json"), gains("desk.dcp")) {
      for (a, b) in zip(own, exported) { #expect(abs(a / b - 1) < 1.5e-4, "\(own), \(exported)") }
    }
    try await bench.run("profile", "export", "libcamera:imx219", "--dcp", "x.dcp").expect(
      65, errors: "a curve of grays")
  }

  /// Shots are added to those that a profile contains.
  @Test func addsShots() async throws {
    try await bench.makeProfile()
    let before = try await object(bench.run("profile", "show", "desk.json", "--json").output)
    try await bench.run("calibrate", "--profile", "desk.json", "--add", "rgb:0.53,1,0.5477@FL2")
      .expect(0)
    let after = try await object(bench.run("profile", "show", "desk.json", "--json").output)
    let shots = try #require(after["shots"] as? [[String: Any]])
    #expect(shots.map { $0["light"] as? String } == ["A", "D65", "FL2"])
    // The model is another one, with another identity.
    #expect(before["identity"] as? String != after["identity"] as? String)
  }
}
