import Foundation
import Testing

struct EstimateMethodTests {
  private let bench: Workbench

  init() throws { bench = try Workbench() }

  private func object(_ text: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  /// Writes a PPM picture with a gray left half, a brighter orange right half, and some white.
  private func writeScene() throws {
    var data = Data("P6 64 48 255\n".utf8)
    for row in 0..<48 {
      for column in 0..<64 {
        data.append(
          contentsOf: row < 2 ? [255, 255, 255] : column < 32 ? [50, 50, 50] : [200, 100, 50])
      }
    }
    try data.write(to: bench.folder.appending(path: "scene.ppm"))
  }

  /// The ratios of red and blue to green for halves of (50, 50, 50) and (200, 100, 50), read as
  /// linear.
  @Test(arguments: [
    ("gray-world", 0.6, 1.5), ("shades-of-gray:1", 0.6, 1.5),
    ("shades-of-gray:2", 0.542_326_1, 1.581_138_8), ("shades-of-gray:inf", 0.5, 2.0),
    ("white-patch", 0.5, 2.0), ("white-patch:50", 1.0, 1.0),
  ])
  func scenes(method: String, red: Double, blue: Double) async throws {
    try writeScene()
    let outcome = try await bench.run(
      "estimate", "scene.ppm", "--transfer", "linear", "--method", method, "--json")
    outcome.expect(0)
    let record = try object(outcome.output)
    let gains = try #require(record["gains"] as? [String: Double])
    let green = try #require(gains["green"])
    #expect(abs(try #require(gains["red"]) / green - red) < 1e-5)
    #expect(abs(try #require(gains["blue"]) / green - blue) < 1e-5)
    #expect(record["method"] as? String == method + (method == "white-patch" ? ":99" : ""))
    #expect(record["standardError"] == nil)
    #expect(record["nonuniformity"] == nil)
    #expect(record["assumption"] as? String == "the scene is neutral on average")
    #expect(
      record["pixels"] as? [String: Int] == [
        "total": 3072, "used": 2944, "clipped": 128, "dark": 0,
      ])
    let text = try await bench.run(
      "estimate", "scene.ppm", "--transfer", "linear", "--method", method)
    #expect(text.output.contains("assumes that the scene is neutral on average"))
    #expect(!text.output.contains("±"))
  }

  /// A scene without blue, the top of which is clipped.
  @Test func aSceneWithoutAChannel() async throws {
    let white = String(repeating: "255 255 255 ", count: 64)
    let scene = String(repeating: "90 50 0 ", count: 448)
    try bench.write("scene.ppm", "P3 64 8 255\n\(white)\(scene)")
    try await bench.run("estimate", "scene.ppm", "--method", "gray-world").expect(
      65, errors: "no color to average", "64 of 512 pixels are clipped")
  }

  /// The default region of a card is the middle, that of a scene the whole picture; a given region
  /// is the same for both.
  @Test func regionsOfScenes() async throws {
    try writeScene()
    let arguments = ["estimate", "scene.ppm", "--json", "--region", "0,10,32,30"]
    for method in ["gray-card", "gray-world"] {
      let outcome = try await bench.run(arguments + ["--method", method])
      outcome.expect(0)
      let record = try object(outcome.output)
      #expect(record["gains"] as? [String: Double] == ["red": 1, "green": 1, "blue": 1])
      #expect(record["method"] as? String == method)
      #expect((record["pixels"] as? [String: Int])?["total"] == 960)
      #expect((record["standardError"] != nil) == (method == "gray-card"))
    }
  }

  @Test func methodsThatAreNone() async throws {
    try writeScene()
    for (method, fact) in [
      ("mean", "gray-world"), ("gray-world:2", "no parameters"), ("gray-card:", "no parameters"),
      ("shades-of-gray:0.5", "P must be at least 1"), ("shades-of-gray:a", "shades-of-gray:6"),
      ("shades-of-gray:6,2", "one parameter"), ("white-patch:0", "100"),
      ("white-patch:101", "100"), ("black-level", "use 'wbcal black-level'"),
    ] {
      try await bench.run("estimate", "scene.ppm", "--method", method).expect(64, errors: fact)
    }
    try await bench.run("estimate", "--device", Workbench.camera, "--method", "gray-world").expect(
      64, errors: "require pictures")
    try await bench.run(
      "estimate", "scene.ppm", "--method", "gray-world", "--second-region", "0,0,9,9"
    ).expect(64, errors: "--method gray-card")
  }

  /// The chart's neutral 8 and neutral 6.5 agree. Neutral 5 is under another light, which must not
  /// be attributed to the black level.
  @Test func patchesOfTheRealPhotograph() async throws {
    let neutral8 = "796,908,36,36"
    let neutral65 = "904,906,36,36"
    let neutral5 = "1016,904,36,36"
    let agreeing = try await bench.run(
      "estimate", Workbench.dng, "--region", neutral8, "--second-region", neutral65)
    agreeing.expect(0)
    #expect(agreeing.output.contains("the patches agree (1.0 % red, 1.0 % blue)"))
    for patch in [neutral8, neutral65] {
      let outcome = try await bench.run(
        "estimate", Workbench.dng, "--region", patch, "--second-region", neutral5, "--json")
      outcome.expect(65, errors: "no plausible black level clearly explains it", "another lamp")
      #expect(!outcome.errors.contains("--black"))
      let record = try #require(try object(outcome.output)["patches"] as? [String: Any])
      #expect(record["verdict"] as? String == "disagreement")
      let difference = try #require(record["difference"] as? [String: Double])
      #expect(abs(try #require(difference["red"]) - (patch == neutral8 ? 0.064 : 0.054)) < 0.002)
      #expect(abs(try #require(difference["blue"]) - (patch == neutral8 ? 0.0235 : 0.035)) < 0.002)
    }
    // A black level that is not subtracted is found, but only to the patches' 1 %.
    let wrong = try await bench.run(
      "estimate", Workbench.dng, "--black", "0", "--region", neutral8, "--second-region", neutral65,
      "--json")
    wrong.expect(65, errors: "--black 20", "instead of 0")
    let record = try #require(try object(wrong.output)["patches"] as? [String: Any])
    #expect(record["verdict"] as? String == "black-level")
    #expect(abs(try #require(record["fittedBlackLevel"] as? Double) - 2056) < 30)
    #expect((5...30).contains(try #require(record["blackLevelError"] as? Double)))
    try await bench.run(
      "estimate", Workbench.dng, "--transfer", "gamma:1.5", "--region", neutral8, "--second-region",
      neutral65
    ).expect(65, errors: "--transfer linear")
    try await bench.run(
      "estimate", Workbench.dng, "--region", neutral8, "--second-region", "5000,0,9,9"
    ).expect(65, errors: "5000,0,9,9")
  }

  /// A 12-bit frame whose four planes have different levels, and one hot pixel.
  @Test func blackLevels() async throws {
    var data = Data()
    for row in 0..<32 {
      for column in 0..<32 {
        let place = row % 2 * 2 + column % 2
        let value =
          (row, column) == (7, 9) ? 2816 : [60, 62, 64, 66][place] + (row / 2 + column / 2) % 2
        data.append(contentsOf: [UInt8(value & 255), UInt8(value >> 8)])
      }
    }
    try data.write(to: bench.folder.appending(path: "dark.raw"))
    let arguments = ["black-level", "dark.raw", "--raw", "32x32:BG12"]
    let text = try await bench.run(arguments)
    text.expect(0)
    #expect(text.output.contains("black level 60.50 blue, 62.50 green, 64.50 green, 66.50 red"))
    #expect(text.output.contains("hot pixels: 1); --black 63.50"))
    let outcome = try await bench.run(arguments + ["--json"])
    let record = try object(outcome.output)
    #expect(record["method"] as? String == "black-level")
    #expect(abs(try #require(record["blackLevel"] as? Double) - 63.5) < 0.01)
    let planes = try #require(record["planes"] as? [[String: Any]])
    #expect(planes.map { $0["channel"] as? String } == ["blue", "green", "green", "red"])
    #expect(planes.map { $0["pixels"] as? Int } == [256, 256, 256, 256])
    #expect(planes.map { $0["hotPixels"] as? Int } == [0, 0, 0, 1])
    // A stream without an end, an even picture and a photograph are not dark frames.
    try await bench.run("estimate", "/dev/zero", "--raw", "16x16:RG10").expect(
      65, errors: "more than 512 bytes")
    try bench.write("even.ppm", "P3 16 16 255\n" + String(repeating: "90 90 90 ", count: 256))
    try await bench.run("black-level", "even.ppm")
      .expect(65, errors: "too bright to be without light")
    try await bench.run("black-level", Workbench.dng).expect(
      65, errors: "not a dark frame", "Cover the lens")
  }
}
