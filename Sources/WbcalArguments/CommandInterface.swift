/// A command as its users see it: its own arguments and the built-in flags.
struct CommandInterface {
  /// The commands from the root to this one.
  let stack: [any AsyncParsableCommand.Type]
  let arguments: [ArgumentDefinition]
  let defaults: ArgumentValues
  let help: ArgumentDefinition
  let version: ArgumentDefinition?

  init(_ stack: [any AsyncParsableCommand.Type]) {
    let declared = DeclaredArguments(of: stack[stack.count - 1])
    self.stack = stack
    arguments = declared.definitions
    defaults = declared.values
    let taken = Set(arguments.flatMap(\.names))
    help = ArgumentDefinition(
      form: .flag, key: [], names: [.short("h"), .long("help")].filter { !taken.contains($0) },
      help: "Show help information.")
    let name = Name.long("version")
    let hasVersion = stack.contains { !$0.configuration.version.isEmpty } && !taken.contains(name)
    version =
      hasVersion
      ? ArgumentDefinition(form: .flag, key: [], names: [name], help: "Show the version.") : nil
  }

  var command: any AsyncParsableCommand.Type { stack[stack.count - 1] }

  var configuration: CommandConfiguration { command.configuration }

  var positionals: [ArgumentDefinition] { arguments.filter(\.isPositional) }

  /// The options and flags, the built-in ones last.
  var options: [ArgumentDefinition] {
    arguments.filter { !$0.isPositional } + (version.map { [$0] } ?? [])
      + (help.names.isEmpty ? [] : [help])
  }

  var visibleSubcommands: [any AsyncParsableCommand.Type] {
    configuration.subcommands.filter { $0.configuration.shouldDisplay }
  }

  /// Indicates whether the command has a help subcommand: only the root has one, and only if it has
  /// other subcommands.
  var hasHelpSubcommand: Bool {
    stack.count == 1 && !configuration.subcommands.isEmpty && subcommand("help") == nil
  }

  var path: [String] { stack.map { $0.name } }

  func subcommand(_ name: String) -> (any AsyncParsableCommand.Type)? {
    configuration.subcommands.first { $0.name == name }
  }

  func argument(named name: Name) -> ArgumentDefinition? {
    arguments.first { $0.names.contains(name) }
  }

  /// Returns the error for a word that is neither a subcommand nor an argument.
  func unexpected(_ words: [String]) -> ParserError {
    let names = visibleSubcommands.map { $0.name } + (hasHelpSubcommand ? ["help"] : [])
    return .unexpectedArguments(words, suggestion: words.first?.nearest(of: names))
  }
}

extension AsyncParsableCommand {
  static var name: String { configuration.commandName ?? String(describing: Self.self).kebabCased }

  /// Returns the path of commands from this one to another.
  static func path(to other: any AsyncParsableCommand.Type) -> [any AsyncParsableCommand.Type]? {
    if other == Self.self { return [self] }
    for subcommand in configuration.subcommands {
      if let rest = subcommand.path(to: other) { return [self] + rest }
    }
    return nil
  }
}
