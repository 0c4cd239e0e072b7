import Foundation
import Testing

/// Recordings that the tool writes and reads.
struct RecordingCommandTests {
  private let bench: Workbench

  init() throws { bench = try Workbench() }

  private func replayed(_ file: String) async throws -> [String: Any] {
    let outcome = try await bench.run("replay", file, "--json")
    outcome.expect(0)
    return try #require(
      try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
  }

  /// Two lights, each with its looks; the recorded picture is that of the card's region.
  @Test func aCalibrationIsRecorded() async throws {
    let camera = "simulated:pipeline=webcam,size=96x64,latency=3"
    try await bench.run(
      "calibrate", "--device", camera, "--light", "A", "--light", "D65", "-o", "desk.json",
      "--record", "desk.jsonl"
    ).expect(0)
    let found = try await replayed("desk.jsonl")
    #expect(found["lights"] as? [String] == ["A", "D65"] && found["latency"] as? Int == 3)
    let looks = try #require(found["looks"] as? [[String: Any]])
    for light in ["A", "D65"] {
      #expect(looks.count { $0["light"] as? String == light } > 5)
    }
    let model = try #require(found["model"] as? [String: Any])
    #expect(model["mixing"] as? String == "matrix" && model["doubts"] as? [String] == [])
    #expect(try #require(model["floor"] as? Double) < 0.1)
    #expect(try #require(model["error"] as? Double) < 0.01)
    let lines = try bench.read("desk.jsonl").split(separator: "\n")
    #expect(lines.count > 400 && lines.allSatisfy { $0.utf8.count < 4000 })
    let shown = try await bench.run("replay", "desk.jsonl")
    shown.expect(0)
    #expect(shown.output.contains("red_balance"))
  }

  /// A failure is recorded, since others may have to examine it.
  @Test func aFailureIsRecorded() async throws {
    let camera = "simulated:size=96x64,vanish=40"
    try await bench.run("gray", "--device", camera, "--record", "gone.jsonl").expect(69)
    let found = try await replayed("gone.jsonl")
    #expect(found["frames"] as? Int == 40)
  }

  @Test func whatIsNoRecording() async throws {
    try await bench.run("calibrate", "--shot", "rgb:1,1,1@A", "--record", "r", "-o", "x.json")
      .expect(64, errors: "--record requires --device")
    try await bench.run("verify", "x.png", "--record", "r").expect(
      64, errors: "--record requires --device")
    try await bench.run("replay", "none.jsonl").expect(66)
    let camera = "simulated:size=96x64"
    try await bench.run("verify", "--device", camera, "--record", "r.jsonl", "--limit", "100")
      .expect(0)
    let lines = try bench.read("r.jsonl").split(separator: "\n").map(String.init)
    func expectRefused(_ lines: [String], _ reason: String) async throws {
      try bench.write("bad.jsonl", lines.joined(separator: "\n"))
      try await bench.run("replay", "bad.jsonl").expect(65, errors: reason)
    }
    try await expectRefused([], "it is empty")
    try await expectRefused(["{}"], "line 1: 'version' is missing")
    try await expectRefused(
      [lines[0].replacing("\"version\":1", with: "\"version\":2")], "its version, 2,")
    try await expectRefused(
      lines.dropLast() + [lines[lines.count - 1] + "]"], "line \(lines.count)")
    let frame = try #require(lines.last { $0.contains("\"codes\"") })
    try await expectRefused(
      [lines[0], frame.replacing("\"codes\":[", with: "\"codes\":[300,")], "three numbers")
  }
}
