/// Finds the command that arguments name, and its values.
struct CommandParser {
  private var stack: [any AsyncParsableCommand.Type]
  private var words: ArraySlice<String>

  /// Parses arguments as those of a root command; all errors are of type `CommandError`.
  static func parse(
    _ arguments: [String], as root: any AsyncParsableCommand.Type
  ) throws(CommandError) -> any AsyncParsableCommand {
    var parser = CommandParser(stack: [root], words: arguments[...])
    do {
      try parser.answerCompletionRequest()
      return try parser.parse()
    } catch { throw CommandError(stack: parser.stack, error: error) }
  }

  private mutating func parse() throws -> any AsyncParsableCommand {
    while true {
      let interface = CommandInterface(stack)
      var reader = WordReader(interface, words)
      do {
        let outcome = try reader.read()
        if case .help = outcome { throw try helpRequest(for: reader.words) }
        let command = try decode(interface.command, from: try reader.completedValues())
        guard case .subcommand(let next) = outcome else { return command }
        stack.append(next)
        words = reader.words
      } catch let error as ParserError {
        throw asksForHelp(interface) ? ParserError.helpRequested : error
      }
    }
  }

  private func decode<Command: AsyncParsableCommand>(
    _ type: Command.Type, from values: ArgumentValues
  ) throws -> any AsyncParsableCommand {
    var command = try Command(from: ArgumentDecoder(values: values))
    try command.validate()
    return command
  }

  /// Indicates whether the words request help, which is shown even if the command line is wrong.
  private func asksForHelp(_ interface: CommandInterface) -> Bool {
    let spellings = interface.help.names.map(\.spelling)
    return words.prefix { $0 != "--" }.contains { spellings.contains($0) }
  }

  private mutating func helpRequest(for names: ArraySlice<String>) throws -> ParserError {
    for name in names where !name.isDashed {
      let interface = CommandInterface(stack)
      guard let command = interface.subcommand(name) else { throw interface.unexpected([name]) }
      stack.append(command)
    }
    return .helpRequested
  }

  private func answerCompletionRequest() throws {
    if words.first == "--complete" {
      let completion = Completion(after: words.dropFirst().dropLast(), in: stack[0])
      throw ParserError.candidatesRequested(completion.lines(for: words.last ?? ""))
    }
    let parts = words.first?.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard let parts, parts[0] == "--generate-completion-script" else { return }
    let shell = parts.count > 1 ? String(parts[1]) : words.dropFirst().first
    guard let shell, let supported = CompletionShell(rawValue: shell) else {
      throw ParserError.unsupportedShell(shell)
    }
    throw ParserError.completionScriptRequested(supported)
  }
}
