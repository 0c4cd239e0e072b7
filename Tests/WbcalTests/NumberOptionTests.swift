import Testing

import ColorScience
import WhiteBalance

@testable import wbcal

/// Numbers in options, as people write them.
struct NumberOptionTests {
  @Test(arguments: [
    ("5600", 5600), ("5600K", 5600), ("5600 K", 5600), ("+5e3", 5000), ("-20000", -20000),
    ("\u{2212}20000K", -20000), ("inf", Double.infinity),
  ])
  func temperatures(word: String, kelvin: Double) throws {
    #expect(try parseTemperature(word) == kelvin)
  }

  @Test(arguments: [
    "", "K", "5600k", "5,600", "5600KK", "5 600", "5600\0", "\u{2212}", "5\u{2212}",
  ])
  func wordsThatAreNoTemperature(word: String) {
    #expect(throws: (any Error).self) { try parseTemperature(word) }
  }

  @Test(arguments: [("10", 10), ("0.5", 0.5), ("1/50", 0.02), ("+3", 3)])
  func times(word: String, seconds: Double) throws { #expect(try parseSeconds(word) == seconds) }

  @Test(arguments: ["", "/", "1/", "1/2/3", "a", "1,5"]) func wordsThatAreNoTime(word: String) {
    #expect(throws: (any Error).self) { try parseSeconds(word) }
  }

  /// A comma in place of the decimal point is not read as another chromaticity.
  @Test func chromaticities() throws {
    #expect(try parseChromaticity("+0.31,.33") == Chromaticity(x: 0.31, y: 0.33))
    for word in ["0,3127", "0,3127,0,3290", "0.31", "nan,0.3"] {
      #expect(throws: (any Error).self) { try parseChromaticity(word) }
    }
  }

  /// An error message shows the right form.
  @Test(arguments: [
    (["set", "--device", "simulated", "--temperature", "5600k"], "5600K"),
    (["set", "--device", "simulated", "--temperature", "5600", "--tint", "1,5"], "10 or -5"),
    (["set", "--device", "simulated", "--xy", "0,3127"], "0.3127,0.3290"),
    (["estimate", "a.png", "--black", "1,020"], "such as 64"),
    (["estimate", "a.png", "--white", "x"], "such as 1023"),
    (["watch", "--device", "simulated", "--seconds", "1m"], "10, 0.5 or 1/50"),
    (["watch", "--device", "simulated", "--every", "x"], "10, 0.5 or 1/50"),
    (["verify", "--device", "simulated", "--limit", "1 %"], "1 or 0.5"),
    (["restore", "--wait", "1.5"], "whole seconds, such as 10"),
  ])
  func formsAreSaid(words: [String], fact: String) async throws {
    try await Workbench().run(words).expect(64, errors: fact)
  }

  /// `--class` takes the classes that `devices --lights` prints.
  @Test func classesOfLights() async throws {
    let outcome = try await Workbench().run("devices", "--lights")
    outcome.expect(0)
    for line in outcome.output.split(separator: "\n") {
      let word = try #require(line.split(separator: "(").last?.dropLast())
      #expect(LightClass(rawValue: String(word)) != nil, "\(line)")
    }
  }
}
