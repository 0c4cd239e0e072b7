import Foundation
import Testing

/// The numbers that other programs show.
struct ConvertMethodTests {
  private let bench: Workbench

  init() throws { bench = try Workbench() }

  private func numbers(_ outcome: Workbench.Outcome) throws -> [Double] {
    outcome.expect(0)
    let row = try #require(outcome.output.split(separator: "\n").dropFirst().first)
    return row.split(separator: ",").compactMap { Double($0) }
  }

  /// Below the evolute the nearer of two answers is given, and a message mentions the other.
  @Test func belowTheEvolute() async throws {
    let outcome = try await bench.run(
      "convert", "--from", "xy", "--to", "mired-duv", input: "0.31,0.33\n0.3,0.12\n")
    outcome.expect(0)
    #expect(
      outcome.errors
        == "line 2: two points of the locus have a normal through this color; the nearer is used\n")
    let duv = outcome.output.split(separator: "\n").last?.split(separator: ",").last
    #expect(abs((duv.flatMap { Double($0) } ?? 0) - -0.1467) < 6e-5)
  }

  /// The example of the help: exactly 6504 K, as the DNG SDK reads it.
  @Test func whyLightroomShows6503() async throws {
    let light = try await bench.run("convert", "--from", "cct", "--to", "xy", "6504")
    light.expect(0)
    let read = try await numbers(
      bench.run(
        "convert", "--from", "xy", "--to", "temperature-tint", "--method", "adobe-dng",
        input: light.output))
    #expect(abs(read[0] - 6503.29) < 0.005)
    #expect(abs(read[1] - 0.149) < 0.0005)
  }

  /// Near 3077 K the corrected table gives the correct value: 325 mired.
  @Test func theMisprint() async throws {
    let light = try await bench.run("convert", "--from", "cct", "--to", "uv", "3077")
    func kelvin(_ method: String) async throws -> Double {
      try await numbers(
        bench.run("convert", "--from", "uv", "--to", "cct", "--method", method, input: light.output)
      )[0]
    }
    #expect(abs(try await kelvin("adobe-dng") - 3055.9) < 0.05)
    #expect(abs(try await kelvin("robertson") - 3077) < 0.3)
    #expect(abs(try await kelvin("ohno") - 3077) < 0.1)
    #expect(abs(try await kelvin("exact") - 3077) < 1e-7)
  }

  /// Computed with colour-science 0.4.7.
  @Test(arguments: [("mccamy", 6505.0805913), ("hernandez-andres", 6500.7420432)])
  func kelvinOnly(method: String, kelvin: Double) async throws {
    let found = try await numbers(
      bench.run("convert", "--from", "xy", "--to", "cct", "--method", method, "0.3127", "0.3290"))
    #expect(found.count == 1)
    #expect(abs(found[0] - kelvin) < 1e-6)
  }

  /// Computed with colour-science 0.4.7.
  @Test(arguments: [
    ("krystek", "uv", 0.20047203, 0.31029290), ("kang", "xy", 0.31342600, 0.32359597),
    ("daylight", "xy", 0.31270775, 0.32911283),
  ])
  func locusOnly(method: String, kind: String, first: Double, second: Double) async throws {
    let found = try await numbers(
      bench.run("convert", "--from", "cct", "--to", kind, "--method", method, "6504.38938305"))
    #expect(abs(found[0] - first) < 1e-8)
    #expect(abs(found[1] - second) < 1e-8)
  }

  @Test(arguments: ["robertson", "adobe-dng", "ohno"])
  func thereAndBack(method: String) async throws {
    let there = try await bench.run(
      "convert", "--from", "cct-duv", "--to", "xy", "--method", method, "4000", "0.01")
    let exact = try await numbers(
      bench.run("convert", "--from", "xy", "--to", "cct-duv", input: there.output))
    #expect(abs(exact[0] - 4000) < 1)
    #expect(abs(exact[1] - 0.01) < 1e-4)
    let back = try await numbers(
      bench.run(
        "convert", "--from", "xy", "--to", "cct-duv", "--method", method, input: there.output))
    #expect(abs(back[0] - 4000) < 0.5)
    #expect(abs(back[1] - 0.01) < 1e-5)
  }

  @Test func cctIsOnTheLocus() async throws {
    let there = try await bench.run("convert", "--from", "cct", "--to", "cct-duv", "5000", "inf")
    there.expect(0)
    #expect(there.output == "cct,duv\n5000.0,0.0\ninf,0.0\n")
    let back = try await bench.run(
      "convert", "--from", "cct-duv", "--to", "cct", "--", "5000", "-0.003")
    #expect(back.output == "cct\n5000.0\n")
    try await bench.run("convert", "--from", "cct", "--to", "xy", input: "5000,0\n").expect(
      65, errors: "cct requires 1 number (cct), not 2")
  }

  @Test func rowsOutsideADomain() async throws {
    let outcome = try await bench.run(
      "convert", "--from", "cct", "--to", "xy", "--method", "krystek",
      input: "cct\n6500\n20000\nnan\n5000\n")
    outcome.expect(
      65, errors: "line 3: cct 20000 has no xy; krystek is valid for 1000 to 15000 K", "line 4: ")
    let lines = outcome.output.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count == 6)
    #expect(lines[2] == "," && lines[3] == ",")
    #expect(lines[1].hasPrefix("0.313") && lines[4].hasPrefix("0.345"))
  }

  /// The domain that the message names for a row outside it.
  @Test(arguments: [
    ("kang", "cct", "xy", "1000", "kang is valid for 1667 to 25000 K"),
    ("daylight", "cct", "xy", "3000", "daylight is valid for 4000 to 25000 K"),
    ("ohno", "cct-duv", "xy", "25000,0", "ohno is valid for 1000 to 20000 K"),
    ("robertson", "cct-duv", "xy", "1500,0", "robertson is valid for 1667 K and hotter"),
    ("mccamy", "xy", "cct", "0.66,0.34", "mccamy is valid for 1620 K and hotter"),
    (
      "hernandez-andres", "xy", "cct", "0.45,0.41", "hernandez-andres is valid for 3000 to 800000 K"
    ),
  ])
  func domains(method: String, from: String, to: String, row: String, fact: String) async throws {
    try await bench.run("convert", "--from", from, "--to", to, "--method", method, row).expect(
      65, errors: fact)
  }

  @Test(arguments: [
    ("mccamy", "cct", "xy", "mccamy only converts xy|uv|gains to cct."),
    ("mccamy", "xy", "cct-duv", "mccamy only converts xy|uv|gains to cct."),
    ("krystek", "xy", "cct", "krystek only converts cct to xy|uv|gains."),
    ("daylight", "cct-duv", "xy", "daylight only converts cct to xy|uv|gains."),
    (
      "ohno", "xy", "uv",
      "ohno only converts xy|uv|gains to cct|cct-duv|mired-duv|temperature-tint and back"
    ),
    ("adobe-dng", "cct-duv", "temperature-tint", "adobe-dng only converts "),
  ])
  func directionsItDoesNotHave(method: String, from: String, to: String, fact: String) async throws
  {
    try await bench.run("convert", "--from", from, "--to", to, "--method", method, "1", "2").expect(
      64, errors: fact)
  }

  @Test(arguments: ["cie", "codata2018"])
  func aTableFixesItsConstant(constant: String) async throws {
    try await bench.run(
      "convert", "--from", "xy", "--to", "cct", "--method", "ohno", "--constant", constant, "0.3",
      "0.3"
    ).expect(64, errors: "ohno has its own radiation constant", "--constant")
  }

  @Test func gainsCrossTheLocusToo() async throws {
    try await bench.makeProfile()
    let gains = try await bench.run(
      "convert", "--from", "xy", "--to", "gains", "--profile", "desk.json", "0.3127", "0.3290")
    let read = try await numbers(
      bench.run(
        "convert", "--from", "gains", "--to", "temperature-tint", "--method", "adobe-dng",
        "--profile", "desk.json", input: gains.output))
    #expect(abs(read[0] - 6503.7) < 0.05)
    #expect(abs(read[1] - 9.77) < 0.005)
  }
}
