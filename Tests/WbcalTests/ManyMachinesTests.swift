import Foundation
import Testing

/// The recipes of the page ManyMachines, with its own scripts, on hosts that are this computer.
@Suite(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/parallel")))
struct ManyMachinesTests {
  private let bench: Workbench

  /// A replacement for `ssh`: any command on the host `bert` breaks off and loses the connection.
  /// GNU parallel needs the variable `SHELL`, which the server of `ssh` always sets.
  private static let ssh = #"""
    #!/bin/bash
    while [[ $1 == -* ]]; do shift; done
    host=$1
    shift
    if [ "$1" = -- ]; then shift; fi
    export SHELL=/bin/bash
    echo "$host" >>"${BASH_SOURCE%/*}/asked.txt"
    if [ "$host" = anna ]; then exec bash -c "$*"; fi
    bash -c "$*" | head -c 100
    exit 255
    """#

  init() throws {
    bench = try Workbench()
    let page = try String(
      contentsOf: Workbench.repository.appending(
        path: "Documentation/Guides.docc/ManyMachines.md"), encoding: .utf8)
    var scripts = page.matches(of: /(?m)^\$ cat >(\S+) <<'END'\n((?s:.*?\n))END$/)
      .map { (String($0.1), String($0.2)) }
    scripts.append(("ssh", Self.ssh))
    for (name, text) in scripts {
      try bench.write(name, text)
      try bench.setMode(0o755, of: name)
    }
    try bench.write("hosts.txt", "1/anna\n1/bert\n")
  }

  private func run(_ script: String, input: String = "") throws -> Workbench.Outcome {
    try bench.runProcess(
      input: input,
      shell: "set -o pipefail; export HOME=$PWD PATH=\"$PWD:${1%/*}:$PATH\"\n" + script)
  }

  /// Returns rows below a header, of which every tenth has no answer.
  private func table(header: String, row: (Int) -> String) -> String {
    header + "\n"
      + (0..<2000).map { row($0) + ($0 % 10 == 3 ? ",unknown\n" : ",0.3290\n") }.joined()
  }

  @Test func rowsInTheirOrderAlthoughOneHostFails() async throws {
    try await bench.makeProfile()
    let rows = table(header: "x,y") { "0.3\(1000 + $0)" }
    let options = "--from xy --to gains --profile desk.json"
    let single = try run("wbcal convert \(options)", input: rows)
    single.expect(65)
    let many = try run(
      "PARALLEL='--block 5k' convert-everywhere hosts.txt \(options)", input: rows)
    #expect(many.status == 0, "\(many.errors)")
    #expect(many.output == single.output)
    #expect(many.output.split(separator: "\n").count { $0 == ",," } == 200)
    let asked = Set(try bench.read("asked.txt").split(separator: "\n"))
    #expect(asked == ["anna", "bert"])
  }

  @Test func noHostHasAllAnswers() throws {
    try bench.write("hosts.txt", "1/bert\n")
    let outcome = try run(
      "convert-everywhere hosts.txt --from xy --to cct",
      input: table(header: "x,y") { "0.3\(1000 + $0)" })
    #expect(outcome.status == 1)
    #expect(outcome.output.hasPrefix("cct\n") && outcome.output.count < 200)
  }

  @Test func optionsThatDoNotFitReachNoHost() throws {
    let outcome = try run(
      "convert-everywhere hosts.txt --from xy --to gains --profile no.json", input: "x,y\n1,2\n")
    outcome.expect(66, errors: "no.json")
    #expect(!(try bench.files()).contains("asked.txt"))
  }

  @Test func aKeyRestoresTheOrder() throws {
    let rows = table(header: "key,x,y") { "\($0 * 7 % 2000),0.3\(1000 + $0)" }
    try bench.write("lights.csv", rows)
    let outcome = try run(
      """
      sed -i 's/ --keep-order//' convert-everywhere
      sorted() (read -r header && echo "$header" && sort -t , -k 1,1n)
      PARALLEL='--block 5k' convert-everywhere hosts.txt --from xy --to cct <lights.csv |
        sorted >many.csv
      wbcal convert --from xy --to cct <lights.csv | sorted | cmp - many.csv
      """)
    // `cmp` finds no difference; the exit code is that of the single run.
    #expect(outcome.status == 65, "\(outcome.output)\(outcome.errors)")
    #expect(try bench.read("many.csv").split(separator: "\n").count == 2001)
  }

  @Test func picturesAndThoseThatAreRefused() throws {
    for index in 0..<12 {
      try bench.writeCard("card \(index).ppm", index % 4 == 0 ? 255 : 100, 128, UInt8(60 + index))
    }
    let single = try run("ls card* | wbcal estimate - --json")
    single.expect(65, errors: "card 4.ppm")
    let many = try run(
      "sed -i 's/-N 100/-N 3/' estimate-everywhere; ls card* | estimate-everywhere hosts.txt")
    #expect(many.status == 0, "\(many.errors)")
    #expect(many.output == single.output)
    let records = many.output.split(separator: "\n")
    #expect(records.count == 12)
    #expect(records.count { $0.contains(#""accepted":false"#) } == 3)
  }

  @Test func namesThatEndInNULAndUnreadableOnes() throws {
    for index in 0..<5 { try bench.writeCard("card\n\(index).ppm", 100, 128, 60) }
    try bench.write("card.txt", "no picture")
    let many = try run(
      #"""
      sed -i 's/-N 100/-N 2/' estimate-everywhere
      { printf 'missing.ppm\0'; find . -name 'card*' -print0 | sort -z; } >names
      wbcal estimate - --json <names >one.jsonl
      PARALLEL="--recend '\0'" estimate-everywhere hosts.txt <names >many.jsonl && cmp *.jsonl
      """#)
    #expect(many.status == 0, "\(many.errors)")
    #expect(try bench.read("many.jsonl").split(separator: "\n").count == 7)
  }

  /// The output and exit code of `all-rows` for a command and its input.
  @Test(arguments: [
    ("cat; exit 65", "a\nb\n", 0, "a\nb\n"),  // complete, whatever the code says
    ("grep .", "a\n\n b", 0, "a\n b\n"),  // a blank line asks nothing, an open one does
    ("head -n 1; exit 65", "a\nb\n", 65, ""), ("head -n 1", "a\nb\n", 70, ""),
    ("printf 'a\\nb'", "a\nb\n", 70, ""),  // broken off in the last line
    ("cat; echo c", "a\nb\n", 70, ""), ("cat >/dev/null; kill -9 $$", "a\n", 137, ""),
    ("tr '\\0\\n' '\\n|'", "a\nb\0c\0", 0, "a|b\nc\n"), ("cat", "", 0, ""),
  ])
  func answersAreCounted(command: String, input: String, code: Int32, output: String) throws {
    let outcome = try run("all-rows '' bash -c \(Self.quoted(command))", input: input)
    #expect(outcome.status == code, "\(outcome.errors)")
    #expect(outcome.output == output)
    #expect(outcome.errors.contains("all-rows: ") == (code != 0))
  }

  @Test func aHeaderHasAnAnswerThatIsNotPassedOn() throws {
    let outcome = try run("all-rows x,y tr a b", input: "a\na\n")
    #expect(outcome.status == 0 && outcome.output == "b\nb\n")
  }

  private static func quoted(_ text: String) -> String {
    "'" + text.replacingOccurrences(of: "'", with: #"'\''"#) + "'"
  }
}
