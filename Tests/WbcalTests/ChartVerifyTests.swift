import ColorScience
import Foundation
import SimulatedScenes
import Testing
import WhiteBalance

/// The accuracy of a photographed chart's colors, as the tool reports it.
struct ChartVerifyTests {
  private let bench: Workbench

  init() throws { bench = try Workbench() }

  private struct Answer: Decodable {
    struct Patch: Decodable {
      var name: String
      var ciede2000: Double
    }
    var mean, p95: Double
    var worst: String
    var passes: Bool
    var patches: [Patch]
  }

  private func answer(_ outcome: Workbench.Outcome) throws -> Answer {
    try JSONDecoder().decode(Answer.self, from: Data(outcome.output.utf8))
  }

  /// Linear sRGB of the maker's published colors.
  private static func published() throws -> [SIMD3<Double>] {
    struct File: Decodable {
      struct Patch: Decodable { var lab: [Double] }
      var patches: [Patch]
    }
    let url = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Calibration/Reflectances/published-2014.json")
    let white = XYZ(StandardIlluminant.d50.chromaticity)
    let adaptation = try #require(
      ChromaticAdaptation(from: white, to: XYZ(RGBColorSpace.sRGB.white)))
    return try JSONDecoder().decode(File.self, from: Data(contentsOf: url)).patches.map {
      let color = XYZ(LabColor(l: $0.lab[0], a: $0.lab[1], b: $0.lab[2]), white: white)
      return RGBColorSpace.sRGB.fromXYZ * adaptation.matrix * color.vector
    }
  }

  /// The published colors in a picture of another brightness differ only by rounding, except cyan,
  /// which is outside sRGB.
  @Test func aDevelopedPicture() async throws {
    let colors = try Self.published().map { 0.9 * $0 }
    try bench.drawChart(colors, to: "right.ppm")
    let outcome = try await bench.run(
      "verify", "right.ppm", "--chart", "--json", "-o", "patches.svg")
    outcome.expect(0)
    let right = try answer(outcome)
    #expect(right.passes && right.mean < 0.4 && right.patches.count == 24)
    #expect(right.worst == "cyan")
    let svg = try bench.read("patches.svg")
    #expect(svg.hasPrefix("<svg xmlns=\"http://www.w3.org/2000/svg\""))
    let paths = svg.components(separatedBy: "<path fill=").count - 1
    #expect(paths == 2 * 24)
    #expect(svg.contains("blue sky"))

    // A wrong balance, a wrong patch, and a clipped patch.
    try bench.drawChart(colors.map { $0 * SIMD3(1.1, 1, 0.8) }, to: "warm.ppm")
    let warm = try await bench.run("verify", "warm.ppm", "--chart")
    warm.expect(65, errors: "the chart's colors are off by")
    #expect(warm.output.contains("above the limit of 3"))
    try await bench.run("verify", "warm.ppm", "--chart", "--gains", "\(1 / 1.1),1,1.25").expect(0)
    var other = colors
    other[14] = SIMD3(other[14].x, other[14].y, other[14].x)
    try bench.drawChart(other, to: "other.ppm")
    let red = try answer(try await bench.run("verify", "other.ppm", "--chart", "--json"))
    #expect(red.worst == "red")
    #expect(red.patches.count { $0.ciede2000 > 4 } == 1)
    other = colors
    other[18] = SIMD3(1.2, 1.1, 1)
    try bench.drawChart(other, to: "clipped.ppm")
    let clipped = try await bench.run("verify", "clipped.ppm", "--chart", "--json")
    clipped.expect(0, errors: "white 9.5 is clipped")
    #expect(try answer(clipped).patches.count == 23)
  }

  /// Colors outside sRGB have a channel at black, and converters leave smoothed noise; neither
  /// excludes a patch of a developed picture. An object on the patch does.
  @Test func blackChannelsAndGrain() async throws {
    var colors = try Self.published().map { 0.9 * $0 }
    colors[17] = SIMD3(-0.05, colors[17].y, colors[17].z)
    try bench.drawChart(colors, to: "grain.ppm", darkest: 0, grain: 12)
    let outcome = try await bench.run("verify", "grain.ppm", "--chart", "--json")
    outcome.expect(0)
    let grain = try answer(outcome)
    #expect(grain.patches.count == 24 && grain.worst == "cyan")
    #expect(grain.mean < 1, "\(grain.mean)")

    // The right half of blue sky, in the third column of the first row, is covered.
    let url = bench.folder.appending(path: "grain.ppm")
    var bytes = try Data(contentsOf: url)
    let header = bytes.count - 3 * 640 * 448
    for y in 40..<120 {
      for x in 272..<312 {
        for channel in 0..<3 { bytes[header + 3 * (y * 640 + x) + channel] = 30 }
      }
    }
    try bytes.write(to: url)
    let covered = try await bench.run("verify", "grain.ppm", "--chart", "--json")
    covered.expect(0, errors: "blue sky has more than one color")
    #expect(try answer(covered).patches.count == 23)
  }

  /// A camera's own values, its gains and its matrix, under a lamp for which its profile has no
  /// shot.
  @Test func aCameraWithItsProfile() async throws {
    let sensor = MeasuredSensor.all[8]
    for name in ["D65", "LED-B3"] {
      let light = try #require(StandardIlluminant(named: name)).spectrum
      let chart = ColorChart.classicFrom2014
      let rows = zip(chart.patches, sensor.responses(to: chart, under: light)).map { patch, seen in
        "\(seen.red),\(seen.green),\(seen.blue),\(patch.name)"
      }
      try bench.write("\(name).csv", (["r,g,b,name"] + rows).joined(separator: "\n") + "\n")
    }
    try await bench.run("calibrate", "--chart", "D65.csv@D65", "-o", "camera.json").expect(0)
    let outcome = try await bench.run(
      "verify", "LED-B3.csv", "--chart", "--profile", "camera.json", "--light", "LED-B3", "--json")
    outcome.expect(0)
    let right = try answer(outcome)
    #expect(right.mean < 2 && right.patches.count == 24)
    // Under another light than its own, the chart has other colors.
    try await bench.run(
      "verify", "LED-B3.csv", "--chart", "--profile", "camera.json", "--light", "D65"
    ).expect(65, errors: "off by")
    try await bench.run("verify", "LED-B3.csv", "--chart").expect(64, errors: "--profile")
  }

  @Test func whatDoesNotGoTogether() async throws {
    try await bench.run("verify", "--chart", "--device", "simulated").expect(
      64, errors: "wbcal bracket --count 1")
    try await bench.run("verify", "a.ppm", "--chart", "--light", "A").expect(
      64, errors: "--profile")
    try await bench.run("verify", "a.ppm", "--light", "A").expect(64, errors: "--chart")
    try await bench.run("verify", "a.ppm", "--corners", "1,1,2,1,2,2,1,2")
      .expect(64, errors: "require --chart")
    try await bench.run("verify", "a.ppm", "b.ppm", "--chart", "-o", "x.svg").expect(
      64, errors: "a single picture")
    try await bench.run("verify", "nowhere.ppm", "--chart").expect(66, errors: "nowhere.ppm")
  }
}
