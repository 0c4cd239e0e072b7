import Foundation
import Testing

/// The help is true.
struct TrueHelpTests {
  private let bench: Workbench

  init() throws { bench = try Workbench() }

  private func help(_ command: String) async throws -> String {
    let outcome = try await bench.run(command, "--help")
    outcome.expect(0)
    return outcome.output.replacing(#/\s+/#, with: " ")
  }

  /// These commands have no file with levels of its own.
  @Test(arguments: ["set", "gray", "match", "snapshot", "stream"])
  func noFile(command: String) async throws {
    #expect(try await !help(command).contains("file's own"))
  }

  /// An empty list is not shown as a default.
  @Test func noEmptyDefaults() async throws {
    for command in ["bracket", "calibrate", "convert", "estimate", "match", "verify", "balance"] {
      #expect(try await !help(command).contains("default: []"), "\(command)")
    }
  }

  /// The listed modes are those that can be chosen.
  @Test func modesOfExposure() async throws {
    let text = try await help("exposure")
    #expect(text.contains("(values: locked, automatic, continuousAutomatic)"))
    let device = ["exposure", "--device", "simulated:size=96x64,shutter=absolute"]
    try await bench.run(device + ["--mode", "custom"]).expect(64, errors: "--duration")
  }

  /// A sidecar cannot be written next to standard input.
  @Test func sidecarsHaveAFile() async throws {
    for flag in ["--write-xmp", "--write-pp3"] {
      for name in ["/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"] {
        let outcome = try bench.runProcess("estimate", name, flag)
        outcome.expect(64, errors: "require the name of a photograph's file, not \(name)")
      }
      let listed = try bench.runProcess("estimate", "-", flag, input: "/dev/fd/0\n")
      #expect(listed.status != 0)
    }
    #expect(try bench.files().isEmpty)
  }
}
