import Foundation
import Testing

/// Inputs of `convert` that are not a color, an imaginary color, or a light by its name.
struct ConvertUnitsTests {
  private let bench: Workbench

  init() throws { bench = try Workbench() }

  /// Numbers that are x and y of no color, for any primaries, are in other units.
  @Test func unitsOfSomethingElse() async throws {
    let path = Workbench.repository.appending(path: "Calibration/Reports/zigbee-units.csv").path
    let zigbee = try await bench.run(
      "convert", "--from", "xy", "--to", "temperature-tint",
      input: try String(contentsOfFile: path, encoding: .utf8))
    zigbee.expect(
      65, errors: "line 2: 20493,21561 is not the xy of any color", "in other units",
      "line 3: 30147,26859")
    #expect(zigbee.output == "temperature,tint\n,\n,\n")
    for (kind, numbers) in [
      ("xy", ["31.27", "32.90"]), ("xy", ["312.7", "329"]), ("xy", ["80", "84"]),
      ("xy", ["-3", "0.3"]), ("xy", ["0.3", "2.1"]), ("uv", ["12964", "20461"]),
      ("uv", ["19.78", "31.22"]), ("uv", ["0.2", "-1.5"]), ("cct-duv", ["5000", "3.1"]),
      ("mired-duv", ["200", "-2"]), ("temperature-tint", ["5000", "4000"]),
    ] {
      let outcome = try await bench.run(["convert", "--from", kind, "--to", "xy", "--"] + numbers)
      outcome.expect(65, errors: "is not the \(kind) of any color")
    }
  }

  /// The primaries of RGB spaces, some of which are imaginary, are colors: all are converted.
  @Test func imaginaryColorsAreAnswered() async throws {
    for numbers in [
      // ACES AP0's blue and green, ARRI Wide Gamut's blue, REDWideGamutRGB's green, and XYZ's own.
      ["0.0001", "-0.0770"], ["0.0000", "1.0000"], ["0.0861", "-0.1020"], ["0.121479", "1.493994"],
      ["1", "0"], ["0", "0"],
    ] {
      let outcome = try await bench.run(["convert", "--from", "xy", "--to", "uv", "--"] + numbers)
      outcome.expect(0, errors: "lies outside the spectral locus: no light has this color")
      #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome.errors)")
    }
    // The remark is shown once in a run, and not for real colors.
    let many = try await bench.run(
      "convert", "--from", "xy", "--to", "uv",
      input: String(repeating: "0.3127,0.3290\n0.1,0.9\n", count: 2000))
    many.expect(0, errors: "line 2: x 0.100, y 0.900 lies outside")
    #expect(many.errors.split(separator: "\n").count == 1)
    for numbers in [
      ["0.7347", "0.2653"], ["0.0082", "0.538"], ["0.17", "0.006"], ["0.08", "0.83"],
    ] {
      let real = try await bench.run(["convert", "--from", "xy", "--to", "uv"] + numbers)
      real.expect(0)
      #expect(real.errors.isEmpty, "\(numbers): \(real.errors)")
    }
    let far = try await bench.run("convert", "--from", "cct-duv", "--to", "xy", "--", "5000", "0.5")
    far.expect(0, errors: "lies outside the spectral locus")
    let named = try await bench.run("convert", "--light", "xy:0.1,0.9", "--to", "uv")
    named.expect(0, errors: "xy:0.1,0.9: x 0.100, y 0.900 lies outside")
  }

  /// One light per line; an invalid one is a failed row.
  @Test func lightsByName() async throws {
    try bench.write("flat.csv", "class,thermal\n380,1\n480,1\n580,1\n680,1\n780,1\n")
    let rows = "A\r\nD65\nxy:0.3127,0.3290\n\nspd:flat.csv\nFL-none\nspd:missing.csv\n2856K\n"
    let outcome = try await bench.run("convert", "--from", "light", "--to", "xy", input: rows)
    outcome.expect(
      65, errors: "line 6: 'FL-none' is not a light", "line 7: cannot read missing.csv")
    let lines = outcome.output.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count == 9 && lines[0] == "x,y" && lines[8] == "")
    // Illuminant A as CIE 15 publishes it, and the white of sRGB as given.
    #expect(lines[1] == "0.44758,0.40745" && lines[3] == "0.3127,0.329", "\(outcome.output)")
    // The equal-energy spectrum has x = y = 1/3.
    let flat = lines[4].split(separator: ",").compactMap { Double($0) }
    #expect(flat.count == 2 && flat.allSatisfy { abs($0 - 1 / 3) < 1e-3 })
    #expect(lines[5] == "," && lines[6] == ",")
    #expect(lines[7].hasPrefix("0.447"))

    let words = try await bench.run("convert", "--from", "light", "--to", "cct", "D50", "4000K")
    words.expect(0)
    #expect(words.output.split(separator: "\n").count == 3)
    let header = try await bench.run(
      "convert", "--from", "light", "--to", "xy", input: "light\n\"xy:0.3,0.3\"\n")
    header.expect(0)
    #expect(header.output == "x,y\n0.3,0.3\n")
    let bytes = try bench.runProcess(
      "convert", "--from", "light", "--to", "xy", shell: "printf 'A\\n\\377\\nE\\n' | \"$@\"")
    bytes.expect(65, errors: "line 2: the line is not UTF-8 text")
    #expect(bytes.output.split(separator: "\n", omittingEmptySubsequences: false).count == 5)
    try await bench.makeProfile()
    let gains = try await bench.run(
      "convert", "--from", "light", "--to", "gains", "--profile", "desk.json", input: "A\nD65\n")
    gains.expect(0)
    let options = try await bench.run(
      "convert", "--light", "A", "--light", "D65", "--to", "gains", "--profile", "desk.json")
    #expect(gains.output == options.output)
  }

  /// Every command takes the lamps that `devices --lights` lists as lights.
  @Test func lampsOfTheRoomAreLights() async throws {
    let list = try await bench.run("devices", "--lights")
    list.expect(0)
    let names = list.output.split(separator: "\n").map { line in
      String(line[..<(line.range(of: " (", options: .backwards)?.lowerBound ?? line.endIndex)])
    }
    #expect(names.count > 100)
    let outcome = try await bench.run(
      "convert", "--from", "light", "--to", "xy", input: names.joined(separator: "\n"))
    outcome.expect(0)
    #expect(outcome.output.split(separator: "\n").count == names.count + 1)
  }
}
