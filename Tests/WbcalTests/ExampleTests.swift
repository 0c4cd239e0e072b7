import Foundation
import Testing

/// The programs of `Examples/`, with the simulated camera.
struct ExampleTests {
  /// Returns the output of an example, line by line.
  private func lines(of name: String) throws -> [Substring] {
    let program = Workbench.tool.deletingLastPathComponent()
      .appending(path: "wbcal-example-\(name)")
    // The script runs the example, and does not use its first argument, the tool's path.
    let outcome = try Workbench().runProcess([], shell: program.path)
    outcome.expect(0)
    return outcome.output.split(separator: "\n")
  }

  /// Returns the numbers in the line with a given beginning.
  private func numbers(_ lines: [Substring], _ beginning: String) throws -> [Double] {
    let line = try #require(lines.first { $0.hasPrefix(beginning) }, "\(lines)")
    return line.split { !"0123456789.-e".contains($0) }.compactMap { Double($0) }
  }

  @Test func focus() throws {
    let lines = try lines(of: "focus")
    // The scene is sharp at 100 of 250, and the numbers increase towards near objects.
    for beginning in ["focused by the camera at", "sharpest at"] {
      #expect(abs(try #require(try numbers(lines, beginning).first) - 0.6) < 0.02)
    }
    #expect(lines.count { $0.hasPrefix("position") } == 3)
  }

  @Test func exposure() throws {
    let lines = try lines(of: "exposure")
    let set = try numbers(lines, "set to")
    #expect(abs(set[0] - 0.01) < 1e-4 && abs(set[1] - 2) < 0.04 && set[2] > 0)
    #expect(abs(try numbers(lines, "compensated")[0] - 0.5) < 0.1)
  }

  @Test func whiteBalance() throws {
    let lines = try lines(of: "whitebalance")
    let reading = try numbers(lines, "reads as")
    #expect(abs(reading[0] - 5000) < 25 && abs(reading[1] - 10) < 1, "\(lines)")
  }

  @Test func bracket() throws {
    let lines = try lines(of: "bracket")
    let pictures = try (0..<3).map { try numbers(lines, "picture \($0)") }
    for (picture, stops) in zip(pictures, [-2.0, 0, 1]) {
      #expect(abs(picture[1] - stops) < 0.15, "\(pictures)")
    }
  }
}
