import CameraProfiles
import ColorScience
import Foundation
import Testing
import WhiteBalance

struct CalibrateTests {
  private let bench: Workbench

  init() throws { bench = try Workbench() }

  private func calibrate(_ shot: String) async throws -> Workbench.Outcome {
    try await bench.run("calibrate", "--shot", shot, "-o", "desk.json")
  }

  @Test func aTableOfShots() async throws {
    // About the response of the other shots' camera: linear values of 0.6, 1, 0.5.
    try bench.writeCard("card.ppm", 101, 128, 93)
    try bench.write("spectrum.csv", "nm,power\n380,1\n780,1\n")
    try bench.write(
      "shots.csv",
      """
      image,r,g,b,light,class
      ,0.786,1,0.393,A,thermal
      ,0.429,1,0.781,"xy:0.3127,0.3290",
      card.ppm,,,,4012K/+0.0031,led
      ,0.494,1,0.742,spd:spectrum.csv,other

      """)
    let outcome = try await bench.run(
      "calibrate", "--shots", "shots.csv", "-o", "desk.json", "--json")
    outcome.expect(0)
    let profile =
      try JSONSerialization.jsonObject(with: Data(try bench.read("desk.json").utf8))
      as? [String: Any]
    #expect(profile?["version"] as? Int == 2)
    #expect((profile?["created"] as? String)?.hasSuffix("Z") == true)
    let calibration = try #require(profile?["calibration"] as? [String: Any])
    let shots = try #require(calibration["shots"] as? [[String: Any]])
    try #require(shots.count == 4)
    #expect(shots.allSatisfy { ($0["residual"] as? [String: Double])?.count == 2 })
    let first = try #require(shots[0]["shot"] as? [String: Any])
    #expect(first["class"] as? String == "thermal")
    #expect(first["response"] as? [Double] == [0.786, 1, 0.393])
    let last = try #require(shots[3]["shot"] as? [String: Any])
    let light = try #require(last["light"] as? [String: Any])
    let xy = try #require(light["chromaticity"] as? [String: Double])
    // An equal-energy spectrum.
    let x = try #require(xy["x"])
    #expect(abs(x - 1.0 / 3) < 1e-3)
  }

  /// The brightest picture of a bracket that is not clipped is used as the shot.
  @Test func aBracketOfPictures() async throws {
    for (name, scale) in [("1", 0.4), ("2", 0.7), ("3", 1), ("4", 2.5)] {
      func code(_ value: Double) -> UInt8 { UInt8(min(255, value * scale)) }
      try bench.writeCard("card-\(name).ppm", code(101), code(128), code(93))
    }
    try await calibrate("card-*.ppm@4012K").expect(0)
    #expect(try bench.read("desk.json").contains("card-3.ppm"))
    try await calibrate("card-*4.ppm@D65").expect(65, errors: "card-4.ppm: the card is clipped")
    try await calibrate("card*5.ppm@D65").expect(
      66, errors: "no picture matches card*5.ppm")
    try bench.writeCard("card-3.ppm", 255, 255, 255)
    try await bench.run("calibrate", "--shot", "card-*.ppm@D65", "-o", "card-2.ppm")
      .expect(64, errors: "card-2.ppm is also an input")
    try await calibrate("card-*.ppm@D65").expect(0)
    #expect(try bench.read("desk.json").contains("card-2.ppm"))
    for name in ["1", "2"] { try bench.writeCard("card-\(name).ppm", 1, 1, 1) }
    try await calibrate("card-*.ppm@D65").expect(
      65, errors: "none of the 4 pictures", "card-1.ppm: the card is too dark",
      "card-4.ppm: the card is clipped")
  }

  /// A measured spectrum has the chromaticity that CIE published for its table; at 10 nm, where
  /// lines are lost, a message says so.
  @Test func stepsOfASpectrum() async throws {
    let tube = try #require(StandardIlluminant(named: "FL11"))
    func chromaticity(step: Int, class word: String = "") async throws -> (Chromaticity, String) {
      let rows = stride(from: 0, to: tube.spectrum.values.count, by: step / 5).map { index in
        "\(tube.spectrum.firstWavelength + 5 * Double(index)) \(tube.spectrum.values[index])\n"
      }
      try bench.write("tube.txt", word + rows.joined())
      let outcome = try await calibrate("rgb:0.494,1,0.742@spd:tube.txt")
      outcome.expect(0)
      let profile = try JSONDecoder().decode(
        CameraProfile.self, from: Data(try bench.read("desk.json").utf8))
      let shot = try #require(profile.calibration?.shots.first)
      return (shot.shot.light.chromaticity, outcome.errors)
    }
    let (found, errors) = try await chromaticity(step: 5)
    #expect(abs(found.x - 0.3805) < 1e-4)
    #expect(abs(found.y - 0.3769) < 1e-4)
    #expect(errors.isEmpty)
    #expect(
      try await chromaticity(step: 10).1.contains("steps of 10 nm miss the narrow lines of a lamp"))
    #expect(try await chromaticity(step: 10, class: "class led\n").1.isEmpty)
  }

  /// Files of instruments and lamp makers give the same light as rows do.
  @Test func formsOfASpectrum() async throws {
    let tube = try #require(StandardIlluminant(named: "FL11")).spectrum
    let samples = tube.values.enumerated().map { index, value in
      (tube.firstWavelength + tube.step * Double(index), value)
    }
    try bench.write("tube.csv", samples.map { "\($0.0),\($0.1)\n" }.joined())
    let names = samples.map { "SPEC_\(Int($0.0))" }.joined(separator: " ")
    try bench.write(
      "tube.sp",
      """
      SPECT

      DESCRIPTOR "Argyll Spectral power/reflectance information"
      KEYWORD "SPECTRAL_BANDS"
      SPECTRAL_BANDS "\(samples.count)"
      NUMBER_OF_FIELDS \(samples.count)
      BEGIN_DATA_FORMAT
      \(names)
      END_DATA_FORMAT
      NUMBER_OF_SETS 1
      BEGIN_DATA
      \(samples.map { "\($0.1)" }.joined(separator: " "))
      END_DATA

      """)
    let elements = samples.map {
      "  <SpectralData wavelength=\"\(Int($0.0))\">\($0.1)</SpectralData>\n"
    }
    let tm27 = "<?xml version=\"1.0\"?>\n<!-- <SpectralData wavelength=\"1\">1</SpectralData> -->\n"
    try bench.write(
      "tube.spdx",
      tm27 + "<IESTM2714 version=\"1.0\">\n <SpectralDistribution>\n"
        + "  <SpectralQuantity>flux</SpectralQuantity>\n" + elements.joined()
        + " </SpectralDistribution>\n</IESTM2714>\n")
    func chromaticity(_ name: String) async throws -> String {
      let outcome = try await bench.run("convert", "--light", "spd:\(name)", "--to", "xy")
      outcome.expect(0)
      return outcome.output
    }
    let rows = try await chromaticity("tube.csv")
    #expect(try await chromaticity("tube.sp") == rows)
    #expect(try await chromaticity("tube.spdx") == rows)
    try bench.write("bad.sp", try bench.read("tube.sp").replacing("END_DATA_FORMAT", with: "END"))
    try bench.write("bad.spdx", tm27 + "<html></html>\n")
    let twice = try bench.read("tube.sp").split(separator: "\n").map(String.init)
    let data = try #require(twice.firstIndex(of: "BEGIN_DATA")) + 1
    try bench.write("two.sp", (twice[...data] + twice[data...]).joined(separator: "\n"))
    for (name, fact) in [
      ("bad.sp", "BEGIN_DATA_FORMAT"), ("bad.spdx", "not a spectrum of IES TM-27"),
      ("two.sp", "it has 2 spectra; keep one"),
    ] {
      try await calibrate("rgb:1,1,1@spd:\(name)").expect(65, errors: name, fact)
    }
  }

  /// Each picture has its own region: the gains are those of its card, not of the surroundings.
  @Test func regionsOfATable() async throws {
    var data = Data("P6 64 48 255\n".utf8)
    for index in 0..<64 * 48 {
      // The response 0.6, 1, 0.5 in the left quarter, and another one in the rest.
      data.append(contentsOf: index % 64 < 16 ? [101, 128, 93] : [128, 60, 128])
    }
    try data.write(to: bench.folder.appending(path: "card.ppm"))
    try bench.write(
      "shots.csv", "light;image;region;note\nD65;card.ppm;0,0,16,48;left\n")
    try await bench.run("calibrate", "--shots", "shots.csv", "-o", "desk.json").expect(0)
    try await bench.run(
      "calibrate", "--shot", "card.ppm@D65", "--region", "0,0,16,48", "-o", "same.json"
    ).expect(0)
    func response(_ name: String) throws -> Substring {
      try #require(try bench.read(name).split(separator: "\"response\"").dropFirst().first)
        .prefix { $0 != "]" }
    }
    #expect(try response("desk.json") == response("same.json"))
  }

  /// The class in a spectrum's file becomes that of the shot, and the class in a table must not
  /// contradict it.
  @Test func theClassOfASpectrum() async throws {
    try bench.write("led.csv", "class\tled\nnm\tpower\n380\t1\n780\t1\n")
    try await calibrate("rgb:0.494,1,0.742@spd:led.csv").expect(0)
    #expect(try bench.read("desk.json").contains("\"class\" : \"led\""))
    for (word, code) in [("", Int32(0)), ("LED", 0), ("thermal", 65)] {
      try bench.write("shots.csv", "r,g,b,light,class\n0.494,1,0.742,spd:led.csv,\(word)\n")
      let outcome = try await bench.run("calibrate", "--shots", "shots.csv", "-o", "table.json")
      outcome.expect(code)
      #expect(
        code == 0
          || outcome.errors.contains(
            "shots.csv, line 2: the class is thermal here but led in the file of the spectrum")
      )
    }
  }

  /// Noise and the uncertainty of the light are columns, and are stored.
  @Test func noiseAndUncertainty() async throws {
    try bench.write(
      "shots.csv",
      """
      r,g,b,light,class,noise,uncertainty
      0.786,1,0.393,A,thermal,0.01,
      0.429,1,0.781,"xy:0.3127,0.3290",daylight,,0.002

      """)
    try await bench.run("calibrate", "--shots", "shots.csv", "-o", "desk.json").expect(0)
    let profile = try bench.read("desk.json")
    #expect(profile.contains("\"noise\" : 0.01"))
    #expect(profile.contains("\"uncertainty\" : 0.002"))
    for (cells, fact) in [("-0.1,", "the noise '-0.1'"), (",much", "the uncertainty 'much'")] {
      try bench.write(
        "shots.csv", "r,g,b,light,noise,uncertainty\n0.786,1,0.393,A,\(cells)\n")
      try await bench.run("calibrate", "--shots", "shots.csv", "-o", "desk.json").expect(
        65, errors: "shots.csv, line 2", fact)
    }
  }

  @Test(arguments: [
    ("rgb:nan,1,1@D65", "not positive and finite"), ("rgb:-0.1,1,1@D65", "not positive and finite"),
    ("rgb:0,1,1@D65", "not positive and finite"), ("rgb:1,inf,1@D65", "not positive and finite"),
    ("rgb:1,1,1@D66", "'D66' is not a light"), ("rgb:1,1,1@D100K", "daylight locus"),
    ("rgb:1,1,1@xy:0.7,0.299", "hardly respond"), ("rgb:1,1,1@xy:0.3,0.3,", "is not a light"),
  ])
  func badShots(shot: String, fact: String) async throws {
    try await calibrate(shot).expect(65, errors: fact, "Nothing was saved.")
    #expect(try bench.files() == [])
  }

  @Test func shotsWithoutALight() async throws {
    try await calibrate("rgb:1,1,1").expect(64, errors: "does not name a light", "SOURCE@LIGHT")
    for shot in ["rgb:x,1,1,1@D65", "rgb:1,,1,1@D65", "rgb:1,1@D65"] {
      try await calibrate(shot).expect(65, errors: "is not rgb:R,G,B")
    }
    try bench.write("shots.csv", "r,g,b,light\n1,1,1,A\n1,1,1,\n")
    try await bench.run("calibrate", "--shots", "shots.csv", "-o", "desk.json").expect(
      65, errors: "shots.csv, line 3: the shot has no light", "Nothing was saved.")
    try await bench.run("calibrate", "-o", "desk.json").expect(64, errors: "there is no shot")
    try await bench.run("calibrate", "--device", Workbench.camera, "-o", "desk.json").expect(
      64, errors: "--light")
    #expect(try bench.files() == ["shots.csv"])
  }

  @Test(arguments: [
    ("", "is empty"), ("a,b\n1,2\n", "line 1: the columns must be r,g,b,light"),
    ("r,g,b,light\n1,x,1,A\n", "line 2: the response '1,x,1' is not three numbers"),
    ("r,g,b,light\n1,1,1,Q\n", "line 2: 'Q' is not a light"),
    (
      "r,g,b,light,class\n1,1,1,A,neon\n",
      "line 2: 'neon' is not a class of light; the classes are thermal"
    ),
    ("r,g,b,light\n1,nan,1,A\n", "line 2: the response under A"),
    ("r,g,b,light\n1,1,1,xy:0.3,0.3\n", "line 2: there are 5 fields but 4 columns"),
    ("r,g,b,light,lamp\n1,1,1,A,x\n", "line 1: the column 'lamp' is unknown; the columns are r, g"),
    ("r,g,b,light,light\n1,1,1,A,A\n", "line 1: the column light occurs twice"),
    ("r,g,b,light,\n1,1,1,A,x\n", "line 2: 'x' is in a column without a name"),
    ("r;g;b;light\n0,8;1;0,4;A\n", "line 2: the response '0,8,1,0,4' is not three numbers"),
    ("r,g,b,light,region\n1,1,1,A,center:0.2\n", "line 2: a region requires a picture"),
    ("image,light,region\na.png,A,\"1,2,3\"\n", "line 2: the region '1,2,3' is not valid"),
    ("image,r,g,b,light\na.png,1,1,1,A\n", "line 2: the shot has both a picture and a response"),
    ("r,g,b,light\n1,1,1,\"A\n", "line 2: its quotation marks do not match"),
    ("r,g,b,light\n1,1,1,A\0\n", "line 2: the line contains a NUL"),
    ("image,light\nmissing.png,A\n", "missing.png"),
  ])
  func badTables(table: String, fact: String) async throws {
    try bench.write("shots.csv", table)
    let outcome = try await bench.run("calibrate", "--shots", "shots.csv", "-o", "desk.json")
    outcome.expect(fact == "missing.png" ? 66 : 65, errors: fact, "Nothing was saved.")
    #expect(try bench.files() == ["shots.csv"])
  }

  @Test(arguments: [
    ("400,1\n550,-1\n700,1\n", "the value at 550.0 nm, -1.0, is negative"),
    ("400,1\n600,1\n500,1\n700,1\n", "500.0 nm comes after 600.0 nm"),
    ("500,1\n600,1\n", "from 400 nm"), ("400,x\n", "line 1"), ("400,1\n500,nan\n", "500.0 nm"),
    ("400,1\n500,1\n500,1\n600,1\n700,1\n", "500.0 nm occurs twice"),
    ("550,1\n", "2 samples, not 1"),
    ("400,1\n500,1\n700,1\n800,1\n", "the step from 500.0 nm to 700.0 nm"),
    ("400,1\n500,1\n700,1\n800,1\n", "resample it to equal steps"),
    ("NULL,NULL\n400,1\n700,1\n", "s.csv, line 1: the row is not a wavelength and a power"),
    ("400;0,5\n700;1\n", "'0,5' is not a number; write it with a decimal point"),
    ("nm,one,two\n400,1,2\n700,1,2\n", "line 1: a row must be a wavelength and a power"),
    (
      "class,neon\n400,1\n700,1\n",
      "line 1: 'neon' is not a class of light; the classes are thermal"
    ),
  ])
  func badSpectra(text: String, fact: String) async throws {
    try bench.write("s.csv", text)
    try await calibrate("rgb:1,1,1@spd:s.csv").expect(65, errors: "s.csv", fact)
    #expect(try bench.files() == ["s.csv"])
  }

  @Test func aClippedCardLeavesTheOldProfileAlone() async throws {
    try await bench.makeProfile()
    let before = try bench.read("desk.json")
    try bench.writeCard("card.ppm", 100, 255, 64)
    try await calibrate("card.ppm@D65").expect(
      65, errors: "the card is clipped: 100.0 % of its green pixels", "Lower the exposure",
      "Nothing was saved.")
    try await bench.run(
      "calibrate", "--device", "simulated:size=96x64,shutter=none,exposure=9", "--light", "D65",
      "-o",
      "desk.json"
    ).expect(65, errors: "clipped", "Nothing was saved.")
    #expect(try bench.read("desk.json") == before)
    #expect(try bench.files() == ["card.ppm", "desk.json"])
  }

  @Test func aCameraThatVanishesLeavesTheOldProfileAlone() async throws {
    try await bench.makeProfile()
    let before = try bench.read("desk.json")
    try await bench.run(
      "calibrate", "--device", "simulated:size=96x64,vanish=40", "--light", "D65", "-o", "desk.json"
    ).expect(69, errors: "simulated canon-eos-600d went away", "plug it in", "Nothing was saved.")
    #expect(try bench.read("desk.json") == before)
    #expect(try bench.files() == ["desk.json"])
  }

  /// The thread sanitizer writes files of its own, larger than this limit allows.
  @Test(.disabled(if: ProcessInfo.processInfo.environment["WBCAL_SANITIZER"] == "thread"))
  func aFullDiskLeavesTheOldProfileAlone() async throws {
    try await bench.makeProfile()
    let before = try bench.read("desk.json")
    let rows = [String](repeating: "0.5,1,0.6,A\n", count: 50).joined()
    try bench.write("shots.csv", "r,g,b,light\n" + rows)
    let outcome = try bench.runProcess(
      "calibrate", "--shots", "shots.csv", "-o", "desk.json",
      shell: "trap '' XFSZ; ulimit -f 1; \"$@\" 2> >(cat >&2)")
    outcome.expect(74, errors: "cannot write desk.json", "Nothing was saved.")
    #expect(try bench.read("desk.json") == before)
    #expect(try bench.files() == ["desk.json", "shots.csv"])
  }

  @Test func placesThatCannotBeWritten() async throws {
    try await bench.run("calibrate", "--shot", "rgb:0.5,1,0.6@A", "-o", "no/such/desk.json").expect(
      74, errors: "cannot write no/such/desk.json", "No such file or directory",
      "Nothing was saved.")
    #expect(try bench.files() == [])
  }

  /// A path that is not a regular file is written to, and is not replaced.
  @Test func devicesAndPipesAreWrittenTo() throws {
    func run(_ output: String, shell: String = "\"$@\"") throws -> Workbench.Outcome {
      try bench.runProcess("calibrate", "--shot", "rgb:0.5,1,0.6@A", "-o", output, shell: shell)
    }
    try run("/dev/full").expect(
      74, errors: "cannot write /dev/full: No space left on device", "Nothing was saved.")
    try run("/dev/null").expect(0)
    #expect(try run("-").output.hasPrefix("{"))
    let piped = try run("pipe", shell: "mkfifo pipe; cat pipe > copy & \"$@\"; wait")
    piped.expect(0)
    #expect(try bench.read("copy").contains("wbcal-profile"))
    for (path, kind) in [
      ("/dev/full", FileAttributeType.typeCharacterSpecial), ("/dev/null", .typeCharacterSpecial),
      (bench.folder.appending(path: "pipe").path, .typeUnknown),
    ] {
      let found = try FileManager.default.attributesOfItem(atPath: path)[.type]
      #expect(found as? FileAttributeType == kind, "\(path)")
    }
    try run(".").expect(74, errors: "Is a directory")
  }

  @Test func inputsAreNotOverwritten() async throws {
    try bench.write("shots.csv", "r,g,b,light\n0.5,1,0.6,A\n")
    try await bench.run("calibrate", "--shots", "shots.csv", "-o", "shots.csv").expect(
      64, errors: "shots.csv is also an input")
    try bench.writeCard("card.ppm", 101, 128, 93)
    try await calibrate("card.ppm@A").expect(0)
    try await bench.run("calibrate", "--shot", "card.ppm@A", "-o", "./card.ppm").expect(
      64, errors: "card.ppm is also an input")
    try await bench.run("report", "desk.json", "-o", "desk.json").expect(
      64, errors: "desk.json is also an input")
    try bench.write("lamp.csv", "400,1\n700,2\n")
    try await bench.run(
      "calibrate", "--shot", "rgb:0.5,1,0.6@spd:lamp.csv", "-o", "lamp.csv"
    ).expect(64, errors: "lamp.csv is also an input")
    #expect(try bench.read("shots.csv").hasPrefix("r,g,b"))
    #expect(try bench.read("desk.json").hasPrefix("{"))
  }

  @Test func aReplacedFileKeepsItsMode() async throws {
    try await bench.makeProfile()
    let path = bench.folder.appending(path: "desk.json").path
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    try await calibrate("rgb:0.5,1,0.6@A").expect(0)
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
  }

  @Test func aDanglingLinkIsFollowed() async throws {
    try FileManager.default.createSymbolicLink(
      atPath: bench.folder.appending(path: "desk.json").path, withDestinationPath: "new.json")
    try await calibrate("rgb:0.5,1,0.6@A").expect(0)
    #expect(try bench.files() == ["desk.json", "new.json"])
    try FileManager.default.createSymbolicLink(
      atPath: bench.folder.appending(path: "loop").path, withDestinationPath: "loop")
    try await bench.run("calibrate", "--shot", "rgb:0.5,1,0.6@A", "-o", "loop").expect(
      74, errors: "Too many levels of symbolic links", "Nothing was saved.")
  }

  @Test func standardOutputThatIsFullIsNoLostProfile() throws {
    let outcome = try bench.runProcess(
      "calibrate", "--shot", "rgb:0.5,1,0.6@A", "-o", "desk.json", shell: "\"$@\" > /dev/full")
    outcome.expect(74, errors: "cannot write to standard output")
    #expect(!outcome.errors.contains("Nothing was saved"))
    #expect(try bench.files() == ["desk.json"])
  }

  @Test func tablesOfSpreadsheets() async throws {
    try bench.write(
      "shots.csv", "\u{FEFF}R,G,B,Light\r\n0.786,1,0.393,A\r\n0.429,1,0.781,D65\r\n")
    try await bench.run("calibrate", "--shots", "shots.csv", "-o", "desk.json").expect(0)
  }

  @Test func contradictingShotsAreRefused() async throws {
    try await bench.run(
      "calibrate", "--shot", "rgb:1,2,1.5@D65", "--shot", "rgb:5,1,0.1@D65", "-o", "desk.json"
    ).expect(65, errors: "no camera explains these shots together", "Nothing was saved.")
    #expect(try bench.files() == [])
  }

  /// A lamp's name that nothing verifies is reported as assumed in all results that depend on it.
  @Test func oneLightCannotBeChecked() async throws {
    let wrong = ["calibrate", "--device", Workbench.camera + ",light=A", "--light", "D65"]
    let one = try await bench.run(wrong + ["-o", "one.json"])
    one.expect(0)
    let doubt = "a single light cannot be checked: if it was not D65"
    #expect(one.output.contains(doubt), "\(one.output)")
    #expect(try await bench.run("profile", "show", "one.json").output.contains(doubt))
    let set = ["set", "--device", Workbench.camera, "--temperature", "5000", "--profile"]
    let applied = try await bench.run(set + ["one.json"])
    applied.expect(0)
    #expect(
      applied.output.contains("if the light of the profile's shot was D65"),
      "\(applied.output)")
    #expect(try await bench.run(set + ["one.json", "--json"]).output.contains("\"assumedLight\""))
    let page = try await bench.run("report", "one.json", "-o", "one.html")
    page.expect(0)
    #expect(try bench.read("one.html").contains("nor whether its own is named correctly"))
    // Two lamps verify each other.
    try await bench.makeProfile()
    #expect(
      !(try await bench.run("profile", "show", "desk.json").output.contains("cannot be checked")))
    #expect(!(try await bench.run(set + ["desk.json", "--json"]).output.contains("assumedLight")))
  }

  /// If a matrix follows the only control, a light that is set by its name comes as near to neutral
  /// as a search with the card does.
  @Test(arguments: [
    ("controls=temperature,pipeline=webcam", ["A", "D65", "D50"]),
    ("controls=presets,pipeline=board", ["A"]),
  ])
  func aMatrixBehindTheOnlyControl(camera: String, lights: [String]) async throws {
    let device = "\(Workbench.camera),\(camera)"
    try await bench.run(
      "calibrate", "--device", device, "--light", "A", "--light", "D65", "-o", "desk.json"
    ).expect(0)
    for light in lights {
      let lit = ["--device", "\(device),light=\(light)"]
      func left() async throws -> Double {
        let said = try await bench.run(["verify", "--json"] + lit).output
        let json = try JSONSerialization.jsonObject(with: Data(said.utf8)) as? [String: Any]
        return try #require(json?["ciede2000"] as? Double, "\(said)")
      }
      try await bench.run(["set", "--profile", "desk.json", "--light", light] + lit).expect(0)
      let named = try await left()
      _ = try await bench.run(["gray"] + lit)
      #expect(try await named < left() + 0.3, "\(light)")
    }
  }

  @Test func permissionsAreNamed() async throws {
    try bench.writeCard("card.ppm", 101, 128, 93)
    try await bench.makeProfile()
    let before = try bench.read("desk.json")
    try bench.setMode(0o000, of: "card.ppm")
    try bench.runWithoutPrivileges("estimate", "card.ppm").expect(77, errors: "card.ppm")
    try bench.runWithoutPrivileges("calibrate", "--shot", "card.ppm@A", "-o", "desk.json").expect(
      77, errors: "card.ppm", "Nothing was saved.")
    try bench.setMode(0o444, of: "desk.json")
    let shot = "rgb:0.5,1,0.6@A"
    try bench.runWithoutPrivileges("calibrate", "--shot", shot, "-o", "desk.json").expect(
      77, errors: "cannot write desk.json: Permission denied", "Nothing was saved.")
    try FileManager.default.createDirectory(
      at: bench.folder.appending(path: "locked"), withIntermediateDirectories: true)
    try bench.setMode(0o555, of: "locked")
    try bench.runWithoutPrivileges("report", "desk.json", "-o", "locked/page.html").expect(
      77, errors: "cannot write locked/page.html: Permission denied", "Nothing was saved.")
    #expect(try bench.read("desk.json") == before)
    #expect(try bench.files() == ["card.ppm", "desk.json", "locked"])
  }

  @Test func aLinkStaysALink() async throws {
    try await bench.makeProfile("real.json")
    try FileManager.default.createSymbolicLink(
      atPath: bench.folder.appending(path: "desk.json").path, withDestinationPath: "real.json")
    try await calibrate("rgb:0.5,1,0.6@A").expect(0)
    let kind =
      try FileManager.default.attributesOfItem(
        atPath: bench.folder.appending(path: "desk.json").path)[.type] as? FileAttributeType
    #expect(kind == .typeSymbolicLink)
    #expect(try bench.read("real.json").contains("0.6"))
  }
}
