import ColorScience
import Foundation
import SimulatedScenes
import Testing

/// Files as instruments, cameras and other programs write them.
struct InstrumentFileTests {
  private let bench: Workbench

  init() throws { bench = try Workbench() }

  private static func report(_ name: String) -> String {
    Workbench.repository.appending(path: "Calibration/Reports/\(name)").path
  }

  /// Returns the temperature and Duv of a light.
  private func light(_ name: String) async throws -> (outcome: Workbench.Outcome, numbers: [Double])
  {
    let outcome = try await bench.run("convert", "--light", "spd:\(name)", "--to", "cct-duv")
    let rows = outcome.output.split(separator: "\n")
    return (outcome, rows.count < 2 ? [] : rows[1].split(separator: ",").compactMap { Double($0) })
  }

  /// The temperatures are those of the spectra from which the files were made.
  @Test(arguments: [
    ("uprtek-layout.xls", 3542.8, -0.00095, ""), ("planck4000-121-bands.sp", 4000.2, 0, ""),
    ("planck4000-5nm-one-negative.sp", 3999.9, 0, "below zero, by at most 0.001677 %"),
    ("planck4000-unequal.spdx", 4000, 0, ""),
  ])
  func exports(name: String, kelvin: Double, duv: Double, words: String) async throws {
    let (outcome, numbers) = try await light(Self.report(name))
    outcome.expect(0)
    #expect(words.isEmpty ? outcome.errors.isEmpty : outcome.errors.contains(words))
    try #require(numbers.count == 2)
    #expect(abs(numbers[0] - kelvin) < 0.3 && abs(numbers[1] - duv) < 2e-5, "\(numbers)")
  }

  /// Planck's law at 4000 K among other columns and lines: the temperature is determined within 1
  /// K.
  private func rows(_ row: (Int, Double) -> String, step: Int = 5) -> [String] {
    let light = SpectralDistribution.planckian(kelvin: 4000)
    return stride(from: 380, through: 780, by: step).map { row($0, light[Double($0)]) }
  }

  private func write(_ lines: [String], _ name: String = "lamp.txt") throws {
    try bench.write(name, lines.joined(separator: "\n") + "\n")
  }

  @Test func tablesAmongOtherLines() async throws {
    let plain = rows { "\($0)\t\($1)" }
    let tables: [(String, [String])] = [
      ("metadata", ["Instrument\tX-1", "Date\t2026", "CRI\t99.1"] + plain + ["R1\t98", "end"]),
      ("a number first", rows { "\(($0 - 380) / 5)\t\($0)\t\($1)" }),
      ("units", ["wl [nm]\tmW/m2/nm"] + rows { "\($0) nm\t\($1)" } + ["Ra\t90"]),
      ("decimal commas", ["Gerät;X"] + rows { "\($0);" + "\($1)".replacing(".", with: ",") }),
      (
        "decimal commas everywhere",
        ["Number of pixels: 400", ">>> Begin <<<"]
          + (0..<400).map { index in
            let wavelength = 370 + 1.1 * Double(index) - 0.0002 * Double(index * index)
            let power = SpectralDistribution.planckian(kelvin: 4000)[wavelength]
            return "\(wavelength)\t\(power)".replacing(".", with: ",")
          } + [">>> End <<<"]
      ),
      ("the longest first", rows { "\($0) \($1)" }.reversed()),
      ("two units", ["nm,W,percent"] + rows { "\($0),\($1),\(12.5 * $1)" }),
      ("words", ["Lamp,1"] + rows { "Spectral Data \($0)[nm],\($1)" } + ["Ra,90"]),
      ("another number behind", ["a,b"] + rows { "\($0),\($1)" } + ["380,0.1"]),
      (
        "pixels",
        ["x,nm,counts"]
          + (0..<601).map { index in
            let wavelength = 350 + 0.75 * Double(index)
            return
              "\(index),\(wavelength),\(SpectralDistribution.planckian(kelvin: 4000)[wavelength])"
          }
      ),
      (
        "one row",
        [
          "id,name,"
            + stride(from: 380, through: 780, by: 5).map { "\($0)" }.joined(separator: ","),
          "1,halogen," + rows { "\($1)" }.joined(separator: ","),
          "measured by hand" + String(repeating: ",", count: 82),
        ]
      ),
    ]
    for (kind, lines) in tables {
      try write(lines)
      let (outcome, numbers) = try await light("lamp.txt")
      outcome.expect(0)
      #expect(abs((numbers.first ?? 0) - 4000) < 1, "\(kind): \(outcome)")
    }
    // An invalid row in the middle is not skipped.
    for bad in ["58O,1", "x", "580,n/a"] {
      var lines = rows { "\($0),\($1)" }
      lines[40] = bad
      try write(["Lamp,X"] + lines)
      try await light("lamp.txt").outcome.expect(65, errors: "lamp.txt", "line 42")
    }
    // A gap is not bridged, and a value below zero by more than noise is an error.
    try write(["Lamp,X"] + rows { "\($0),\($1)" }.filter { !$0.hasPrefix("580") })
    try await light("lamp.txt").outcome.expect(65, errors: "resample it")
    try write(["Lamp,X"] + rows { "\($0),\($0 == 400 ? -0.01 : $1)" })
    try await light("lamp.txt").outcome.expect(65, errors: "400.0 nm, -0.01, is negative")
  }

  /// One of several spectra is chosen by its number or its name.
  @Test func severalSpectra() async throws {
    let other = SpectralDistribution.planckian(kelvin: 3000)
    let columns = ["nm\twarm\tcold"] + rows { "\($0)\t\(other[Double($0)])\t\($1)" }
    let bands = stride(from: 380, through: 780, by: 5).map { "\($0)" }
    let across = [
      (["name"] + bands).joined(separator: ","),
      "warm," + rows { "\(other[Double($0)])" + "\($1)".prefix(0) }.joined(separator: ","),
      "cold," + rows { "\($1)" }.joined(separator: ","),
    ]
    for (name, lines) in [("columns.txt", columns), ("across.csv", across)] {
      try write(lines, name)
      try await light(name).outcome.expect(
        65, errors: "it has 2 spectra", "spd:\(name)#1", "'warm'")
      for (choice, kelvin) in [("1", 3000.0), ("2", 4000), ("warm", 3000), ("Cold", 4000)] {
        let found = try await light("\(name)#\(choice)").numbers.first ?? 0
        #expect(abs(found - kelvin) < 1, "\(name)#\(choice): \(found)")
      }
      try await light("\(name)#3").outcome.expect(65, errors: "no spectrum '3' among its 2")
    }
    // A file's own name may contain a number sign.
    try write(rows { "\($0),\($1)" }, "lamp#2.csv")
    #expect(abs((try await light("lamp#2.csv").numbers.first ?? 0) - 4000) < 1)
  }

  /// The range that a spectrum lacks at its ends is reported, with its effect on x and y.
  @Test func ends() async throws {
    try write(rows { "\($0),\($1)" }.filter { (Int($0.prefix(3)) ?? 0) <= 700 }, "short.csv")
    let (outcome, _) = try await light("short.csv")
    outcome.expect(
      0, errors: "from 380 to 700 nm", "assumed to be zero", "x and y are off by 0.000")
    try write(rows { "\($0),\($1)" }, "whole.csv")
    #expect(try await light("whole.csv").outcome.errors.isEmpty)
  }

  /// A chart's table may have its columns in any order, and any separator.
  @Test func chartTables() async throws {
    let chart = ColorChart.classicFrom2014
    let seen = MeasuredSensor.all[8].responses(
      to: chart, under: try #require(StandardIlluminant(named: "D65")).spectrum)
    func calibrated(_ name: String, _ more: String...) async throws -> Substring {
      let outcome = try await bench.run(
        ["calibrate", "--chart", "\(name)@D65", "-o", "x.json"] + more)
      outcome.expect(0)
      return try #require(try bench.read("x.json").split(separator: "\"model\"").last)
    }
    let named = zip(chart.patches, seen)
    try write(["r,g,b,name"] + named.map { "\($1.red),\($1.green),\($1.blue),\($0.name)" }, "a.csv")
    try write(
      ["name\tblue\tgreen\tred\tnote"]
        + named.map { "\($0.name)\t\($1.blue)\t\($1.green)\t\($1.red)\t-" }, "b.tsv")
    try write(["B;G;R"] + named.map { "\($1.blue);\($1.green);\($1.red)" }, "c.txt")
    let plain = try await calibrated("a.csv")
    func numbers(_ text: Substring) -> [Substring] {
      text.split(separator: "\n").filter { !$0.contains("source") && !$0.contains("created") }
    }
    #expect(try await numbers(calibrated("b.tsv")) == numbers(plain))
    #expect(try await numbers(calibrated("c.txt")) == numbers(plain))
    try write(["r,g,r"] + named.map { _ in "1,2,3" }, "d.csv")
    try await bench.run("calibrate", "--chart", "d.csv@D65", "-o", "x.json").expect(
      65, errors: "columns r,g,b or r,g,b,name are needed, in any order")

    // Reflectances with tabs, and with a row for each wavelength.
    let bands = Array(stride(from: 380, through: 730, by: 10))
    let header = "name\t" + bands.map { "\($0)" }.joined(separator: "\t")
    let rows = chart.patches.map { patch in
      patch.name + "\t"
        + bands.map { "\(patch.reflectance[Double($0)])" }.joined(separator: "\t")
    }
    try write([header] + rows, "own.tsv")
    let columns = bands.map { band in
      "\(band);" + chart.patches.map { "\($0.reflectance[Double(band)])" }.joined(separator: ";")
    }
    try write(
      ["nm;" + chart.patches.map(\.name).joined(separator: ";")] + columns, "transposed.csv")
    try write(columns, "bare.csv")
    for name in ["own.tsv", "transposed.csv", "bare.csv"] {
      _ = try await calibrated("a.csv", "--reflectances", name)
    }
  }

  /// Nothing states how the codes of a linear 16-bit picture are coded: a message says so, with the
  /// result for linear codes.
  @Test func anAssumedCurve() async throws {
    let name = Self.report("linear16-untagged.tiff")
    let text = try await bench.run("estimate", name)
    text.expect(0)
    #expect(text.output.contains("read as sRGB, because it states no transfer function"))
    #expect(text.output.contains("if they are linear: red 1.333 green 1.000 blue 1.600"))
    let json = try await bench.run("estimate", name, "--json").output
    #expect(json.contains(#""transfer":"srgb","transferAssumed":true"#))
    #expect(json.contains("\"gainsIfLinear\""))
    let named = try await bench.run("estimate", name, "--json", "--transfer", "linear").output
    #expect(named.contains(#""transfer":"linear""#) && !named.contains("transferAssumed"))
    try await bench.run("estimate", name, "--csv").expect(0, errors: "is read as sRGB")
    try await bench.run("calibrate", "--shot", "\(name)@D65", "-o", "x.json")
      .expect(0, errors: "it states no transfer function")
    try await bench.run("balance", name, "--gains", "1,1,1", "-o", "x.tiff")
      .expect(0, errors: "it states no transfer function")
  }

  /// A linear chart in a picture that does not state its curve is found with the right curve, also
  /// at given corners.
  @Test func aLinearChart() async throws {
    let name = Self.report("chart-linear-no-balance.png")
    let corners = "41,42,430,42,430,290,42,291"
    for more in [[], ["--transfer", "linear"]] {
      let outcome = try await bench.run(["find", "chart", name, "--json"] + more)
      outcome.expect(0)
      #expect(outcome.output.contains(#""transfer":"linear""#))
      #expect(outcome.errors.contains("read as with --transfer linear") == more.isEmpty)
    }
    let verified = try await bench.run("verify", name, "--chart", "--corners", corners)
    #expect(verified.status == 65)
    for words in ["read as with --transfer linear", "the chart's colors are off by"] {
      #expect(verified.errors.contains(words), "\(verified.errors)")
    }
    #expect(verified.output.contains("24 patches"))
    // An sRGB picture is read as sRGB.
    let colors = ColorChart.classicFrom2014.colors(under: StandardIlluminant.d65.spectrum).map {
      RGBColorSpace.sRGB.fromXYZ * $0.vector
    }
    try bench.drawChart(colors, to: "srgb.ppm")
    let outcome = try await bench.run("find", "chart", "srgb.ppm", "--json")
    outcome.expect(0)
    #expect(outcome.output.contains(#""transfer":"srgb""#))
  }

  /// A wrong curve is not mistaken for light on all patches of the chart.
  @Test func aWrongCurveOfAChart() async throws {
    let lamp = StandardIlluminant.d65.spectrum
    let seen = MeasuredSensor.all[8].responses(to: .classicFrom2014, under: lamp)
    let white = seen.map { $0.vector.max() }.max() ?? 1
    try bench.drawChart(seen.map { 0.85 * $0.vector / white }, to: "chart.ppm", darkest: 0)
    for (name, code) in [("srgb", Int32(0)), ("bt709", 65), ("gamma:1.8", 65)] {
      let outcome = try await bench.run(
        "calibrate", "--chart", "chart.ppm@D65", "--transfer", name, "-o", "x.json")
      outcome.expect(code)
      if code != 0 {
        #expect(outcome.errors.contains("srgb than if it is \(name)"), "\(outcome.errors)")
      }
    }
  }

  /// The edition of a chart is determined from its patches, and need not be named.
  @Test(arguments: ColorChart.Edition.allCases) func editionOfAChart(edition: ColorChart.Edition)
    async throws
  {
    for (camera, name) in [(3, "A"), (8, "D65"), (20, "FL11")] {
      var random = SplitMix64(state: UInt64(camera))
      let light = try #require(StandardIlluminant(named: name)).spectrum
      let chart = ColorChart(edition)
      let rows = MeasuredSensor.all[camera].responses(to: chart, under: light).map { seen in
        [seen.red, seen.green, seen.blue].map { "\($0 * exp(0.005 * random.normal()))" }
          .joined(separator: ",")
      }
      try write(["r,g,b"] + rows, "chart.csv")
      func profile(_ more: String...) async throws -> [Substring] {
        let outcome = try await bench.run(
          ["calibrate", "--chart", "chart.csv@\(name)", "-o", "x.json"] + more)
        outcome.expect(0)
        let isSaid = outcome.errors.contains("made before November 2014")
        #expect(isSaid == (edition == .before2014 && more.isEmpty), "\(outcome.errors)")
        return try bench.read("x.json").split(separator: "\n").filter { !$0.contains("created") }
      }
      let named = try await profile("--chart-edition", edition.rawValue)
      #expect(try await profile() == named)
    }
  }

  /// Light on all patches of a chart is not an error of the camera's colors.
  @Test func glareOfAVerifiedChart() async throws {
    let chart = ColorChart.classicFrom2014
    let sensor = MeasuredSensor.all[8]
    let light = StandardIlluminant.d65.spectrum
    let white = sensor.response(to: light).vector
    for (name, shine) in [("plain", 0.0), ("shine", 0.02)] {
      let rows = zip(chart.patches, sensor.responses(to: chart, under: light)).map { patch, seen in
        let seen = seen.vector + shine * white * SIMD3(1, 0.8, 0.6)
        return "\(seen.x),\(seen.y),\(seen.z),\(patch.name)"
      }
      try write(["r,g,b,name"] + rows, "\(name).csv")
    }
    try await bench.run("calibrate", "--chart", "plain.csv@D65", "-o", "camera.json").expect(0)
    struct Answer: Decodable {
      var mean: Double
      var glare: Double?
    }
    func answer(_ name: String) async throws -> Answer {
      let outcome = try await bench.run(
        "verify", name, "--chart", "--profile", "camera.json", "--light", "D65", "--json")
      outcome.expect(0)
      return try JSONDecoder().decode(Answer.self, from: Data(outcome.output.utf8))
    }
    let (plain, shine) = (try await answer("plain.csv"), try await answer("shine.csv"))
    #expect(plain.glare == nil)
    #expect(abs((shine.glare ?? 0) - 0.02) < 0.004, "\(shine)")
    #expect(shine.mean < plain.mean + 0.3, "\(shine) \(plain)")
  }

  /// No camera's response to a card is a thousandth of green.
  @Test func aResponseOfNoCamera() async throws {
    for rgb in ["0.001,1,0.001", "1,1,0.01", "1,0.001,1"] {
      try await bench.run("calibrate", "--shot", "rgb:\(rgb)@D65", "-o", "x.json")
        .expect(65, errors: "as in other cameras", "Nothing was saved.")
    }
  }

  /// A first line that is not text is one failed row; the others are converted.
  @Test func aFirstLineThatIsNoText() throws {
    for (rows, output) in [
      ("0.3,0.4\\n", "x,y\n,\n0.3,0.4\n"), ("y,x\\n0.4,0.3\\n", "x,y\n,\n0.3,0.4\n"),
    ] {
      let outcome = try bench.runProcess(
        "convert", "--from", "xy", "--to", "xy",
        shell: "printf '\\xb0C \\xff\\n\(rows)' | \"$@\"")
      outcome.expect(65, errors: "line 1: the line is not UTF-8 text")
      #expect(outcome.output == output)
    }
  }

  /// The name of a file consists of bytes: a name that is not UTF-8 is read and written unchanged.
  @Test func namesThatAreNoText() throws {
    try bench.writeCard("card.ppm", 101, 128, 93)
    let outcome = try bench.runProcess(
      "estimate",
      shell: """
        cp card.ppm $'caf\\xe9.ppm' && "$@" $'caf\\xe9.ppm' &&
          "$1" balance $'caf\\xe9.ppm' --gains 1,1,1 -o $'out\\xff.ppm' && cat $'out\\xff.ppm' > copy.ppm
        """)
    outcome.expect(0)
    #expect(outcome.output.contains("caf\\xE9.ppm: red"))
    let pixels = 3 * 64 * 48
    #expect(
      try Data(contentsOf: bench.folder.appending(path: "copy.ppm")).suffix(pixels)
        == Data(contentsOf: bench.folder.appending(path: "card.ppm")).suffix(pixels))
    try bench.runProcess("estimate", shell: "\"$@\" $'no\\xe9.ppm'").expect(
      66, errors: "no\\xE9.ppm")
  }

  /// Rows of a raw frame that are further apart than their pixels require.
  @Test func rowsFarApart() async throws {
    let name = Self.report("padded-rows-204x96-stride288-pRAA.raw")
    for (raw, words) in [("204x96:pRAA", "(:stride=288)"), ("204x96:pRAA:stride=288", "")] {
      let outcome = try await bench.run("estimate", name, "--raw", raw, "--black", "64")
      outcome.expect(0)
      #expect(words.isEmpty ? outcome.errors.isEmpty : outcome.errors.contains(words))
      #expect(outcome.output.contains("red 2.00") && outcome.output.contains("blue 1.5"))
    }
    for raw in ["204x95:pRAA", "200x96:pRAA:stride=256"] {
      try await bench.run("estimate", name, "--raw", raw).expect(65, errors: "check --raw")
    }
    for raw in [
      "204x96:pRAA:stride=0", "204x96:pRAA:rows=3", "204x96:pRAA:stride=288:stride=288",
      "204x96:pRAA:frame=9223372036854775807", "204x96:pRAA:stride=9223372036854775807",
    ] {
      try await bench.run("estimate", name, "--raw", raw).expect(64, errors: "stride=N")
    }
    for raw in ["9223372036854775807x1:GREY", "1x2000000:GREY:frame=2"] {
      try await bench.run("estimate", name, "--raw", raw).expect(64, errors: "each side")
    }
    let bytes = (0..<64).flatMap { row in
      (0..<64).flatMap { column -> [UInt8] in
        let code = UInt16(200 + 8 * ((row / 8 * 3 + column / 8 * 5) % 7))
        return [UInt8(code & 255), UInt8(code >> 8)]
      }
    }
    try Data(bytes).write(to: bench.folder.appending(path: "scene.raw"))
    // Two rows of the file would make one row.
    try await bench.run("estimate", "scene.raw", "--raw", "120x32:RG10").expect(
      65, errors: "check --raw")
    try await bench.run("estimate", "scene.raw", "--raw", "64x16:RG10").expect(
      65, errors: ":frame=K")
  }

  /// Several frames in a file: their mean, or one of them.
  @Test func severalFrames() async throws {
    func frame(_ red: UInt16, _ seed: UInt64) -> [UInt8] {
      var random = SplitMix64(state: seed)
      return (0..<32 * 32).flatMap { index -> [UInt8] in
        let (row, column) = (index / 32, index % 32)
        let level: UInt16 =
          (row & 1, column & 1) == (0, 0) ? red : row & column & 1 == 1 ? 100 : 400
        let code = level + UInt16(random.next() % 3)
        return [UInt8(code & 255), UInt8(code >> 8)]
      }
    }
    let file = bench.folder.appending(path: "frames.raw")
    try Data(frame(199, 1) + frame(207, 2) + frame(203, 3)).write(to: file)
    func red(_ raw: String, _ words: String = "") async throws -> Double {
      let outcome = try await bench.run("estimate", "frames.raw", "--raw", raw, "--json")
      outcome.expect(0)
      #expect(words.isEmpty ? outcome.errors.isEmpty : outcome.errors.contains(words))
      let match = try #require(outcome.output.firstMatch(of: #/"rgb":\[([0-9.]+),/#))
      return 1023 * (try #require(Double(match.1)))
    }
    #expect(abs(try await red("32x32:RG10", "the mean of 3 is used") - 204) < 0.3)
    #expect(abs(try await red("32x32:RG10:frame=2") - 208) < 0.3)
    try await bench.run("estimate", "frames.raw", "--raw", "32x32:RG10:frame=4")
      .expect(65, errors: "has 3 frames, and no frame 4")
    // Frames that show different things are not averaged.
    try Data(frame(199, 1) + frame(500, 2)).write(to: file)
    try await bench.run("estimate", "frames.raw", "--raw", "32x32:RG10").expect(
      65, errors: ":frame=K")
    #expect(abs(try await red("32x32:RG10:frame=2") - 501) < 0.3)
  }

  /// Polynomials of a DNG file are applied.
  @Test func polynomials() async throws {
    let outcome = try await bench.run("estimate", Self.report("mappolynomial.dng"))
    outcome.expect(0)
    #expect(outcome.output.contains("red 2.0") && outcome.output.contains("blue 1.667"))
  }
}
