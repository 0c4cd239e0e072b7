import Foundation
import Testing

/// The words that shells complete when Tab is pressed.
@Suite struct CompletionTests {
  let bench: Workbench

  init() throws {
    bench = try Workbench()
    let folder = bench.folder.appending(path: "in/sub")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for name in ["a b.png", "it's.jpg", "c.dng", "d.json"] {
      try Data().write(to: bench.folder.appending(path: "in/" + name))
    }
  }

  /// Runs a script with the completion script in $1 and the tool on the path.
  private func run(_ shell: String, _ script: String) throws -> [String] {
    let start = """
      export PATH="$(dirname "$1"):$PATH" HOME=$PWD
      "$1" --generate-completion-script \(shell) >_wbcal
      """
    let outcome = try bench.runProcess(shell: start + "\n" + script)
    #expect(outcome.status == 0, "\(outcome.errors)")
    return outcome.output.split(separator: "\n").map(String.init)
  }

  /// Returns the candidates of bash for the last of the given words, which is being typed.
  private func bash(_ words: String...) throws -> [String] {
    let array = words.map { "'\($0)'" }.joined(separator: " ")
    return try run(
      "bash",
      """
      source ./_wbcal
      COMP_WORDS=(wbcal \(array)) COMP_CWORD=\(words.count)
      _wbcal
      printf '%s\\n' "${COMPREPLY[@]}"
      """)
  }

  @Test func bashCompletes() throws {
    #expect(try bash("es") == ["estimate"])
    #expect(try bash("profile", "ex") == ["export"])
    #expect(try bash("help", "est") == ["estimate"])
    #expect(try bash("estimate", "--second") == ["--second-region"])
    #expect(try bash("find", "c") == ["card", "chart"])
    #expect(try bash("set", "--class", "th") == ["thermal"])
    #expect(
      try bash("set", "--class", "=") == ["thermal", "daylight", "led", "fluorescent", "other"])
    #expect(try bash("set", "--class", "=", "d") == ["daylight"])
    #expect(try bash("estimate", "--region", "") == [])
    #expect(try bash("estimate", "in/a") == ["in/a b.png"])
    #expect(try bash("find", "card", "in/it") == ["in/it's.jpg"])
    #expect(try bash("find", "card", "x", "-o", "in/") == ["in/sub", "in/a b.png", "in/it's.jpg"])
    #expect(try bash("find", "card", "--output", "=", "in/a") == ["in/a b.png"])
  }

  /// Returns the candidates of fish for a line; it writes each with its description.
  private func fish(_ line: String) throws -> [String] {
    try run("fish", "fish --no-config -c 'source _wbcal; complete -C \"\(line)\"'")
      .map { String($0.prefix { $0 != "\t" }) }
  }

  @Test(.enabled(if: isInstalled("fish"))) func fishCompletes() throws {
    #expect(try fish("wbcal es") == ["estimate"])
    #expect(try fish("wbcal profile ex") == ["export"])
    #expect(try fish("wbcal help est") == ["estimate"])
    #expect(try fish("wbcal estimate --second") == ["--second-region"])
    #expect(try fish("wbcal set --class th") == ["thermal"])
    #expect(try fish("wbcal set --class=th") == ["--class=thermal"])
    #expect(try fish("wbcal estimate --region ") == [])
    #expect(try fish("wbcal estimate in/a") == ["in/a b.png"])
    #expect(try fish("wbcal find card -o in/") == ["in/a b.png", "in/it's.jpg", "in/sub/"])
    #expect(try fish("wbcal find card --output=in/a") == ["--output=in/a b.png"])
  }

  /// Returns the line after Tab is pressed in zsh in a separate terminal.
  private func zsh(_ line: String) throws -> String {
    try run(
      "zsh",
      #"""
      export LINE='\#(line)'
      timeout 60 zsh -f -c '
        zmodload zsh/zpty
        zpty shell zsh -f -i
        zpty -w shell "fpath=($PWD \$fpath); autoload -Uz compinit; compinit -D -u"
        zpty -w shell "show() { print -r -- \"<\$BUFFER>\"; exit }; zle -N show"
        zpty -w shell "bindkey ^X show; print RE\"\"ADY"
        zpty -r shell text "*READY*"
        zpty -w -n shell "$LINE"$'"'\t\x18'"'
        zpty -r shell text "*<*>*"
        print -r -- ${${text##*<}%%>*}'
      """#
    ).joined(separator: "\n")
  }

  @Test(.enabled(if: isInstalled("zsh"))) func zshCompletes() throws {
    #expect(try zsh("wbcal est") == "wbcal estimate ")
    #expect(try zsh("wbcal profile ex") == "wbcal profile export ")
    #expect(try zsh("wbcal help est") == "wbcal help estimate ")
    #expect(try zsh("wbcal estimate --second") == "wbcal estimate --second-region ")
    #expect(try zsh("wbcal set --class th") == "wbcal set --class thermal ")
    #expect(try zsh("wbcal set --class=th") == "wbcal set --class=thermal ")
    #expect(try zsh("wbcal estimate in/a") == "wbcal estimate in/a\\ b.png ")
    #expect(try zsh("wbcal find card --output=in/a") == "wbcal find card --output=in/a\\ b.png ")
  }

  /// Runs a script with the tool outside the path, as bin/wbcal in the home folder.
  private func outsideThePath(_ shell: String, _ script: String) throws -> String {
    let start = """
      "$1" --generate-completion-script \(shell) >_wbcal
      mkdir -p bin && ln -sf "$1" bin/wbcal
      export PATH=/usr/bin:/bin HOME=$PWD

      """
    let outcome = try bench.runProcess(shell: start + script)
    #expect(outcome.status == 0, "\(outcome.errors)")
    return outcome.output
  }

  @Test(arguments: ["bin/wbcal", "~/bin/wbcal"])
  func bashAsksTheProgramThatWasTyped(_ program: String) throws {
    let script = "COMP_WORDS=('\(program)' es) COMP_CWORD=1; _wbcal; echo \"$COMPREPLY\""
    #expect(try outsideThePath("bash", "source ./_wbcal; " + script) == "estimate\n")
  }

  @Test(.enabled(if: isInstalled("fish")), arguments: ["bin/wbcal", "~/bin/wbcal"])
  func fishAsksTheProgramThatWasTyped(_ program: String) throws {
    let script = "fish --no-config -c 'source _wbcal; complete -C \"\(program) es\"' | cut -f 1"
    #expect(try outsideThePath("fish", script) == "estimate\n")
  }

  private static func isInstalled(_ program: String) -> Bool {
    FileManager.default.isExecutableFile(atPath: "/usr/bin/" + program)
  }
}
