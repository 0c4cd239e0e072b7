/// A command as completion scripts see it.
struct CompletionCommand {
  let path: [String]
  let abstract: String
  var options: [ArgumentDefinition] = []
  let positionals: [ArgumentDefinition]
  var subcommands: [CompletionCommand] = []
}

extension CompletionCommand {
  init(_ stack: [any AsyncParsableCommand.Type]) {
    let interface = CommandInterface(stack)
    let own = interface.visibleSubcommands.map { CompletionCommand(stack + [$0]) }
    self.init(
      path: interface.path, abstract: interface.configuration.abstract,
      options: interface.options, positionals: interface.positionals, subcommands: own)
    if interface.hasHelpSubcommand { subcommands.append(Self.help(of: own, below: path)) }
  }

  private static func help(
    of commands: [CompletionCommand], below path: [String]
  ) -> CompletionCommand {
    var argument = ArgumentDefinition(form: .positional, key: ["subcommand"], help: "")
    argument.completion = .words(commands.map(\.name))
    return CompletionCommand(
      path: path + ["help"], abstract: "Show subcommand help information.", positionals: [argument])
  }

  var name: String { path[path.count - 1] }

  /// The command's path as one word, for comparisons.
  var key: String { path.joined(separator: " ") }

  /// The name of a shell function for the command.
  var function: String {
    "_" + path.joined(separator: "_").map { $0.isLetter || $0.isNumber ? String($0) : "_" }.joined()
  }

  /// This command and all commands below it.
  var all: [CompletionCommand] { [self] + subcommands.flatMap(\.all) }

  func script(for shell: CompletionShell) -> String {
    switch shell {
    case .bash: BashCompletion(root: self).script
    case .zsh: ZshCompletion(root: self).script
    case .fish: FishCompletion(root: self).script
    }
  }
}

extension String {
  /// The text, quoted as one word of a POSIX-like shell.
  var shellQuoted: String {
    "'" + split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }

  /// Returns the text with a backslash before each of the given characters.
  func escaping(_ characters: String) -> String {
    map { characters.contains($0) ? "\\\($0)" : String($0) }.joined()
  }

  /// Returns the text with every line that is not empty indented.
  func indented(by count: Int) -> String {
    split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.isEmpty ? "" : String(repeating: " ", count: count) + $0 }
      .joined(separator: "\n")
  }
}
