import WbcalArguments
import Foundation
import Testing

@Suite struct CompletionTests {
  private func script(for shell: String) -> String {
    outcome("--generate-completion-script", shell).text
  }

  /// Returns the candidates of bash for the last of the given words, which is being typed.
  private func bash(_ words: String...) throws -> [String] {
    let array = words.map { "'\($0)'" }.joined(separator: " ")
    let script = """
      \(script(for: "bash"))
      COMP_WORDS=(lab \(array)) COMP_CWORD=\(words.count)
      _lab
      printf '%s\\n' "${COMPREPLY[@]}"
      """
    return try output(of: "bash", ["-c", script]).split(separator: "\n").map(String.init)
  }

  @Test func bashCompletesCommandsAndOptions() throws {
    #expect(try bash("") == ["develop", "mix", "scan", "fail", "help"])
    #expect(try bash("de") == ["develop"])
    #expect(try bash("--") == ["--version", "--help"])
    #expect(try bash("scan", "") == ["strip", "sheet"])
    #expect(try bash("help", "s") == ["scan"])
    #expect(try bash("develop", "--p") == ["--process", "--push-stops"])
  }

  @Test func bashCompletesValues() throws {
    #expect(try bash("develop", "--process", "") == ["c41", "e6"])
    #expect(try bash("develop", "-p", "e") == ["e6"])
    #expect(try bash("develop", "--process", "=") == ["c41", "e6"])
    #expect(try bash("develop", "--process", "=", "c") == ["c41"])
    #expect(try bash("develop", "--jobs", "") == [])
    #expect(try bash("develop", "--jobs", "develop", "--ve") == ["--verbose", "--version"])
  }

  @Test func bashCompletesFileNames() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(
      at: folder.appendingPathComponent("sub"), withIntermediateDirectories: true)
    for name in ["a b.tif", "c.dng", "d.txt"] {
      try Data().write(to: folder.appendingPathComponent(name))
    }
    let path = folder.path
    #expect(try bash("develop", path + "/a") == [path + "/a b.tif"])
    #expect(try bash("develop", "x", "y", path + "/d") == [path + "/d.txt"])
    #expect(
      try bash("develop", "-o", path + "/") == [
        path + "/sub", path + "/a b.tif", path + "/c.dng",
      ])
  }

  @Test func zshDescribesCommandsOptionsAndValues() throws {
    let script = self.script(for: "zsh")
    #expect(script.hasPrefix("#compdef lab\n"))
    #expect(script.contains("'develop:Develops rolls.'"))
    #expect(script.contains("'(-p --process)--process=[The chemical process.]:process:(c41 e6)'"))
    #expect(script.contains("'*--tag=[A tag; may be repeated.]:tag: '"))
    #expect(script.contains(#"'(-o --output)-o+[Where to write.]:file:_files -g "*.(tif|dng)"'"#))
    #expect(script.contains("'*:others:_files'"))
    #expect(script.contains("'sheet') _lab_scan_sheet ;;"))
    #expect(!script.contains("secret"))
    try checkSyntax(script, with: "zsh")
  }

  @Test func fishDescribesCommandsOptionsAndValues() throws {
    let script = self.script(for: "fish")
    let start = #"complete -c lab -n "__lab_at "#
    #expect(script.contains(start + #"'lab' word" -a 'develop' -d 'Develops rolls.'"#))
    #expect(
      script.contains(
        start + #"'lab develop'" -s 'p' -l 'process' -x -a 'c41 e6' -d 'The chemical process.'"#))
    #expect(script.contains(start + #"'lab develop' word" -F"#))
    #expect(script.contains("case 'lab scan sheet -p' 'lab scan sheet --pages'\n"))
    try checkSyntax(script, with: "fish")
  }

  /// Returns the candidates of fish for a line; it writes each with its description.
  private func fish(_ line: String) throws -> [String] {
    let script = self.script(for: "fish") + "\ncomplete -C '\(line)'"
    return try output(of: "fish", ["--no-config", "-c", script]).split(separator: "\n")
      .compactMap { $0.split(separator: "\t").first.map(String.init) }
  }

  @Test(.enabled(if: isInstalled("fish"))) func fishCompletes() throws {
    #expect(try fish("lab de") == ["develop"])
    #expect(try fish("lab scan ") == ["sheet", "strip"])
    #expect(try fish("lab develop --p") == ["--process", "--push-stops"])
    #expect(try fish("lab develop --process ") == ["c41", "e6"])
    #expect(try fish("lab develop --jobs ") == [])
    #expect(try fish("lab help s") == ["scan"])
  }

  /// Returns the line after Tab is pressed in zsh in a separate terminal.
  private func zsh(_ line: String) throws -> String {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(script(for: "zsh").utf8).write(to: folder.appending(path: "_lab"))
    return try output(
      of:
        "timeout",
      [
        "60", "zsh", "-f", "-c",
        #"""
        zmodload zsh/zpty
        zpty lab zsh -f -i
        zpty -w lab 'autoload -Uz compinit; compinit -D -u; source $1/_lab'
        zpty -w lab 'show() { print -r -- "<$BUFFER>"; exit }; zle -N show; bindkey "^X" show; print RE""ADY'
        zpty -r lab text '*READY*'
        zpty -w -n lab "$2"$'\t\x18'
        zpty -r lab text '*<*>*'
        print -r -- ${${text##*<}%%>*}
        """#.replacing("$1", with: folder.path).replacing("$2", with: line),
      ]
    ).trimmingCharacters(in: .newlines)
  }

  @Test(.enabled(if: isInstalled("zsh"))) func zshCompletes() throws {
    #expect(try zsh("lab dev") == "lab develop ")
    #expect(try zsh("lab scan stri") == "lab scan strip ")
    #expect(try zsh("lab develop -p c") == "lab develop -p c41 ")
    #expect(try zsh("lab help sc") == "lab help scan ")
  }

  @Test func theRootPrintsScripts() {
    let (text, code) = outcome("--generate-completion-script", "bash")
    #expect(text.hasPrefix("# Completion of lab for bash.\n"))
    #expect(code == 0)
    #expect(outcome("--generate-completion-script=fish").text.hasPrefix("# Completion of lab"))
    let (error, status) = outcome("--generate-completion-script", "csh")
    #expect(
      error.hasPrefix(
        "Error: Can't generate completion scripts for 'csh'. "
          + "Please use --generate-completion-script with one of: zsh, bash, fish\n"))
    #expect(status == 64)
  }

  /// Checks the syntax of the script with a shell, if that is installed, without running it.
  private func checkSyntax(_ script: String, with shell: String) throws {
    guard Self.isInstalled(shell) else { return }
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: file) }
    try Data(script.utf8).write(to: file)
    _ = try output(of: shell, ["-n", file.path])
  }

  private static func isInstalled(_ program: String) -> Bool {
    FileManager.default.isExecutableFile(atPath: "/usr/bin/" + program)
  }
}
