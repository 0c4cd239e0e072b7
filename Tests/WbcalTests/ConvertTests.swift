import Foundation
import Testing

struct ConvertTests {
  private let bench: Workbench

  init() throws { bench = try Workbench() }

  /// 9.62 = 3000 · 0.003207, the exact Duv of (0.3127, 0.3290).
  @Test func theDesignsExample() throws {
    let outcome = try bench.run(
      "convert", "--from", "xy", "--to", "temperature-tint", input: "0.3127,0.3290\n")
    outcome.expect(0)
    let lines = outcome.output.split(separator: "\n")
    #expect(lines[0] == "temperature,tint")
    let numbers = lines[1].split(separator: ",").compactMap { Double($0) }
    #expect(abs(numbers[0] - 6504.344849321) < 1e-6)
    #expect(abs(numbers[1] - 9.621608285) < 1e-6)
    #expect(outcome.errors.isEmpty)
  }

  @Test func argumentsInsteadOfRows() throws {
    let one = try bench.run(
      "convert", "--from", "cct-duv", "--to", "mired-duv", "--", "5000", "-0.003")
    one.expect(0)
    #expect(one.output == "mired,duv\n200.0,-0.003\n")
    let two = try bench.run("convert", "--from", "xy", "--to", "xy", "0.3", "0.3", "0.4,0.4")
    #expect(two.output == "x,y\n0.3,0.3\n0.4,0.4\n")
  }

  @Test func everyRowThatCanBeConvertedIs() throws {
    let outcome = try bench.run(
      "convert", "--from", "xy", "--to", "uv",
      input: "x,y\r\n0.3127 0.3290\n\nfoo,1\n0.3,0.3,0.3\nnan,0.3\n1.5,0\n-0.1\t0.5\n0.25,0.25")
    outcome.expect(
      65, errors: "line 4: 'foo' is not a number", "line 5: xy takes 2 numbers (x, y), not 3",
      "line 6: xy nan,0.3 has no uv", "line 7: xy 1.5,0 has no uv")
    let lines = outcome.output.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count == 9)
    #expect(lines[0] == "u,v")
    #expect(lines[1].hasPrefix("0.1978300066"))
    #expect(lines[2...5].allSatisfy { $0 == "," })
    #expect(lines[7] == "0.18181818181818182,0.2727272727272727")
  }

  /// No row is taken for a header, or for another count of numbers, without a word.
  @Test(arguments: [
    ("0.3127;0.3290\n", "line 1: '0.3127;0.3290' is not a number"),
    ("O.3127,O.3290\n", "line 1: 'O.3127' is not a number"), (",\n", "line 1: '' is not a number"),
    ("0.3,,0.3\n", "line 1: '' is not a number"),
    ("0.3\u{0}x,0.3\n", "line 1: '0.3?x' is not a number"),
    ("x,y\n0.3,\n", "line 2: '' is not a number"), ("nan,nan\n", "line 1: xy nan,nan has no uv"),
  ])
  func rowsThatAreNone(input: String, fact: String) throws {
    let outcome = try bench.run("convert", "--from", "xy", "--to", "uv", input: input)
    outcome.expect(65, errors: fact)
    #expect(outcome.output == "u,v\n,\n")
  }

  @Test func whatSpreadsheetsWrite() throws {
    for header in ["", "x,y\r\n", "x (CIE 1931),y\r\n"] {
      let outcome = try bench.run(
        "convert", "--from", "xy", "--to", "xy", input: "\u{FEFF}\(header)0.3, 0.4\r\n")
      outcome.expect(0)
      #expect(outcome.output == "x,y\n0.3,0.4\n")
    }
  }

  @Test func oneEndlessLineIsOneBadRow() throws {
    let line = String(repeating: "0", count: 3 << 20)
    let outcome = try bench.run(
      "convert", "--from", "xy", "--to", "xy", input: "0.3,0.3\n\(line)\n0.4,0.4\n")
    outcome.expect(65, errors: "line 2: '(longer-than-1-MiB)'")
    #expect(outcome.output == "x,y\n0.3,0.3\n,\n0.4,0.4\n")
  }

  @Test func negativeNumbersNeedNoDashes() throws {
    let outcome = try bench.run(
      "convert", "--from", "mired-duv", "--to", "mired-duv", "-20", "-.003")
    outcome.expect(0)
    #expect(outcome.output == "mired,duv\n-20.0,-0.003\n")
  }

  @Test func standardOutputThatIsFull() throws {
    try bench.run(
      "convert", "--from", "xy", "--to", "xy", input: "0.3,0.3\n", shell: "\"$@\" > /dev/full"
    ).expect(74, errors: "standard output", "No space left on device")
  }

  @Test func theRadiationConstantOnlyRescales() throws {
    func kelvin(_ constant: String) throws -> Double {
      let outcome = try bench.run(
        "convert", "--from", "xy", "--to", "cct-duv", "--constant", constant, "0.3127", "0.3290")
      let row = outcome.output.split(separator: "\n")[1]
      return try #require(row.split(separator: ",").first.flatMap { Double($0) })
    }
    #expect(abs(try kelvin("codata2018") / kelvin("cie") - 1.438776877 / 1.4388) < 1e-12)
  }

  @Test func infiniteTemperatureIsAnAnswer() throws {
    let outcome = try bench.run("convert", "--from", "mired-duv", "--to", "cct-duv", "0", "0.01")
    outcome.expect(0)
    #expect(outcome.output == "cct,duv\ninf,0.01\n")
    let back = try bench.run("convert", "--from", "cct-duv", "--to", "xy", "inf", "0")
    back.expect(0)
    #expect(back.output.contains("0.23987696595"))
  }

  @Test func gainsNeedAProfile() throws {
    try bench.run("convert", "--from", "xy", "--to", "gains", "0.3", "0.3").expect(
      64, errors: "--profile")
    try bench.makeProfile()
    let there = try bench.run(
      "convert", "--from", "xy", "--to", "gains", "--profile", "desk.json", "--class", "daylight",
      "0.31272", "0.32903")
    there.expect(0)
    let gains = there.output.split(separator: "\n")[1]
    let numbers = gains.split(separator: ",").compactMap { Double($0) }
    #expect(abs(numbers[0] - 1 / 0.429) < 0.03)
    #expect(numbers[1] == 1)
    #expect(abs(numbers[2] - 1 / 0.781) < 0.03)
    let back = try bench.run(
      "convert", "--from", "gains", "--to", "xy", "--profile", "desk.json", "--class", "daylight",
      input: gains + "\n")
    let xy = back.output.split(separator: "\n")[1].split(separator: ",").compactMap { Double($0) }
    #expect(abs(xy[0] - 0.31272) < 1e-13)
    #expect(abs(xy[1] - 0.32903) < 1e-13)
    try bench.run(
      "convert", "--from", "gains", "--to", "xy", "--profile", "desk.json", "--", "1", "-1", "1"
    ).expect(65, errors: "no light needs the gains 1.0, -1.0, 1.0")
  }

  @Test func wrongUsage() throws {
    try bench.run("convert", "--from", "foo", "--to", "xy").expect(64, errors: "foo", "--from")
    try bench.run("convert", "--from", "xy").expect(64, errors: "--to")
    try bench.run("convert", "--from", "xy", "--to", "xy", "--frm").expect(64, errors: "--from")
    try bench.run("nothing").expect(64, errors: "nothing")
  }

  /// Rows come out while more input is awaited.
  @Test func itStreams() throws {
    let outcome = try bench.run(
      shell: """
        coproc { "$1" convert --from xy --to xy; }
        echo 0.3,0.4 >&"${COPROC[1]}"
        read -r -t 10 header <&"${COPROC[0]}" && read -r -t 10 row <&"${COPROC[0]}" && echo "$header $row"
        """)
    #expect(outcome.output == "x,y 0.3,0.4\n")
  }

  @Test func helpAndVersion() throws {
    for command in [
      "convert", "estimate", "calibrate", "set", "gray", "verify", "devices", "report",
    ] {
      let help = try bench.run(command, "--help")
      help.expect(0)
      #expect(help.output.contains("USAGE: wbcal \(command)"))
      #expect(help.output.contains("wbcal \(command) "), "an example")
    }
    let changes = try String(
      contentsOf: Workbench.repository.appending(path: "CHANGELOG.md"), encoding: .utf8)
    let newest = try #require(changes.firstMatch(of: /\n## \[?(\d+\.\d+\.\d+)/)?.1)
    #expect(try bench.run("--version").output == newest + "\n")
  }
}
