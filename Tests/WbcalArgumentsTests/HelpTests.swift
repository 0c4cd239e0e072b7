import WbcalArguments
import Testing

@Suite struct HelpTests {
  @Test(arguments: [["--help"], ["-h"], ["help"], ["--bogus", "--help"]])
  func rootHelp(_ arguments: [String]) throws {
    let error = try #require(throws: (any Error).self) { try Lab.parseAsRoot(arguments) }
    #expect(Lab.exitCode(for: error) == .success)
    #expect(
      Lab.fullMessage(for: error, columns: 80) == """
        OVERVIEW: Develops film.

        Examples:
          lab develop roll.raw
          lab mix --ratio 3

        USAGE: lab <subcommand>

        OPTIONS:
          --version               Show the version.
          -h, --help              Show help information.

        SUBCOMMANDS:
          develop                 Develops rolls.
          mix                     Mixes chemicals.
          scan                    Scans film.
          fail                    Fails.

          See 'lab help <subcommand>' for detailed help.
        """)
  }

  @Test(arguments: [
    ["develop", "--help"], ["help", "develop"], ["develop", "-vh"], ["develop", "a", "-j", "-h"],
  ])
  func subcommandHelp(_ arguments: [String]) throws {
    let error = try #require(throws: (any Error).self) { try Lab.parseAsRoot(arguments) }
    #expect(Lab.exitCode(for: error) == .success)
    #expect(
      Lab.fullMessage(for: error, columns: 80) == """
        OVERVIEW: Develops rolls.

        Rolls are raw files.

        USAGE: lab develop [--verbose] [--jobs <jobs>] [--process <process>] [--output <file>] \
        [--push-stops <push-stops>] [--tag <tag> ...] <roll> [<others> ...]

        ARGUMENTS:
          <roll>                  The first roll.
          <others>                More rolls.

        OPTIONS:
          -v, --verbose           Say more.
          -j, --jobs <jobs>       How many jobs to run. (default: 2)
          -p, --process <process> The chemical process. (values: c41, e6; default: c41)
          -o, --output <file>     Where to write.
          --push-stops <push-stops>
                                  Push by stops.
          -t, --tag <tag>         A tag; may be repeated.
          --version               Show the version.
          -h, --help              Show help information.
        """)
  }

  @Test func longTextWraps() throws {
    let error = try #require(throws: (any Error).self) { try Lab.parseAsRoot(["help", "mix"]) }
    #expect(
      Lab.fullMessage(for: error, columns: 60) == """
        OVERVIEW: Mixes chemicals.

        USAGE: lab mix --ratio <parts> [--temperature <temperature>] <agent> [<note>]

        ARGUMENTS:
          <agent>
          <note>

        OPTIONS:
          --ratio <parts>         Parts of water to one part of
                                  developer, which must never be
                                  stronger than the label says.
          --temperature <temperature>
                                  (default: 20C)
          --version               Show the version.
          -h, --help              Show help information.
        """)
  }

  @Test func nestedSubcommands() {
    #expect(
      outcome("help", "scan").text == """
        OVERVIEW: Scans film.

        USAGE: lab scan <subcommand>

        OPTIONS:
          --version               Show the version.
          -h, --help              Show help information.

        SUBCOMMANDS:
          strip                   Scans a strip.
          sheet                   Scans a sheet.

          See 'lab help scan <subcommand>' for detailed help.
        """)
    #expect(outcome("help", "scan", "strip").text.hasPrefix("OVERVIEW: Scans a strip.\n"))
  }

  @Test(arguments: [["--version"], ["mix", "--version"]])
  func version(_ arguments: [String]) throws {
    let error = try #require(throws: (any Error).self) { try Lab.parseAsRoot(arguments) }
    #expect(Lab.fullMessage(for: error) == "lab 1.2")
    #expect(Lab.exitCode(for: error) == .success)
  }

  @Test func longUsageIsAbridged() throws {
    struct Many: AsyncParsableCommand {
      @Flag(name: .customLong("alpha")) var a = false
      @Flag var b = false
      @Flag var c = false
      @Flag var d = false
      @Flag var e = false
      @Flag var f = false
      @Flag var g = false
      @Flag var i = false
      @Flag var j = false
      @Flag var k = false
      @Flag var l = false
      @Option var must: Int
      @Argument var file: String?
    }
    #expect(
      help(of: Many.self).hasPrefix("USAGE: many [<options>] --must <must> [<file>]\n"))
  }

  @Test func ownNamesReplaceBuiltInOnes() throws {
    struct Host: AsyncParsableCommand {
      @Option(name: .shortAndLong) var host: String
    }
    #expect(try Host.parse(["-h", "x"]).host == "x")
    #expect(
      help(of: Host.self) == """
        USAGE: host --host <host>

        OPTIONS:
          -h, --host <host>
          --help                  Show help information.
        """)
  }
}
