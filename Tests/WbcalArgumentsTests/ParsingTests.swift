import WbcalArguments
import Testing

@Suite struct ParsingTests {
  @Test func absentArgumentsHaveDefaults() throws {
    let develop = try Develop.parse(["a.raw"])
    #expect(develop.roll == "a.raw")
    #expect(develop.others == [])
    #expect(develop.process == .color)
    #expect(develop.output == nil)
    #expect(develop.stops == nil)
    #expect(develop.tag == [])
    #expect(!develop.shared.verbose && develop.shared.jobs == 2)
    #expect(develop.untouched == 7)
  }

  @Test(arguments: [
    ["--process", "e6", "-o", "x", "--push-stops", "1.5", "-v", "-j", "4", "a", "b", "c"],
    ["--process=e6", "-ox", "--push-stops=1.5", "--verbose", "--jobs=4", "a", "b", "c"],
    ["a", "-pe6", "-o=x", "b", "--push-stops", "1.5", "-vj4", "c"],
    ["-p", "c41", "-p", "e6", "-vo", "x", "--push-stops", "1.5", "-j4", "--", "a", "b", "c"],
  ])
  func spellingsAreEqual(_ arguments: [String]) throws {
    let develop = try Develop.parse(arguments)
    #expect(develop.process == .slide)
    #expect(develop.output == "x")
    #expect(develop.stops == 1.5)
    #expect(develop.shared.verbose)
    #expect(develop.shared.jobs == 4)
    #expect([develop.roll] + develop.others == ["a", "b", "c"])
  }

  @Test func repeatedOptionsCollect() throws {
    #expect(try Develop.parse(["a", "--tag", "x", "-ty", "--tag=z"]).tag == ["x", "y", "z"])
  }

  @Test func wordsAfterTheTerminatorAreValues() throws {
    let develop = try Develop.parse(["-v", "--", "--trace", "-3", "--"])
    #expect([develop.roll] + develop.others == ["--trace", "-3", "--"])
  }

  @Test func dashedWordsAreValuesOnlyWhenJoined() throws {
    #expect(try Develop.parse(["a", "--push-stops=-1"]).stops == -1)
    #expect(try Develop.parse(["a", "-o", "-"]).output == "-")
    #expect(try Develop.parse(["a", "-o", ""]).output == "")
    #expect(throws: (any Error).self) { try Develop.parse(["a", "--output", "-x"]) }
  }

  @Test func negativeNumbersAreValues() throws {
    #expect(try Develop.parse(["a", "--push-stops", "-1"]).stops == -1)
    #expect(try Develop.parse(["a", "--push-stops", "-.5"]).stops == -0.5)
    #expect(try Develop.parse(["a", "-3,4"]).others == ["-3,4"])
  }

  @Test func givenValuesReplaceADefaultArray() throws {
    struct Numbers: AsyncParsableCommand {
      @Option var list = [1, 2]
      @Argument var more = [7, 8]
    }
    #expect(try Numbers.parse([]).list == [1, 2])
    #expect(try Numbers.parse([]).more == [7, 8])
    let numbers = try Numbers.parse(["--list", "3", "4", "--list", "-5"])
    #expect(numbers.list == [3, -5])
    #expect(numbers.more == [4])
  }

  @Test func transformsMakeValues() throws {
    let mix = try Mix.parse(["--ratio", "3", "--temperature", "24C", "hq", "d76"])
    #expect(mix.temperature.degrees == 24)
    #expect(mix.agent == "hq" && mix.note == "d76")
    #expect(try Mix.parse(["--ratio", "3", "hq"]).note == nil)
    #expect(try Mix.parse(["--ratio", "3", "hq"]).temperature.degrees == 20)
  }

  @Test func assignedPropertiesKeepValueSemantics() throws {
    let original = try Develop.parse(["a"])
    var copy = original
    copy.roll = "b"
    copy.shared.jobs = 9
    #expect(original.roll == "a" && original.shared.jobs == 2)
    #expect(copy.roll == "b" && copy.shared.jobs == 9)
  }

  @Test func theCommandIsTheOneNamed() throws {
    #expect(try Lab.parseAsRoot([]) is Lab)
    #expect(try Lab.parseAsRoot(["develop", "a"]) is Develop)
    #expect(try Lab.parseAsRoot(["scan", "strip"]) is Scan.Strip)
    #expect(try Lab.parseAsRoot(["scan"]) is Scan)
    let sheet = try #require(
      try Lab.parseAsRoot(["scan", "sheet", "-p", "5", "1", "2"]) as? Scan.Sheet)
    #expect(sheet.pages == 5)
    #expect(sheet.frames == [1, 2])
  }

  @Test func namesAreKebabCased() throws {
    struct RawURLReader: AsyncParsableCommand {
      @Option var maxURLCount = 0
      @Option var iso8601Date = ""
    }
    #expect(
      help(of: RawURLReader.self).hasPrefix(
        "USAGE: raw-url-reader [--max-url-count <max-url-count>] [--iso8601-date <iso8601-date>]"))
  }

  @Test func parsedArgumentsAreSendable() throws {
    func requireSendable(_ value: some Sendable) {}
    requireSendable(try Develop.parse(["a"]).shared)
  }
}
