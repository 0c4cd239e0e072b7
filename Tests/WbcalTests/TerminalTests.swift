import Foundation
import Testing

/// The tool at a terminal, used as by a person.
@Suite(.serialized) struct TerminalTests {
  private let bench: Workbench

  init() throws { bench = try Workbench() }

  private static let calibrate =
    "$wbcal calibrate --device \(Workbench.camera),prompt=1 --light A --light D65 -o desk.json"
  private static let question = "and press Return."

  /// Returns a terminal at which `calibrate` has asked for its first light.
  private func atTheFirstQuestion() throws -> PseudoTerminal {
    let terminal = try PseudoTerminal(bench)
    terminal.type(Self.calibrate + "\r")
    try terminal.wait(for: "Switch to lamp A, with the gray card")
    try terminal.wait(for: Self.question)
    return terminal
  }

  private func lights() throws -> [String] {
    let profile = try JSONSerialization.jsonObject(with: Data(bench.read("desk.json").utf8))
    let calibration = try #require((profile as? [String: Any])?["calibration"] as? [String: Any])
    return try #require(calibration["shots"] as? [[String: Any]]).compactMap {
      (($0["shot"] as? [String: Any])?["light"] as? [String: Any])?["name"] as? String
    }
  }

  /// The room has the light only after Return was pressed, and an early Return does not answer a
  /// later question.
  @Test func eachLightWaitsForReturn() async throws {
    let terminal = try atTheFirstQuestion()
    terminal.type("\r\r\r")
    try terminal.wait(for: "Switch to lamp D65, with the gray card")
    try terminal.wait(for: Self.question)
    usleep(500_000)
    #expect(try bench.files().isEmpty)
    terminal.type("done\r")
    try terminal.wait(for: "saved desk.json")
    try terminal.wait(for: "ready0 ")
    #expect(try lights() == ["A", "D65"])
    // The shots are the same as those in a room that changes its light by itself.
    try await bench.run(
      "calibrate", "--device", Workbench.camera, "--light", "A", "--light", "D65", "-o", "own.json"
    ).expect(0)
    let compared = try await bench.run(
      "profile", "compare", "desk.json", "own.json", "--light", "A")
    #expect(compared.output.contains("at most 0.0"), "\(compared.output)")
  }

  @Test func aQuestionThatIsNotAnswered() throws {
    let terminal = try PseudoTerminal(bench)
    for (keys, message, code) in [
      ("\u{3}", "the camera's settings were restored", 130),
      ("\u{4}", "input ended before Return", 64),
      // In a line with text, Ctrl-D only ends the line.
      ("ab\u{4}\u{3}", "the camera's settings were restored", 130),
    ] {
      terminal.type(Self.calibrate + "\r")
      try terminal.wait(for: Self.question)
      terminal.type(keys)
      try terminal.wait(for: message)
      try terminal.wait(for: "ready\(code) ")
    }
    #expect(try bench.files().isEmpty)
  }

  /// Ctrl-Z stops the program, `fg` repeats the question, and no work is lost.
  @Test func aQuestionThatIsPutOff() throws {
    let terminal = try atTheFirstQuestion()
    terminal.type("\u{1A}")
    try terminal.wait(for: "Stopped")
    try terminal.wait(for: "ready")
    terminal.resize(columns: 40, rows: 12)
    terminal.type("fg\r")
    try terminal.wait(for: "Switch to lamp A, with the gray card")
    try terminal.wait(for: Self.question)
    terminal.type("\r")
    try terminal.wait(for: "Switch to lamp D65, with the gray card")
    try terminal.wait(for: Self.question)
    terminal.type("\r")
    try terminal.wait(for: "saved desk.json")
    #expect(try lights() == ["A", "D65"])
  }

  /// Returns the last drawing in a terminal's text.
  private func lastDrawing(_ text: String) throws -> [Substring] {
    let start = try #require(text.range(of: "\u{1B}[J", options: .backwards)).upperBound
    return text[start...].split(separator: "\n", omittingEmptySubsequences: false)
  }

  @Test func watchingFitsTheTerminal() throws {
    let terminal = try PseudoTerminal(bench)
    terminal.type("$wbcal watch --device \(Workbench.camera),fps=30\r")
    try terminal.wait(for: "frames/s")
    let wide = try lastDrawing(terminal.wait(for: "frames/s"))
    #expect(wide.allSatisfy { $0.count < 80 })
    terminal.resize(columns: 40, rows: 12)
    // One drawing may be in progress.
    for _ in 0..<2 { try terminal.wait(for: "\u{1B}[J") }
    let drawing = try terminal.wait(for: "\r\u{1B}[")
    let narrow = drawing.dropLast(3).split(separator: "\n")
    #expect(narrow.count > wide.count && narrow.count <= 12, "\(drawing)")
    #expect(narrow.allSatisfy { $0.count < 40 }, "\(drawing)")
    // The last reading stays, and the shell's line comes below it.
    terminal.type("\u{3}")
    let end = try terminal.wait(for: "ready0 ")
    let last = try lastDrawing(end)
    #expect(last.first?.hasPrefix("automatic, ") ?? false, "\(end.debugDescription)")
    #expect(last.dropFirst().joined(separator: " ").contains("gray world needs"))
    #expect(last.last == "ready0 ")
  }

  @Test func watchingIsStoppedAndGoesOnBelow() throws {
    let terminal = try PseudoTerminal(bench)
    terminal.type("$wbcal watch --device \(Workbench.camera),fps=30\r")
    for _ in 0..<3 { try terminal.wait(for: "gray world needs") }
    terminal.type("\u{1A}")
    try terminal.wait(for: "Stopped")
    try terminal.wait(for: "ready")
    terminal.type("fg\r")
    // The first drawing does not extend over the lines that the shell has written.
    let again = try terminal.wait(for: "gray world needs")
    #expect(again.contains("\r\u{1B}[Jautomatic"), "\(again.debugDescription)")
    terminal.type("\u{3}")
    try terminal.wait(for: "ready0 ")
  }
}
