import Foundation
import Testing

@testable import WbcalArguments
@testable import wbcal

struct ConvertTests {
  private let bench: Workbench

  init() throws { bench = try Workbench() }

  /// 9.62 = 3000 · 0.003207, the exact Duv of (0.3127, 0.3290).
  @Test func theDesignsExample() async throws {
    let outcome = try await bench.run(
      "convert", "--from", "xy", "--to", "temperature-tint", input: "0.3127,0.3290\n")
    outcome.expect(0)
    let lines = outcome.output.split(separator: "\n")
    #expect(lines[0] == "temperature,tint")
    let numbers = lines[1].split(separator: ",").compactMap { Double($0) }
    #expect(abs(numbers[0] - 6504.344849321) < 1e-6)
    #expect(abs(numbers[1] - 9.621608285) < 1e-6)
    #expect(outcome.errors.isEmpty)
  }

  @Test func argumentsInsteadOfRows() async throws {
    let one = try await bench.run(
      "convert", "--from", "cct-duv", "--to", "mired-duv", "--", "5000", "-0.003")
    one.expect(0)
    #expect(one.output == "mired,duv\n200.0,-0.003\n")
    let two = try await bench.run("convert", "--from", "xy", "--to", "xy", "0.3", "0.3", "0.4,0.4")
    #expect(two.output == "x,y\n0.3,0.3\n0.4,0.4\n")
  }

  @Test func everyRowThatCanBeConvertedIs() async throws {
    let outcome = try await bench.run(
      "convert", "--from", "xy", "--to", "uv",
      input: "0.3127,0.3290\r\n\n\nfoo,1\n0.3,0.3,0.3\nnan,0.3\n1.5,0\n-0.1, 0.5\n0.25,0.25")
    outcome.expect(
      65, errors: "line 4: 'foo' is not a number", "line 5: xy requires 2 numbers (x, y), not 3",
      "line 6: xy nan,0.3 has no uv", "line 7: xy 1.5,0 has no uv")
    let lines = outcome.output.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count == 9)
    #expect(lines[0] == "u,v")
    #expect(lines[1].hasPrefix("0.1978300066"))
    #expect(lines[2...5].allSatisfy { $0 == "," })
    #expect(lines[7] == "0.18181818181818182,0.2727272727272727")
  }

  /// No row is silently read as a header, or as a row with another number of values.
  @Test(arguments: [
    (
      "NULL,NULL\n",
      "line 1: 'NULL' is not a number; if this is a header, name x,y in it or use --h"
    ),
    ("n/a\tn/a\n", "line 1: 'n/a'"),
    ("0,3127 0,3290\n", "line 1: '0,3127' is not a number; write it with a decimal point"),
    ("0,3127;0,3290\n", "line 1: '0,3127' is not a number; write it with a decimal point"),
    ("0,3127\n", "line 1: '0,3127' may be one number with a comma;"),
    ("\"0.3,0.3\n", "line 1: its quotation marks do not match"),
    ("O.3127,O.3290\n", "line 1: 'O.3127' is not a number"), (",\n", "line 1: '' is not a number"),
    ("0.3,,0.3\n", "line 1: '' is not a number"),
    ("0.3\u{0}x,0.3\n", "line 1: '0.3?x' is not a number"),
    ("x,y\n0.3,\n", "line 2: '' is not a number"),
    ("x,y\n0.3\n", "line 2: it has 1 field, but the header 2"),
    ("x,y\n0.3;0.3\n", "line 2: its separator is semicolons, that of the first row commas"),
    ("nan,nan\n", "line 1: xy nan,nan has no uv"),
  ])
  func rowsThatAreNone(input: String, fact: String) async throws {
    let outcome = try await bench.run("convert", "--from", "xy", "--to", "uv", input: input)
    outcome.expect(65, errors: fact)
    #expect(outcome.output == "u,v\n,\n")
  }

  @Test func whatSpreadsheetsWrite() async throws {
    for header in ["", "x,y\r\n", "x (CIE 1931),y\r\n"] {
      let outcome = try await bench.run(
        "convert", "--from", "xy", "--to", "xy", input: "\u{FEFF}\(header)0.3, 0.4\r\n")
      outcome.expect(0)
      #expect(outcome.output == "x,y\n0.3,0.4\n")
    }
  }

  /// Numbers are found by the names of their columns; other columns are copied before the results.
  @Test(arguments: [
    ("xy", "y,x\n0.4,0.3\n", "x,y\n0.3,0.4\n"),
    (
      "xy", "key;y;x\n a, b;0.4;0.3\n\"say \"\"a\"\"\";0.2;0.1\n",
      "key,x,y\n\"a, b\",0.3,0.4\n\"say \"\"a\"\"\",0.1,0.2\n"
    ),
    ("xy", "x\ty\tdesk lamp\n0.3\t0.4\tnew one\r\n", "desk lamp,x,y\nnew one,0.3,0.4\n"),
    ("xy", "x,y,Y,cct\n0.3,0.4,87,NULL\n", "Y,cct,x,y\n87,NULL,0.3,0.4\n"),
    ("xy", "X Y\n0.3 0.4\n", "x,y\n0.3,0.4\n"), ("xy", "x,y\r0.3,0.4\r", "x,y\n0.3,0.4\n"),
    ("xy", "\u{2212}0.1,+0.5\n", "x,y\n-0.1,0.5\n"),
    ("cct-duv", "Duv,Temperature [K]\n-0.003,5000 K\n", "cct,duv\n5000.0,-0.003\n"),
    ("temperature-tint", "tint,CCT\n10,5000K\n", "temperature,tint\n5000.0,10.0\n"),
    ("mired-duv", "duv,mired\n0,200\n", "mired,duv\n200.0,0.0\n"),
    ("cct", "kelvin\n5000\n", "cct\n5000.0\n"),
  ])
  func headers(kind: String, input: String, expected: String) async throws {
    let outcome = try await bench.run("convert", "--from", kind, "--to", kind, input: input)
    outcome.expect(0)
    #expect(outcome.output == expected)
    #expect(outcome.errors.isEmpty)
  }

  /// A header that means other numbers is never read as one of these.
  @Test(arguments: [
    ("xy", "u,v", "use --from uv"),
    ("xy", "cct,uv", "--from xy requires a column x: use --from cct"),
    ("xy", "X,Y,Z", "tristimulus"), ("xy", "x,Y", "tristimulus"), ("xy", "x,foo", "a column y"),
    ("xy", "x (CIE 1964),y", "a column x"), ("xy", "x,y,x", "names x twice"),
    ("xy", "x (CIE 1964),y (CIE 1964)", "a column x"), ("xy", "x10,y10", "a column x"),
    ("uv", "u',v'", "CIE 1976"), ("uv", "u (CIE 1976),v (CIE 1976)", "CIE 1976"),
    ("uv", "L*,u,v", "another color space"), ("uv", "Y,U,V", "another color space"),
    ("temperature-tint", "cct,duv", "use --from cct-duv"),
    ("cct-duv", "temperature,tint", "use --from temperature-tint"),
    ("cct-duv", "mired,duv", "use --from mired-duv"),
    ("mired-duv", "cct,duv", "use --from cct-duv"), ("cct", "cct,duv", "use --from cct-duv"),
    ("cct", "mired", "a column cct"),
  ])
  func headersThatContradict(kind: String, header: String, fact: String) async throws {
    let outcome = try await bench.run(
      "convert", "--from", kind, "--to", "xy", input: "\(header)\n0.3,0.4,0.5\n")
    outcome.expect(65, errors: "line 1: the header is \(header)", fact)
    #expect(outcome.output.isEmpty)
  }

  @Test func headersThatAreSaidToBe() async throws {
    let unknown = try await bench.run(
      "convert", "--from", "xy", "--to", "xy", "--header", input: "foo;bar\n0.3;0.4\n")
    unknown.expect(0)
    #expect(unknown.output == "x,y\n0.3,0.4\n")
    try await bench.run(
      "convert", "--from", "xy", "--to", "xy", "--header", input: "foo;bar;baz\n0.3;0.4;1\n"
    ).expect(65, errors: "line 1: the header has no known name")
    let none = try await bench.run(
      "convert", "--from", "xy", "--to", "xy", "--no-header", input: "x,y\n0.3,0.4\n")
    none.expect(65, errors: "line 1: 'x' is not a number")
    #expect(none.output == "x,y\n,\n0.3,0.4\n")
    try await bench.run("convert", "--from", "xy", "--to", "xy", "--header", "--no-header").expect(
      64)
  }

  /// Commas within an argument separate only the numbers of a whole row.
  @Test(arguments: [
    ("cct", ["5,600"], "'5,600' may be one number"),
    ("temperature-tint", ["5,600"], "'5,600' may be one number"),
    ("xy", ["0,3127", "0,3290"], "'0,3127' may be one number"),
    ("xy", ["0,3127;0,3290"], "'0,3127' is not a number; write it with a decimal point"),
    ("xy", ["0.3", "0.3,0.4"], "xy requires 2 numbers (x, y), not 1"),
  ])
  func argumentsThatAreNone(kind: String, words: [String], fact: String) async throws {
    try await bench.run(["convert", "--from", kind, "--to", "uv"] + words).expect(65, errors: fact)
  }

  @Test func numbersAsPeopleWriteThem() async throws {
    for kelvin in [["5000K"], ["5000 K"], ["+5000"], ["5e3"]] {
      let outcome = try await bench.run(["convert", "--from", "cct", "--to", "cct"] + kelvin)
      #expect(outcome.output == "cct\n5000.0\n")
    }
    let minus = try await bench.run(
      "convert", "--from", "cct-duv", "--to", "cct-duv", "5000K", "\u{2212}0.003")
    #expect(minus.output == "cct,duv\n5000.0,-0.003\n")
    try await bench.run("convert", "--from", "xy", "--to", "xy", "0.3K", "0.4").expect(
      65, errors: "'0.3K' is not a number")
  }

  @Test func encodings() throws {
    for (encoding, fact) in [(String.Encoding.utf16, "UTF-16"), (.utf16LittleEndian, "UTF-16")] {
      let data = try #require("x,y\n0.3,0.4\n".data(using: encoding))
      try data.write(to: bench.folder.appending(path: "table.csv"))
      try bench.runProcess("convert", "--from", "xy", "--to", "xy", shell: "\"$@\" < table.csv")
        .expect(
          65, errors: "standard input is \(fact) text; save it as UTF-8")
    }
    try Data("x,y,n\n0.3,0.4,\u{fc}\n".unicodeScalars.map { UInt8($0.value) }).write(
      to: bench.folder.appending(path: "table.csv"))
    let latin = try bench.runProcess(
      "convert", "--from", "xy", "--to", "xy", shell: "\"$@\" < table.csv")
    latin.expect(65, errors: "line 2: the line is not UTF-8 text")
    #expect(latin.output == "n,x,y\n,,\n")
    // A header of unknown names may have any order.
    try Data("y,x (2\u{b0})\n0.3,0.4\n".unicodeScalars.map { UInt8($0.value) }).write(
      to: bench.folder.appending(path: "table.csv"))
    let unknown = try bench.runProcess(
      "convert", "--from", "xy", "--to", "xy", shell: "\"$@\" < table.csv")
    unknown.expect(65, errors: "line 1: the line is not UTF-8 text; save the table as UTF-8")
    #expect(unknown.output.isEmpty)
  }

  @Test func oneEndlessLineIsOneBadRow() async throws {
    let line = String(repeating: "0", count: 3 << 20)
    let outcome = try await bench.run(
      "convert", "--from", "xy", "--to", "xy", input: "0.3,0.3\n\(line)\n0.4,0.4\n")
    outcome.expect(65, errors: "line 2: the line is longer than 1 MiB")
    #expect(outcome.output == "x,y\n0.3,0.3\n,\n0.4,0.4\n")
  }

  @Test func negativeNumbersNeedNoDashes() async throws {
    let outcome = try await bench.run(
      "convert", "--from", "mired-duv", "--to", "mired-duv", "-20", "-.003")
    outcome.expect(0)
    #expect(outcome.output == "mired,duv\n-20.0,-0.003\n")
  }

  @Test func standardOutputThatIsFull() throws {
    try bench.runProcess(
      "convert", "--from", "xy", "--to", "xy", input: "0.3,0.3\n", shell: "\"$@\" > /dev/full"
    ).expect(74, errors: "standard output", "No space left on device")
  }

  @Test func theRadiationConstantOnlyRescales() async throws {
    func kelvin(_ constant: String) async throws -> Double {
      let outcome = try await bench.run(
        "convert", "--from", "xy", "--to", "cct-duv", "--constant", constant, "0.3127", "0.3290")
      let row = outcome.output.split(separator: "\n")[1]
      return try #require(row.split(separator: ",").first.flatMap { Double($0) })
    }
    #expect(abs(try await kelvin("codata2018") / kelvin("cie") - 1.438776877 / 1.4388) < 1e-12)
  }

  @Test func infiniteTemperatureIsAnAnswer() async throws {
    let outcome = try await bench.run(
      "convert", "--from", "mired-duv", "--to", "cct-duv", "0", "0.01")
    outcome.expect(0)
    #expect(outcome.output == "cct,duv\ninf,0.01\n")
    let back = try await bench.run("convert", "--from", "cct-duv", "--to", "xy", "inf", "0")
    back.expect(0)
    #expect(back.output.contains("0.23987696595"))
  }

  @Test func gainsNeedAProfile() async throws {
    try await bench.run("convert", "--from", "xy", "--to", "gains", "0.3", "0.3").expect(
      64, errors: "--profile")
    try await bench.makeProfile()
    let there = try await bench.run(
      "convert", "--from", "xy", "--to", "gains", "--profile", "desk.json", "--class", "daylight",
      "0.31272", "0.32903")
    there.expect(0)
    let gains = there.output.split(separator: "\n")[1]
    let numbers = gains.split(separator: ",").compactMap { Double($0) }
    #expect(abs(numbers[0] - 1 / 0.429) < 0.03)
    #expect(numbers[1] == 1)
    #expect(abs(numbers[2] - 1 / 0.781) < 0.03)
    let back = try await bench.run(
      "convert", "--from", "gains", "--to", "xy", "--profile", "desk.json", "--class", "daylight",
      input: gains + "\n")
    let xy = back.output.split(separator: "\n")[1].split(separator: ",").compactMap { Double($0) }
    #expect(abs(xy[0] - 0.31272) < 1e-13)
    #expect(abs(xy[1] - 0.32903) < 1e-13)
    try await bench.run(
      "convert", "--from", "gains", "--to", "xy", "--profile", "desk.json", "--", "1", "-1", "1"
    ).expect(65, errors: "no light needs the gains 1.0, -1.0, 1.0")
  }

  @Test func wrongUsage() async throws {
    try await bench.run("convert", "--from", "foo", "--to", "xy").expect(
      64, errors: "foo", "--from")
    try await bench.run("convert", "--from", "xy").expect(64, errors: "--to")
    try await bench.run("convert", "--from", "xy", "--to", "xy", "--frm").expect(
      64, errors: "--from")
    try await bench.run("nothing").expect(64, errors: "nothing")
  }

  /// Results are written while more input is awaited.
  @Test func itStreams() throws {
    let outcome = try bench.runProcess(
      shell: """
        coproc { "$1" convert --from xy --to xy; }
        echo 0.3,0.4 >&"${COPROC[1]}"
        read -r -t 10 header <&"${COPROC[0]}" && read -r -t 10 row <&"${COPROC[0]}" && echo "$header $row"
        for next in 0.31,0.41 0.32,0.42; do
          echo $next >&"${COPROC[1]}"
          read -r -t 10 row <&"${COPROC[0]}" && echo "$row"
        done
        """)
    #expect(outcome.output == "x,y 0.3,0.4\n0.31,0.41\n0.32,0.42\n")
  }

  /// Prose is wrapped, but an example stays as it is; a line that a terminal wraps could not be
  /// copied.
  @Test func examplesFitATerminal() {
    func check(_ command: any AsyncParsableCommand.Type) {
      for line in command.configuration.discussion.split(separator: "\n")
      where line.hasPrefix("  ") {
        #expect(line.count <= 80, "\(line)")
      }
      command.configuration.subcommands.forEach(check)
    }
    check(Wbcal.self)
  }

  @Test func helpAndVersion() async throws {
    for command in [
      "convert", "estimate", "find", "black-level", "calibrate", "set", "gray", "verify", "devices",
      "report",
    ] {
      let help = try await bench.run(command, "--help")
      help.expect(0)
      #expect(help.output.contains("USAGE: wbcal \(command)"))
      #expect(help.output.contains("wbcal \(command) "), "an example")
    }
    let changes = try String(
      contentsOf: Workbench.repository.appending(path: "CHANGELOG.md"), encoding: .utf8)
    let newest = try #require(changes.firstMatch(of: /\n## \[?(\d+\.\d+\.\d+)/)?.1)
    #expect(try await bench.run("--version").output == newest + "\n")
  }
}
