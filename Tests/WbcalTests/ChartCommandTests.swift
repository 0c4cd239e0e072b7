import ColorScience
import Foundation
import ProfileFiles
import SimulatedScenes
import Testing
import WhiteBalance

/// The commands from a chart to gains, matrices and profiles.
struct ChartCommandTests {
  private let bench: Workbench
  private static let sensor = MeasuredSensor.all[8]

  init() throws { bench = try Workbench() }

  private static func lamp(_ name: String) throws -> SpectralDistribution {
    try #require(StandardIlluminant(named: name)).spectrum
  }

  /// Returns the sensor's response to each patch, with its name, as rows of a table.
  private static func rows(
    _ light: String, _ edition: ColorChart = .classicFrom2014
  ) throws -> [String] {
    let light = try lamp(light)
    return zip(edition.patches, sensor.responses(to: edition, under: light)).map { patch, seen in
      "\(seen.red),\(seen.green),\(seen.blue),\(patch.name)"
    }
  }

  private func write(_ rows: [String], to name: String = "chart.csv") throws {
    try bench.write(name, (["r,g,b,name"] + rows).joined(separator: "\n") + "\n")
  }

  private func calibrate(_ more: String..., chart: String = "chart.csv@D65") async throws
    -> Workbench.Outcome
  {
    try await bench.run(["calibrate", "--chart", chart, "-o", "camera.json"] + more)
  }

  private struct Matrix: Decodable {
    struct Difference: Decodable { var mean, p95: Double }
    /// Three rows of three.
    var rows: [[Double]]
    var expectedDeltaE: Difference?

    var matrix: [Double] { rows.flatMap(\.self) }

    private enum CodingKeys: String, CodingKey {
      case rows = "matrix"
      case expectedDeltaE
    }
  }

  private func matrix(_ arguments: String...) async throws -> Matrix {
    let outcome = try await bench.run(["profile", "matrix", "camera.json", "--json"] + arguments)
    outcome.expect(0)
    return try JSONDecoder().decode(Matrix.self, from: Data(outcome.output.utf8))
  }

  /// A second light that shines on the chart is reported, kept out of the camera's colors, and
  /// included in profiles for pictures that have it too.
  @Test func glare() async throws {
    let light = try Self.lamp("D65")
    let shine = Self.sensor.response(to: light).vector * SIMD3(0.002, 0.004, 0.008)
    let chart = ColorChart.classicFrom2014
    try write(
      zip(chart.patches, Self.sensor.responses(to: chart, under: light)).map { patch, seen in
        let seen = seen.vector + shine
        return "\(seen.x),\(seen.y),\(seen.z),\(patch.name)"
      })
    let outcome = try await calibrate()
    outcome.expect(0)
    let line = try #require(
      outcome.output.firstMatch(of: #/patches used, glare (.+) % red, (.+) % green, (.+) % blue/#))
    #expect(!outcome.errors.contains("of white on all"))
    let share = try [line.1, line.2, line.3].map { try #require(Double($0)) }
    #expect(zip(share, [0.2, 0.4, 0.8]).allSatisfy { abs($0 - $1) <= 0.05 }, "\(share)")

    func export(_ name: String, _ more: String...) async throws -> Data {
      try await bench.run(
        ["profile", "export", "camera.json", name.hasSuffix("dcp") ? "--dcp" : "--icc", name]
          + ["--light", "D65", "--camera", "Desk"] + more
      ).expect(0)
      return try Data(contentsOf: bench.folder.appending(path: name))
    }
    let plain = try await DNGProfile(Array(export("plain.dcp"))).calibrations[0]
    let suited = try await DNGProfile(Array(export("suited.dcp", "--glare"))).calibrations[0]
    #expect(plain.colorMatrix == suited.colorMatrix)
    #expect(plain.forwardMatrix != suited.forwardMatrix)
    #expect(try await export("plain.icc") != export("suited.icc", "--glare"))
    let table = try await export("table.icc", "--icc-table")
    #expect(table[8] == 2 && String(decoding: table[20..<24], as: UTF8.self) == "Lab ")
    #expect(try await table != export("suited-table.icc", "--icc-table", "--glare"))
  }

  /// A black level that is subtracted incompletely, and a curve that is not undone.
  @Test func muchGlareHasACause() async throws {
    func write(_ change: (SIMD3<Double>) -> SIMD3<Double>) throws {
      let light = try Self.lamp("D65")
      let (chart, white) = (ColorChart.classicFrom2014, Self.sensor.response(to: light).green)
      let seen = Self.sensor.responses(to: chart, under: light)
      try self.write(
        zip(chart.patches, seen).map { patch, seen in
          let seen = change(seen.vector / white)
          return "\(seen.x),\(seen.y),\(seen.z),\(patch.name)"
        })
    }
    try write { $0 + 0.015 }
    try await calibrate().expect(0, errors: "of white on all patches")
    try write { SIMD3(pow($0.x, 0.45), pow($0.y, 0.45), pow($0.z, 0.45)) }
    try await calibrate().expect(65, errors: "or --transfer")
  }

  @Test func glareNeedsOneChart() async throws {
    try write(Self.rows("D65"))
    try write(Self.rows("A"), to: "warm.csv")
    try await calibrate("--chart", "warm.csv@A").expect(0)
    try await bench.run("profile", "export", "camera.json", "--icc", "x.icc", "--glare").expect(
      65, errors: "--glare requires exactly one; name its light with --light")
    try await bench.run(
      "profile", "export", "camera.json", "--icc", "x.icc", "--glare", "--light", "A"
    )
    .expect(0)
    try await bench.run("calibrate", "--shot", "rgb:0.5,1,0.6@D65", "-o", "desk.json").expect(0)
    try await bench.run(
      "profile", "export", "desk.json", "--dcp", "x.dcp", "--camera", "x", "--glare"
    )
    .expect(65, errors: "no shot of a chart that would show glare")
    // Matrices of another program have no shot of a chart.
    try await bench.run("profile", "export", "camera.json", "--dcp", "plain.dcp", "--camera", "x")
      .expect(0)
    try await bench.run("profile", "export", "plain.dcp", "--dcp", "x.dcp", "--glare").expect(
      65, errors: "no shot of a chart that would show glare")
    try await bench.run("profile", "export", "libcamera:imx219", "--icc", "y.icc", "--icc-table")
      .expect(
        65, errors: "curve of grays")
    try await bench.run("profile", "export", "camera.json", "--libcamera", "x.json", "--glare")
      .expect(
        64, errors: "requires --icc or --dcp")
    try await bench.run("profile", "export", "camera.json", "--dcp", "x.dcp", "--icc-table").expect(
      64, errors: "requires --icc")
    try await bench.run(
      "profile", "export", "camera.json", "--icc", "x", "--icc-table", "--icc-version", "4"
    ).expect(64, errors: "--icc-table requires version 2")
  }

  /// All steps with pictures: a slanted chart in front of a camera, found and read; and its gains
  /// for other lamps compared with those of a gray card under them.
  @Test(arguments: [2, 3, 4])
  func aChartInFrontOfACamera(seed: Int) async throws {
    let camera = "simulated:seed=\(seed),size=640x480"
    try await bench.run("set", "--device", camera, "--gains", "1,1,1").expect(0)
    try await bench.run(
      "bracket", "--device", "\(camera),target=chart,light=D65", "--count", "1", "-o", "chart.tiff"
    ).expect(0)
    let found = try await bench.run("find", "chart", "chart.tiff")
    found.expect(0)
    #expect(found.output.contains("24 of 24 patches are readable"))
    try await calibrate(chart: "chart.tiff@D65").expect(0)
    for (light, bound) in [("D65", 0.005), ("A", 0.005), ("LED-B3", 0.01), ("FL11", 0.02)] {
      let converted = try await bench.run(
        "convert", "--light", light, "--to", "gains", "--profile", "camera.json")
      let gains = try #require(converted.output.split(separator: "\n").last)
        .split(separator: ",").compactMap { Double($0) }
      let card = try await bench.run("estimate", "--device", "\(camera),light=\(light)", "--json")
      struct Card: Decodable { var rgb: [Double] }
      let rgb = try JSONDecoder().decode(Card.self, from: Data(card.output.utf8)).rgb
      try #require(gains.count == 3 && rgb.count == 3)
      for channel in [0, 2] {
        let miss = abs(log(gains[channel] / gains[1] * rgb[channel] / rgb[1]))
        #expect(miss < bound, "\(light): \(miss)")
      }
    }
  }

  /// One chart under daylight gives gains and colors under lamps that it was never under.
  @Test func oneChartIsEnough() async throws {
    try write(Self.rows("D65"))
    let outcome = try await calibrate()
    outcome.expect(0)
    #expect(outcome.output.contains("chart under D65: 24 of 24 patches used"))
    for name in ["A", "FL11", "LED-B3", "HP4"] {
      let light = try Self.lamp(name)
      let converted = try await bench.run(
        "convert", "--light", name, "--to", "gains", "--profile", "camera.json")
      converted.expect(0)
      let found = try #require(converted.output.split(separator: "\n").last)
        .split(separator: ",").compactMap { Double($0) }
      let truth = try #require(Gains(neutralizing: Self.sensor.response(to: light)))
      for (a, b) in zip(found, [truth.red, truth.green, truth.blue]) {
        #expect(abs(a / b - 1) < 0.012, "\(name): \(found), \(truth)")
      }

      // Its matrix, compared with the sensor's responses to the chart's patches under this lamp.
      let told = try await matrix("--light", name)
      let matrix = try #require(told.matrix.count == 9 ? told.matrix : nil)
      let white = light.xyz.vector / light.xyz.y
      let chart = ColorChart.classicFrom2014, patches = chart.patches
      var sum = 0.0
      for (patch, seen) in zip(patches, Self.sensor.responses(to: chart, under: light)) {
        let rgb = seen.vector / Self.sensor.response(to: light).vector
        let xyz = (0..<3).map {
          (SIMD3(matrix[3 * $0], matrix[3 * $0 + 1], matrix[3 * $0 + 2]) * rgb).sum()
        }
        let lit = SpectralDistribution(
          first: 380, step: 5,
          values: stride(from: 380.0, through: 780, by: 5).map {
            light[$0] * patch.reflectance[$0]
          })
        let full = SpectralDistribution(
          first: 380, step: 5, values: stride(from: 380.0, through: 780, by: 5).map { light[$0] })
        let wanted = LabColor(XYZ(lit.xyz.vector / full.xyz.y), white: XYZ(white))
        sum += LabColor(XYZ(x: xyz[0], y: xyz[1], z: xyz[2]), white: XYZ(white)).ciede2000(
          to: wanted)
      }
      let expected = try #require(told.expectedDeltaE).mean
      #expect(sum / 24 < 2 && sum / 24 < 1.6 * expected, "\(name): \(sum / 24), \(expected)")
    }
  }

  @Test func rowsAddUpToWhite() async throws {
    try write(Self.rows("D65"))
    try await calibrate().expect(0)
    for (space, white) in [
      ("xyz", XYZ(StandardIlluminant.d65.chromaticity).vector), ("srgb", SIMD3(1, 1, 1)),
      ("rec2020", SIMD3(1, 1, 1)),
    ] {
      let found = try await matrix("--light", "D65", "--space", space).matrix
      for row in 0..<3 {
        let sum = found[3 * row..<3 * row + 3].reduce(0, +)
        #expect(abs(sum - white[row]) < 2e-4, "\(space), row \(row): \(sum)")
      }
    }
    let text = try await bench.run("profile", "matrix", "camera.json", "--light", "FL11")
    text.expect(0)
    #expect(text.output.contains("expected CIEDE2000 on surfaces: mean"))
    // The spectrum of this light is not known.
    try await bench.run("profile", "matrix", "camera.json", "--light", "xy:0.31,0.33")
      .expect(65, errors: "a matrix requires the light's spectrum")
    try bench.write(
      "grays.json", #"{"rpi.awb": {"ct_curve": [2500, 0.9, 0.4, 8000, 0.4, 0.8]}}"#)
    try await bench.run("profile", "matrix", "grays.json", "--light", "D65")
      .expect(65, errors: "has no colors", "rpi.ccm")
  }

  /// Roots of products of channels keep white, and leave smaller differences than the matrix.
  @Test func rootPolynomial() async throws {
    try write(Self.rows("D65"))
    try await calibrate().expect(0)
    struct Answer: Decodable {
      struct Difference: Decodable { var mean: Double }
      var matrix: [[Double]]
      var roots: [[Double]]?
      var expectedDeltaE: Difference
    }
    func answer(_ arguments: String...) async throws -> Answer {
      try JSONDecoder().decode(
        Answer.self,
        from: Data(
          try await bench.run(["profile", "matrix", "camera.json", "--json"] + arguments).output
            .utf8))
    }
    for space in ["xyz", "srgb"] {
      let plain = try await answer("--light", "A", "--space", space)
      let rooted = try await answer("--light", "A", "--space", space, "--roots")
      #expect(plain.roots == nil)
      let roots = try #require(rooted.roots)
      let white = space == "srgb" ? [1, 1, 1] : [1.0985, 1, 0.3558]
      for row in 0..<3 {
        let sum = (rooted.matrix[row] + roots[row]).reduce(0, +)
        #expect(abs(sum - white[row]) < 3e-4, "\(space), row \(row): \(sum)")
      }
      #expect(rooted.expectedDeltaE.mean < 0.95 * plain.expectedDeltaE.mean, "\(space)")
    }
    let text = try await bench.run(
      "profile", "matrix", "camera.json", "--light", "A", "--space", "srgb", "--roots")
    text.expect(0)
    let rows = text.output.split(separator: "\n").dropFirst().prefix(3)
    #expect(rows.allSatisfy { $0.split(separator: " ").count == 6 }, "\(text.output)")
  }

  /// The problem is named, and nothing is saved.
  @Test func wrongCharts() async throws {
    let rows = try Self.rows("D65")
    try write(rows)
    try await calibrate().expect(0)
    let before = try bench.read("camera.json")
    // A table without names is in the order of the chart.
    let bare = rows.map { $0.split(separator: ",").dropLast().joined(separator: ",") }
    func table(_ rows: [String], _ name: String) throws {
      try bench.write(name, (["r,g,b"] + rows).joined(separator: "\n"))
    }
    try table(bare.reversed(), "turned.csv")
    try table(bare.dropLast(), "short.csv")
    try table(["nan,1,1"] + bare.dropFirst(), "nan.csv")
    try table(bare.map { _ in "0.2,0.3,0.1" }, "gray.csv")
    for (name, light, words) in [
      ("turned.csv", "D65", "turned"), ("short.csv", "D65", "there are 23 rows"),
      ("nan.csv", "D65", "row 1: 'nan' is not a positive number"),
      ("gray.csv", "D65", "all patches of the chart under D65 have the same color"),
      ("chart.csv", "A", "looks as if taken under"),
      ("chart.csv", "xy:0.3127,0.3290", "spectrum"), ("nowhere.csv", "D65", "nowhere.csv"),
    ] {
      let outcome = try await calibrate(chart: "\(name)@\(light)")
      outcome.expect(name == "nowhere.csv" ? 66 : 65, errors: words, "Nothing was saved")
    }
    try write(["1,2,3,foliage"] + rows.dropFirst(), to: "named.csv")
    try await calibrate(chart: "named.csv@D65").expect(65, errors: "it must be dark skin")
    #expect(try bench.read("camera.json") == before)
    try await calibrate("--corners", "1,2,3").expect(64, errors: "eight numbers")
    try await bench.run(
      "calibrate", "--shot", "rgb:1,1,1@D65", "--chart-edition", "before2014", "-o", "x"
    )
    .expect(64, errors: "require --chart")
  }

  /// Two patches in each other's place are left out by name; a chart that is added keeps the first
  /// one.
  @Test func swappedPatches() async throws {
    let rows = try Self.rows("D65")
    var swapped = rows.map { $0.split(separator: ",").dropLast().joined(separator: ",") }
    swapped.swapAt(12, 14)
    try bench.write("chart.csv", (["r,g,b"] + swapped).joined(separator: "\n"))
    let outcome = try await calibrate()
    outcome.expect(0, errors: "red", "blue", "it is not used")
    try write(Self.rows("A"), to: "warm.csv")
    let added = try await bench.run(
      "calibrate", "--profile", "camera.json", "--chart", "warm.csv@A")
    added.expect(0)
    #expect(added.output.contains("chart under A: 24 of 24"))
    #expect(added.output.contains("chart under D65: 22 of 24"))
  }

  /// Reflectances of the user's own chart, in both kinds of files and in percent.
  @Test func ownReflectances() async throws {
    let chart = ColorChart.classicBefore2014
    try write(Self.rows("D65", chart))
    let bands = Array(stride(from: 380, through: 730, by: 10))
    func values(_ patch: ColorChart.Patch, _ scale: Double) -> [String] {
      bands.map { "\(scale * patch.reflectance[Double($0)])" }
    }
    let csv =
      ["name," + bands.map(String.init).joined(separator: ",")]
      + chart.patches.map { "\($0.name)," + values($0, 1).joined(separator: ",") }
    try bench.write("own.csv", csv.joined(separator: "\n"))
    let cgats =
      ["CGATS.17", "BEGIN_DATA_FORMAT"]
      + ["SAMPLE_ID SAMPLE_NAME " + bands.map { "SPECTRAL_NM_\($0)" }.joined(separator: " ")]
      + ["END_DATA_FORMAT", "BEGIN_DATA"]
      + chart.patches.enumerated().map {
        "\($0 + 1) \"\($1.name)\" " + values($1, 100).joined(separator: "\t")
      } + ["END_DATA"]
    try bench.write("own.txt", cgats.joined(separator: "\n"))
    for file in ["own.csv", "own.txt"] {
      let outcome = try await calibrate("--reflectances", file)
      outcome.expect(0)
      #expect(outcome.output.contains("24 of 24"))
    }
    try bench.write("turned.csv", ([csv[0]] + csv.dropFirst().reversed()).joined(separator: "\n"))
    try await calibrate("--reflectances", "turned.csv").expect(65, errors: "differs from dark skin")
    try bench.write("short.csv", csv.dropLast().joined(separator: "\n"))
    try await calibrate("--reflectances", "short.csv").expect(65, errors: "there are 23 patches")
    try bench.write("none.csv", "name,a,b\n")
    try await calibrate("--reflectances", "none.csv").expect(65)
    try await calibrate("--reflectances", "own.csv", "--chart-edition", "before2014")
      .expect(64, errors: "cannot be combined")
  }

  /// The chart in the shipped photograph is found, and read.
  @Test func photograph() async throws {
    let outcome = try await calibrate(chart: "\(Workbench.dng)@LED-V1")
    outcome.expect(0)
    let profile = try #require(
      try JSONSerialization.jsonObject(with: Data(try bench.read("camera.json").utf8))
        as? [String: Any])
    let pictures = try #require(profile["pictures"] as? [String: Any])
    #expect(pictures["encoding"] as? String == "raw")
    try await calibrate("--corners", "0,0,9,0,9,9,0,9", chart: "\(Workbench.dng)@LED-V1")
      .expect(65, errors: "Nothing was saved")
  }

  /// A proposed chart can be used as it is; a picture without a chart gives no proposal.
  @Test func proposedChart() async throws {
    let outcome = try await bench.run(
      "find", "chart", Workbench.dng, "-o", "where.png")
    outcome.expect(0, errors: "check the patches", "are pixels of")
    let corners = try #require(outcome.output.firstMatch(of: #/corners ([0-9,]+) /#)).1
    #expect(outcome.output.hasSuffix("24 of 24 patches are readable\n"))
    #expect(try bench.files().contains("where.png"))
    try await calibrate("--corners", String(corners), chart: "\(Workbench.dng)@LED-V1").expect(0)
    try bench.writeScene("scene.ppm")
    try await bench.run("find", "chart", "scene.ppm", "-o", "none.png")
      .expect(65, errors: "--corners")
    #expect(try bench.files().contains("none.png"))
    try await bench.run("find", "chart", "scene.ppm", "--card-size", "9").expect(64)
    try await bench.run("find", "chart", "scene.ppm", "--profile", "x.json").expect(
      64)
    try await bench.run("find", "lamp", "scene.ppm").expect(64, errors: "card")
  }

  /// The tuning file of a laptop from a chart's shot: gray under its lamps stays gray, and the
  /// colors are those of `profile matrix`.
  @Test func tuningFile() async throws {
    try write(Self.rows("D65"))
    try await calibrate().expect(0)
    let export = ["profile", "export", "camera.json", "--libcamera"]
    try await bench.run(export + ["laptop.yaml", "--platform", "softisp", "--black", "64:10"])
      .expect(0)
    let text = try bench.read("laptop.yaml")
    #expect(text.contains("blackLevel: 4096"))
    let matrix = try #require(
      text.firstMatch(of: #/ct: 5500\n *ccm: \[ ([^\]]*)\]/#)
    ).1.split { ", \n".contains($0) }.compactMap { Double($0) }
    struct Answer: Decodable {
      var matrix: [[Double]]
      var gains: [String: Double]
    }
    let answer = try JSONDecoder().decode(
      Answer.self,
      from: Data(
        try await bench.run(
          "profile", "matrix", "camera.json", "--light", "D5500K", "--space", "srgb", "--json"
        ).output.utf8))
    try #require(matrix.count == 9)
    for (number, expected) in zip(matrix, answer.matrix.joined()) {
      #expect(abs(number - expected) < 2e-5)
    }
    let gains = try #require(
      text.firstMatch(of: #/ct: 5500\n *gains: \[ ([\d.]+), ([\d.]+) \]/#))
    let green = try #require(answer.gains["green"])
    let (red, blue) = (try #require(Double(gains.1)), try #require(Double(gains.2)))
    #expect(abs(red - (answer.gains["red"] ?? 0) / green) < 2e-5)
    #expect(abs(blue - (answer.gains["blue"] ?? 0) / green) < 2e-5)
    // Replaces the white balance and colors in an existing file.
    try bench.write("old.yaml", "version: 1\nalgorithms:\n  - Agc:\n  - Awb:\n  - Lut:\n")
    try await bench.run(
      export + ["new.yaml", "--into", "old.yaml", "--platform", "softisp"]
    ).expect(0)
    let new = try bench.read("new.yaml")
    #expect(new.contains("  - Lut:\n") && new.contains("ct: 5500"))
    try await bench.run(export + ["new.yaml", "--into", "old.yaml"]).expect(64, errors: "softisp")
    try await bench.run(export + ["x.yaml", "--platform", "softisp", "--black", "64"]).expect(64)
    try await bench.run(export + ["x.yaml", "--platform", "softisp", "--black", "900:10"]).expect(
      64, errors: "half of white")
    try bench.write("bad.yaml", "version: 1\n")
    try await bench.run(
      export + ["x.yaml", "--into", "bad.yaml", "--platform", "rkisp1"]
    ).expect(65, errors: "no list 'algorithms'")
  }

  /// The right one of several named lamps is found, or a message states that it is none of them.
  @Test func whichLampItIs() async throws {
    try write(Self.rows("D65"))
    try await calibrate().expect(0)
    let lamp = try #require(StandardIlluminant(named: "FL11")).spectrum
    let seen = Self.sensor.response(to: lamp).vector
    let codes = (0..<3).map { 255 * TransferFunction.sRGB.encoded(0.6 * seen[$0] / seen.max()) }
    try bench.writeCard("card.ppm", UInt8(codes[0]), UInt8(codes[1]), UInt8(codes[2]))
    let card = ["estimate", "card.ppm", "--profile", "camera.json"]
    let outcome = try await bench.run(
      card + ["--light", "A", "--light", "FL11", "--light", "LED-B3"])
    outcome.expect(0)
    #expect(outcome.output.contains("card.ppm: the light may be FL11 ("))
    let none = try await bench.run(card + ["--light", "A", "--light", "D65"])
    none.expect(0)
    #expect(none.output.contains("card.ppm: none of these lamps; the nearest is "))
    try await bench.run(card + ["--light", "xy:0.38,0.38"]).expect(65, errors: "cannot be compared")
    try await bench.run("estimate", "card.ppm", "--light", "A").expect(64, errors: "--profile")
    try await bench.run(card + ["--light", "A", "--method", "gray-world"]).expect(64)
  }

  @Test func cameraProfile() async throws {
    try write(Self.rows("D65"))
    try await calibrate().expect(0)
    try await bench.run(
      "profile", "export", "camera.json", "--dcp", "camera.dcp", "--camera", "Desk"
    )
    .expect(0)
    let data = try Data(contentsOf: bench.folder.appending(path: "camera.dcp"))
    let profile = try DNGProfile([UInt8](data))
    #expect(profile.calibrations.count == 2)
    for calibration in profile.calibrations {
      let forward = try #require(calibration.forwardMatrix)
      let white = forward * SIMD3(1, 1, 1)
      #expect(
        abs(white.x - 0.9642) < 1e-4 && abs(white.y - 1) < 1e-4 && abs(white.z - 0.8249) < 1e-4)
    }
    #expect(try DNGProfile(profile.encoded()) == profile)
    // The tables of its colors are written, but not read.
    let withoutTables = try profile.encoded()
    #expect(data.count > 2 * 90 * 30 * 12 && withoutTables.count < 1000)
  }

  /// Two named lights: one with a number in Exif, and one that is stored by its chromaticity.
  @Test func cameraProfileForNamedLights() async throws {
    try write(Self.rows("D65"))
    try await calibrate().expect(0)
    let export = ["profile", "export", "camera.json", "--dcp", "camera.dcp", "--camera", "Desk"]
    try await bench.run(export + ["--light", "LED-B3", "--light", "D50"]).expect(0)
    let data = try Data(contentsOf: bench.folder.appending(path: "camera.dcp"))
    let profile = try DNGProfile([UInt8](data))
    try #require(profile.calibrations.count == 2)
    #expect(profile.calibrations[1].illuminant == .lightSource(.d50))
    guard case .chromaticity(let xy) = profile.calibrations[0].illuminant else {
      Issue.record("\(String(describing: profile.calibrations[0].illuminant))")
      return
    }
    #expect(abs(xy.x - 0.3756) < 1e-4 && abs(xy.y - 0.3723) < 1e-4)
    // The sensor's responses to the patches under the lamp become the patches' colors under D50.
    let forward = try #require(profile.calibrations[0].forwardMatrix)
    let lamp = try #require(StandardIlluminant(named: "LED-B3")).spectrum
    let white = XYZ(x: 0.9642, y: 1, z: 0.8249)
    var sum = 0.0
    for (color, seen) in zip(
      ColorChart.classicFrom2014.colors(under: StandardIlluminant.d50.spectrum),
      Self.sensor.responses(to: .classicFrom2014, under: lamp))
    {
      let rgb = seen.vector / Self.sensor.response(to: lamp).vector
      sum += LabColor(XYZ(forward * rgb), white: white).ciede2000(to: LabColor(color, white: white))
    }
    #expect(sum / 24 < 1.6, "\(sum / 24)")
    try await bench.run(export + ["--light", "A", "--light", "D50", "--light", "D65"]).expect(
      64, errors: "one or two")
    try await bench.run(export + ["--light", "xy:0.38,0.38"]).expect(0)
    try await bench.run(export + ["--light", "D50", "--light", "D50"]).expect(
      64, errors: "different")
  }
}
