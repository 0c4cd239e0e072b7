import Foundation
import Testing

/// The output on a terminal during a long operation.
struct ProgressTests {
  private let bench: Workbench

  init() throws { bench = try Workbench() }

  /// Runs the tool on a terminal; returns its output, and the longest time without output.
  private func onTerminal(
    _ arguments: String..., before: String = ""
  ) throws -> (text: String, longestSilence: Double) {
    let outcome = try bench.runProcess(
      arguments, input: "",
      shell: before
        + "script -qec \"$(printf '%q ' \"$@\")\" --log-out shown --log-timing times >/dev/null")
    outcome.expect(0)
    let waits = try bench.read("times").split(separator: "\n").compactMap {
      $0.split(separator: " ").first.flatMap { Double($0) }
    }
    return (try bench.read("shown"), try #require(waits.max()))
  }

  /// A picture that arrives slowly, as from a network.
  @Test func aSlowPicture() throws {
    try bench.writeCard("card.ppm", 100, 128, 64)
    let (text, silence) = try onTerminal(
      "estimate", "slow.ppm", before: "mkfifo slow.ppm; (sleep 2.8; cat card.ppm >slow.ppm) & ")
    #expect(text.contains("0 of 1 pictures done (2 s)"))
    #expect(text.contains("\u{1B}[2Kslow.ppm: red 1.694"))
    #expect(silence < 2)
  }

  @Test func lightsOfACalibration() throws {
    let (text, silence) = try onTerminal(
      "calibrate", "--device", "simulated:size=96x64,fps=120", "--light", "D65", "--light", "A",
      "--change-light", "true", "-o", "desk.json")
    #expect(text.contains("under D65, light 1 of 2: probing the camera: gains ±"))
    #expect(text.contains("Switching to lamp A: true"))
    #expect(silence < 2)
  }

  @Test func aCardMadeNeutral() throws {
    let (text, silence) = try onTerminal(
      "gray", "--device", "simulated:size=96x64,fps=200,light=A", "--no-store")
    #expect(text.contains("moving the controls: "))
    #expect(silence < 2)
  }

  @Test func nothingOfItElsewhere() throws {
    try bench.writeCard("card.ppm", 100, 128, 64)
    let outcome = try bench.runProcess(
      "estimate", "slow.ppm",
      shell: "mkfifo slow.ppm; (sleep 1; cat card.ppm >slow.ppm) & \"$@\"")
    outcome.expect(0)
    #expect(outcome.errors.isEmpty)
  }
}
