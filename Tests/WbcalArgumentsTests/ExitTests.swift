import WbcalArguments
import Testing

/// Returns the output of a process; that of a silent one still contains marks of the test runner.
private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

/// Runs the command of each test in a separate process.
@Suite struct ExitTests {
  @Test func helpGoesToStandardOutput() async throws {
    let result = try await #require(
      processExitsWith: .exitCode(0),
      observing: [\.standardOutputContent, \.standardErrorContent]
    ) {
      await Lab.main(["scan", "strip"])
    }
    #expect(
      text(result.standardOutputContent).contains(
        "OVERVIEW: Scans a strip.\n\nUSAGE: lab scan strip")
    )
    #expect(!text(result.standardErrorContent).contains("OVERVIEW"))
  }

  @Test func usageErrorsGoToStandardError() async throws {
    let result = try await #require(
      processExitsWith: .exitCode(64),
      observing: [\.standardOutputContent, \.standardErrorContent]
    ) {
      await Lab.main(["fail", "usage"])
    }
    #expect(
      text(result.standardErrorContent) == """
        Error: Not like this.
        Usage: lab fail <how>
          See 'lab fail --help' for more information.

        """)
    #expect(!text(result.standardOutputContent).contains("Error"))
  }

  @Test func errorsOfTheRunExitWithOne() async throws {
    let result = try await #require(
      processExitsWith: .exitCode(1), observing: [\.standardErrorContent]
    ) {
      await Lab.main(["fail", "error"])
    }
    #expect(text(result.standardErrorContent) == "Error: The tank leaks.\n")
  }

  @Test func exitCodesAreSilent() async throws {
    let result = try await #require(
      processExitsWith: .exitCode(3),
      observing: [\.standardOutputContent, \.standardErrorContent]
    ) {
      await Lab.main(["fail", "code"])
    }
    let output = text(result.standardOutputContent) + text(result.standardErrorContent)
    #expect(!output.contains("Error") && !output.contains("ExitCode"))
  }

  @Test func asynchronousCommandsRun() async throws {
    let result = try await #require(
      processExitsWith: .exitCode(0), observing: [\.standardOutputContent]
    ) {
      await Lab.main(["scan", "sheet", "-p", "2", "7"])
    }
    #expect(text(result.standardOutputContent).contains("pages 2 frames [7]\n"))
  }
}
