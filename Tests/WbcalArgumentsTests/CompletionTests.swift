import Testing
import WbcalArguments

@Suite struct CompletionTests {
  /// Returns the candidates for the last of the given words, without their descriptions.
  private func candidates(_ words: String...) -> [String] {
    lines(words).map { String($0.prefix { $0 != "\t" }) }
  }

  private func lines(_ words: [String]) -> [String] {
    let (text, code) = outcome(["--complete"] + words)
    #expect(code == 0)
    return text.split(separator: "\n").map(String.init)
  }

  @Test func commandsAndOptions() {
    #expect(candidates("") == ["develop", "mix", "scan", "fail", "help"])
    #expect(candidates("--") == ["--version", "-h", "--help"])
    #expect(candidates("scan", "") == ["strip", "sheet"])
    #expect(candidates("help", "s") == ["develop", "mix", "scan", "fail", "help"])
    #expect(candidates("unknown", "") == [])
    #expect(lines([""]).first == "develop\tDevelops rolls.")
    #expect(lines(["develop", "-"]).contains("--process\tThe chemical process."))
  }

  /// An option is offered once, unless it may be repeated.
  @Test func optionsThatWereGiven() {
    let options = candidates("develop", "-p", "e6", "--verbose", "--tag", "a", "-")
    for name in ["-p", "--process", "-v", "--verbose"] { #expect(!options.contains(name)) }
    for name in ["--tag", "--jobs", "--push-stops"] { #expect(options.contains(name)) }
    #expect(!candidates("develop", "--process=e6", "-").contains("--process"))
  }

  @Test func values() {
    #expect(candidates("develop", "--process", "") == ["c41", "e6"])
    #expect(candidates("develop", "-p", "e") == ["c41", "e6"])
    #expect(candidates("develop", "--process=c") == ["c41", "e6"])
    #expect(candidates("develop", "--jobs", "") == [])
    #expect(candidates("develop", "--jobs", "develop", "--ve").contains("--verbose"))
    #expect(candidates("develop", "--process=c41", "x") == [":files"])
  }

  @Test func fileNames() {
    #expect(candidates("develop", "a") == [":files"])
    #expect(candidates("develop", "x", "y", "d") == [":files"])
    #expect(candidates("develop", "-o", "") == [":files tif dng"])
    #expect(candidates("develop", "--output=a b") == [":files tif dng"])
  }

  @Test func theRootPrintsScripts() {
    let (text, code) = outcome("--generate-completion-script", "bash")
    #expect(text.hasPrefix("# Completion of lab for bash.\n"))
    #expect(code == 0)
    #expect(outcome("--generate-completion-script=fish").text.hasPrefix("# Completion of lab"))
    #expect(outcome("--generate-completion-script=zsh").text.hasPrefix("#compdef lab\n"))
    let (error, status) = outcome("--generate-completion-script", "csh")
    #expect(
      error.hasPrefix(
        "Error: Can't generate completion scripts for 'csh'. "
          + "Please use --generate-completion-script with one of: zsh, bash, fish\n"))
    #expect(status == 64)
  }
}
