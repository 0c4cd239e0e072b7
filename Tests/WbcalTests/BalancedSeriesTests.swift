import ColorScience
import Foundation
import SimulatedScenes
import Testing
import WhiteBalance

/// A series of pictures that get the gains of one card.
struct BalancedSeriesTests {
  private let bench: Workbench

  init() throws { bench = try Workbench() }

  @Test func theLightHasChanged() async throws {
    let series = try bench.writeSeries(count: 10, change: 5)
    try bench.writeCard("card.ppm", 128, 128, 128)
    let outcome = try await bench.run(
      ["balance"] + series + ["--like", "card.ppm", "--report", "day.html", "-o", "out/"])
    outcome.expect(0, errors: "from p5.ppm on the light has changed (over 99 % certain)")
    #expect(
      outcome.errors.contains("from the card's\nput a card into the light of p5.ppm to p9.ppm"))
    #expect(outcome.output.hasSuffix("wrote day.html\n"))
    let page = try bench.read("day.html")
    for file in ["card.ppm"] + series { #expect(page.contains(">\(file)</th>"), "\(file)") }
    #expect(page.contains("at least 2 lights") && page.contains("Put a card into the light of p5"))
    #expect(page.components(separatedBy: ">needed<").count == 6)
  }

  /// Pictures that cannot be read are named, and the others are compared.
  @Test func badPictures() async throws {
    let series = try bench.writeSeries(count: 10, change: 5)
    try bench.writeCard("card.ppm", 128, 128, 128)
    try bench.write("bad.ppm", "P6 9 9 255\n")
    let outcome = try await bench.run(
      ["balance", "missing.ppm"] + series
        + ["bad.ppm", "--like", "card.ppm", "--report", "day.html", "-o", "out/"])
    outcome.expect(66, errors: "wbcal: missing.ppm does not exist", "bad.ppm", "from p5.ppm on")
    let page = try bench.read("day.html")
    #expect(page.contains("<li>missing.ppm: ") && page.contains("<li>bad.ppm: "))
    let none = try await bench.run("balance", "bad.ppm", "no.ppm", "--gains", "1,1,1", "-o", "out/")
    none.expect(65)
    #expect(!none.errors.contains("light is certain"))
  }

  @Test func oneLight() async throws {
    let series = try bench.writeSeries(count: 10, change: 10)
    try bench.writeCard("card.ppm", 128, 128, 128)
    let like = try await bench.run(["balance"] + series + ["--like", "card.ppm", "-o", "out/"])
    like.expect(0, errors: "no change of the light is certain; the pictures alone do not show one")
    #expect(!like.errors.contains("put a card"))
    // Pictures with a card in each have nothing in common.
    let own = try await bench.run(["balance"] + series + ["-o", "out/"])
    #expect(!own.errors.contains("light is certain") && !own.errors.contains("light has changed"))
    try await bench.run("balance", "card.ppm", "-o", "a.ppm", "--report", "day.html")
      .expect(64, errors: "--report requires gains for all pictures")
    try await bench.run(
      ["balance"] + series + ["--gains", "1,1,1", "-o", "out/", "--report", "p1.ppm"]
    ).expect(64)
    #expect(try bench.files().contains("p1.ppm"))
    try await bench.run(
      ["balance"] + series + ["--gains", "1,1,1", "-o", "new/", "--report", "./new/p1.ppm"]
    ).expect(64, errors: "is also a picture's name")
    #expect(try !bench.files().contains("new"))
  }

  /// The card may be one of the pictures; without one, all lights need one.
  @Test func cardsAmongThePictures() async throws {
    let series = try bench.writeSeries(count: 10, change: 5)
    try bench.writeCard("card.ppm", 128, 128, 128)
    let like = try await bench.run(
      ["balance"] + series + ["card.ppm", "--like", "card.ppm", "-o", "out/"])
    like.expect(0, errors: "from p5.ppm on the light has changed")
    let gains = try await bench.run(["balance"] + series + ["--gains", "1,1,1", "-o", "out/"])
    gains.expect(0, errors: "put a card into the light of p0.ppm to p4.ppm", "p5.ppm to p9.ppm")
  }
}

extension Workbench {
  /// Writes pictures p0.ppm, p1.ppm, … of motifs that differ in color, under daylight; from the
  /// number `change` on, under a warmer light. Returns their names.
  func writeSeries(count: Int, change: Int) throws -> [String] {
    var random = SplitMix64(state: 7)
    return try (0..<count).map { index in
      let light = index < change ? SIMD3(1, 1, 1) : SIMD3(1.8, 1, 0.5)
      let colorfulness = 0.3 * random.uniform()
      var pixels = Data("P6 96 64 255\n".utf8)
      let cells = (0..<96).map { _ in
        let shade = 0.08 + 0.3 * random.uniform()
        return light * shade
          * SIMD3(
            exponential(colorfulness * random.nextSigned()), 1,
            exponential(colorfulness * random.nextSigned()))
      }
      for row in 0..<64 {
        for column in 0..<96 {
          let cell = cells[row / 8 * 12 + column / 8]
          for channel in 0..<3 {
            let code = 255 * TransferFunction.sRGB.encoded(min(cell[channel], 0.95))
            pixels.append(UInt8(code.rounded()))
          }
        }
      }
      let name = "p\(index).ppm"
      try pixels.write(to: folder.appending(path: name))
      return name
    }
  }
}
