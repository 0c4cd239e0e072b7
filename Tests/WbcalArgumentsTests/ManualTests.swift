import WbcalArguments
import Foundation
import Testing

@Suite(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/groff")))
struct ManualTests {
  /// Returns a page as a terminal shows it; a warning of groff is a failure.
  private func rendered(_ page: String) throws -> String {
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: file) }
    try Data(page.utf8).write(to: file)
    return try output(
      of: "sh", ["-c", "groff -ww -man -Tutf8 -P-cbou -rLL=80n \"$0\" 2>&1", file.path])
  }

  @Test func aTreeOfCommands() throws {
    let text = try rendered(
      Lab.manualPage(sections: [
        ManualSection("FILES", text: "Two.", terms: [("~/.labrc", "Habits.")])
      ]))
    let start = """
      NAME
             lab - Develops film.

      SYNOPSIS
             lab subcommand

      DESCRIPTION
             Examples:

                    lab develop roll.raw
                    lab mix --ratio 3

      OPTIONS
             --version
                    Show the version.

             -h, --help
                    Show help information.

      COMMANDS
         lab develop
             lab develop [--verbose] [--jobs jobs] [--process process] [--output file]
             [--push-stops push-stops] [--tag tag ...] roll [others ...]

             Develops rolls.

             Rolls are raw files.

             roll   The first roll.

             others More rolls.

             -v, --verbose
                    Say more.

             -j, --jobs jobs
                    How many jobs to run. (default: 2)

             -p, --process process
                    The chemical process. (values: c41, e6; default: c41)

      """
    #expect(text.contains("\n" + start), "\(text)")
    #expect(text.contains("\n   lab scan sheet\n"), "the commands below a command")
    #expect(
      !text.contains("\n   lab scan\n") && !text.contains("secret"))
    #expect(text.contains("\nFILES\n       Two.\n\n       ~/.labrc\n              Habits.\n"))
    #expect(text.hasPrefix("LAB(1)") && text.contains("\nlab 1.2  "))
  }

  struct Odd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: #"It's .5 "wide"."#,
      discussion: #"""
        .first
        'second' and C:\temp, `a` ^b ~c — ±5 °

          .example \n

          'more' -- -x
        Last.
        """#)
    @Option(help: ".5 by default") var width = "\\"
    @Argument var name: String
  }

  @Test func whatRoffWouldTakeForItsOwn() throws {
    let text = try rendered(Odd.manualPage())
    for line in [
      #"odd - It's .5 "wide"."#, #".first 'second' and C:\temp, `a` ^b ~c — ±5 °"#, #".example \n"#,
      "'more' -- -x", "Last.", #".5 by default (default: \)"#,
    ] {
      #expect(text.contains(" " + line + "\n"), "\(text)")
    }
  }
}
