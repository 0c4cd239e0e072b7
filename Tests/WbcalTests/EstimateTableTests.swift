import Foundation
import Testing

/// The output of `estimate` for every input, for programs.
struct EstimateTableTests {
  private let bench: Workbench

  init() throws { bench = try Workbench() }

  private func object(_ text: some StringProtocol) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  /// The card's gains are those of 100, 128 and 64 by the sRGB curve, computed by hand.
  @Test func aRowForEveryInput() async throws {
    try bench.writeCard("a, \"b\".ppm", 100, 128, 64)
    try bench.writeCard("clipped.ppm", 100, 255, 64)
    try bench.write("text.png", "no picture")
    let names = ["a, \"b\".ppm", "clipped.ppm", "text.png", "missing.png"]
    let outcome = try await bench.run(["estimate"] + names + ["--csv"])
    outcome.expect(65, errors: "clipped.ppm", "text.png", "missing.png")
    let lines = outcome.output.components(separatedBy: "\n")
    #expect(lines.count == 6 && lines[5].isEmpty)
    let columns = lines[0].components(separatedBy: ",")
    #expect(columns.prefix(5) == ["file", "status", "red", "green", "blue"])
    #expect(lines[1].hasPrefix("\"a, \"\"b\"\".ppm\",ok,"))
    let numbers = lines[1].dropFirst("\"a, \"\"b\"\".ppm\",ok,".count).components(separatedBy: ",")
    #expect(numbers.count == columns.count - 2)
    func linear(_ code: Double) -> Double { pow((code / 255 + 0.055) / 1.055, 2.4) }
    for (index, gain) in [
      linear(128) / linear(100), 1, linear(128) / linear(64), linear(128) / linear(100),
      linear(128) / linear(64),
    ].enumerated() {
      #expect(abs(try #require(Double(numbers[index])) - gain) < 1e-4)
    }
    #expect(numbers.suffix(5) == ["768", "768", "0", "0", ""])
    for (line, start) in zip(
      lines[2...4], ["clipped.ppm,refused", "text.png,bad-data", "missing.png,no-input"])
    {
      let cells = line.components(separatedBy: ",")
      #expect(cells.count == columns.count)
      #expect(cells.prefix(2).joined(separator: ",") == start)
      #expect(cells[2..<15].joined().isEmpty)
    }
  }

  /// If the smallest gain is not that of green, the two forms of gains differ.
  @Test func gainsInBothForms() async throws {
    try bench.writeCard("card.ppm", 200, 100, 50)
    let outcome = try await bench.run("estimate", "card.ppm", "--json", "--transfer", "linear")
    let record = try object(outcome.output)
    #expect(record["gains"] as? [String: Double] == ["red": 1, "green": 2, "blue": 4])
    #expect(record["gainsGreenOne"] as? [String: Double] == ["red": 0.5, "green": 1, "blue": 2])
    let table = try await bench.run("estimate", "card.ppm", "--csv", "--transfer", "linear")
    #expect(table.output.contains("card.ppm,ok,1.0,2.0,4.0,0.5,2.0,"))
    let set = try await bench.run(
      "set", "--device", Workbench.camera, "--gains", "1,1.25,2", "--json")
    let gains = try #require(try object(set.output)["gains"] as? [String: Double])
    let green = try #require(try object(set.output)["gainsGreenOne"] as? [String: Double])
    #expect(green["green"] == 1 && gains.values.min() == 1)
    #expect(abs(green["blue"]! - gains["blue"]! / gains["green"]!) < 1e-12)
  }

  @Test func anObjectForEveryInput() async throws {
    try bench.writeCard("card.ppm", 100, 128, 64)
    try bench.write("text.png", "no picture")
    let outcome = try await bench.run("estimate", "text.png", "missing.png", "card.ppm", "--json")
    outcome.expect(65, errors: "text.png", "missing.png")
    let rows = try outcome.output.split(separator: "\n").map { try object($0) }
    #expect(rows.map { $0["file"] as? String } == ["text.png", "missing.png", "card.ppm"])
    #expect(rows.map { $0["accepted"] as? Bool } == [false, false, true])
    #expect(rows.map { $0["error"] as? String } == ["bad-data", "no-input", nil])
    #expect(rows.map { $0["exitCode"] as? Int } == [65, 66, nil])
    #expect(rows.map { ($0["reasons"] as? [String])?.count } == [1, 1, 0])
    let verified = try await bench.run("verify", "missing.png", "card.ppm", "--json")
    verified.expect(66, errors: "missing.png")
    let judged = try verified.output.split(separator: "\n").map { try object($0) }
    #expect(judged.map { $0["error"] as? String } == ["no-input", nil])
    #expect(judged.map { $0["neutral"] as? Bool } == [false, false])
    // A camera that fails is an input too.
    let camera = try await bench.run("estimate", "--device", "simulated:camera=none", "--json")
    camera.expect(69, errors: "none")
    #expect(try object(camera.output)["error"] as? String == "unavailable")
  }

  /// A card whose second patch disagrees is not accepted, whatever its first patch shows.
  @Test func aSecondRegionThatDisagrees() async throws {
    let outcome = try await bench.run(
      "estimate", Workbench.dng, "--region", "796,908,36,36", "--second-region",
      "1016,904,36,36", "--json")
    outcome.expect(65)
    let record = try object(outcome.output)
    #expect(record["accepted"] as? Bool == false)
    #expect(record["error"] as? String == "refused")
    #expect((record["reasons"] as? [String])?.count == 1)
  }

  /// Characters that could affect a terminal are escaped without changing the name.
  @Test func namesAreExactInJSON() async throws {
    let name = "a\n\u{202E}\u{1B}\u{7F}.ppm"
    try bench.writeCard(name, 100, 128, 64)
    let outcome = try await bench.run("estimate", name, "--json")
    outcome.expect(0)
    #expect(try object(outcome.output)["file"] as? String == name)
    #expect(!outcome.output.contains("\u{202E}") && !outcome.output.contains("\u{7F}"))
    let text = try await bench.run("estimate", name)
    #expect(text.output.hasPrefix("a????.ppm: red "))
    try await bench.run("estimate", "b\nc.ppm").expect(66, errors: "b?c.ppm does not exist")
  }

  @Test func onePictureInStandardInput() async throws {
    try bench.writeCard("card.ppm", 100, 128, 64)
    let script = "cat card.ppm | \"$@\""
    let piped = try bench.runProcess("estimate", "/dev/stdin", shell: script)
    piped.expect(0)
    let named = try await bench.run("estimate", "card.ppm")
    #expect(piped.output.replacing("/dev/stdin", with: "card.ppm") == named.output)
    try bench.runProcess("balance", "-", "-o", "out.ppm", shell: script).expect(0)
    try await bench.run("verify", "out.ppm").expect(0)
    try bench.runProcess("verify", "-", shell: "cat out.ppm | \"$@\"").expect(0)
    let list = try bench.runProcess("estimate", "-", shell: script)
    list.expect(65, errors: "write /dev/stdin instead of -")
    #expect(list.errors.split(separator: "\n").count == 1)
    try await bench.run("estimate", "-").expect(66, errors: "contains no file names")
  }

  @Test func formsThatDoNotGoTogether() async throws {
    try await bench.run("estimate", "x.ppm", "--csv", "--json").expect(
      64, errors: "cannot be combined")
    try await bench.run("find", "card", "x.ppm", "--csv").expect(64, errors: "--csv")
    try await bench.run("black-level", "x.ppm", "--csv").expect(64, errors: "--csv")
  }

  /// A full disk is no error of a picture, and is reported once.
  @Test func outputThatFailsIsSaidOnce() throws {
    try bench.writeCard("card.ppm", 100, 128, 64)
    for form in ["--json", "--csv"] {
      let outcome = try bench.runProcess(
        "estimate", "card.ppm", "card.ppm", "card.ppm", form, shell: "\"$@\" >/dev/full")
      outcome.expect(74, errors: "cannot write to standard output")
      #expect(outcome.errors.split(separator: "\n").count == 1)
    }
  }
}
