import WbcalArguments
import Testing

@Suite struct ErrorTests {
  @Test(arguments: [
    (["--bogus"], "Unknown option '--bogus'"),
    (["-x"], "Unknown option '-x'"),
    (["a", "-z"], "Unknown option '-z'"),
    (["--proces", "e6"], "Unknown option '--proces'. Did you mean '--process'?"),
    (["--vrebose"], "Unknown option '--vrebose'. Did you mean '--verbose'?"),
    ([], "Missing expected argument '<roll>'"),
    (["a", "--process"], "Missing value for '--process <process>'"),
    (["a", "-o", "-v"], "Missing value for '-o <file>'"),
    (["a", "--jobs", "x"], "The value 'x' is invalid for '--jobs <jobs>'"),
    (["a", "-jx"], "The value 'x' is invalid for '-j <jobs>'"),
    (
      ["a", "--verbose=yes"],
      "The option '--verbose' does not take any value, but 'yes' was specified."
    ),
    (["a", "-v=yes"], "The option '-v' does not take any value, but 'yes' was specified."),
    (
      ["a", "-p", "bw"],
      "The value 'bw' is invalid for '-p <process>'. Please provide one of 'c41' or 'e6'."
    ),
    (["a", "-j", "0"], "There must be a job."),
  ])
  func messages(_ arguments: [String], _ message: String) throws {
    let error = try #require(throws: (any Error).self) { try Develop.parse(arguments) }
    #expect(Develop.fullMessage(for: error).hasPrefix("Error: \(message)\nUsage: "))
    #expect(Develop.exitCode(for: error) == .validationFailure)
  }

  @Test func positionalMessages() throws {
    struct Numbers: AsyncParsableCommand {
      @Argument var first: Int
      @Argument var second: Int?
    }
    func message(_ arguments: String...) -> String {
      do {
        return "\(try Numbers.parse(arguments))"
      } catch {
        return Numbers.fullMessage(for: error).split(separator: "\n").first.map(String.init) ?? ""
      }
    }
    #expect(message("1", "2", "x") == "Error: Unexpected argument 'x'")
    #expect(message("1", "2", "x", "y") == "Error: 2 unexpected arguments: 'x', 'y'")
    #expect(message("one") == "Error: The value 'one' is invalid for '<first>'")
  }

  @Test func fullMessageHasUsageAndHint() {
    let (text, code) = outcome("mix", "--ratio", "3")
    #expect(
      text == """
        Error: Missing expected argument '<agent>'
        Usage: lab mix --ratio <parts> [--temperature <temperature>] <agent> [<note>]
          See 'lab mix --help' for more information.
        """)
    #expect(code == 64)
  }

  @Test func transformErrorsExplain() {
    let (text, _) = outcome("mix", "--ratio", "3", "--temperature", "24", "hq")
    #expect(
      text.hasPrefix(
        "Error: The value '24' is invalid for '--temperature <temperature>': needs a C at its end\n"
      ))
  }

  @Test(arguments: [["devolop", "--nothing"], ["help", "devolop"]])
  func misspelledSubcommands(_ arguments: [String]) throws {
    let error = try #require(throws: (any Error).self) { try Lab.parseAsRoot(arguments) }
    #expect(
      Lab.fullMessage(for: error) == """
        Error: Unexpected argument 'devolop'. Did you mean 'develop'?
        Usage: lab <subcommand>
          See 'lab --help' for more information.
        """)
  }

  @Test func unlikeAndHiddenSubcommandsAreNotSuggested() {
    #expect(outcome("xyz").text.hasPrefix("Error: Unexpected argument 'xyz'\n"))
    #expect(outcome("secrets").text.hasPrefix("Error: Unexpected argument 'secrets'\n"))
  }

  @Test func otherErrors() {
    #expect(Lab.fullMessage(for: Fail.Broken()) == "Error: The tank leaks.")
    #expect(Lab.exitCode(for: Fail.Broken()) == .failure)
    #expect(Lab.fullMessage(for: ExitCode(3)) == "")
    #expect(Lab.exitCode(for: ExitCode(3)).rawValue == 3)
    #expect(Lab.exitCode(for: ValidationError("x")).rawValue == 64)
  }
}
