/// Reads the words of one command, up to the name of a subcommand.
struct WordReader {
  enum Outcome {
    case finished
    case subcommand(any AsyncParsableCommand.Type)
    case help
  }

  let interface: CommandInterface
  private(set) var words: ArraySlice<String>
  private var values: ArgumentValues = [:]
  private var unread: ArraySlice<ArgumentDefinition>
  private var unexpected: [String] = []

  init(_ interface: CommandInterface, _ words: ArraySlice<String>) {
    self.interface = interface
    self.words = words
    unread = interface.positionals[...]
  }

  mutating func read() throws -> Outcome {
    while let word = words.popFirst() {
      if word == "--" {
        while let word = words.popFirst() { try readPositional(word) }
      } else if word.isDashed {
        try word.hasPrefix("--") ? readLong(word) : readShort(word)
      } else if let command = interface.subcommand(word) {
        return .subcommand(command)
      } else if word == "help", interface.hasHelpSubcommand {
        return .help
      } else {
        try readPositional(word)
      }
    }
    return .finished
  }

  /// Returns all values, with defaults for absent arguments.
  func completedValues() throws -> ArgumentValues {
    if !unexpected.isEmpty { throw interface.unexpected(unexpected) }
    let complete = interface.defaults.merging(values) { _, given in given }
    for argument in interface.arguments where complete[argument.key] == nil {
      throw ParserError.missingArgument(synopsis: argument.synopsis(as: argument.preferredName))
    }
    return complete
  }

  private mutating func readPositional(_ word: String) throws {
    guard let argument = unread.first else {
      // After a misspelled subcommand the other words cannot be interpreted.
      if !interface.configuration.subcommands.isEmpty { throw interface.unexpected([word]) }
      unexpected.append(word)
      return
    }
    if !argument.repeats { unread.removeFirst() }
    try store(word, in: argument, as: nil)
  }

  private mutating func readLong(_ word: String) throws {
    let parts = word.dropFirst(2).split(
      separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    try read(.long(String(parts[0])), value: parts.count > 1 ? String(parts[1]) : nil)
  }

  /// Reads `-a`, joined flags as in `-abc`, and a joined value as in `-ovalue`.
  private mutating func readShort(_ word: String) throws {
    var rest = word.dropFirst()
    while let character = rest.popFirst() {
      let name = Name.short(character)
      let takesValue = interface.argument(named: name)?.takesValue ?? false
      if rest.first == "=" || takesValue && !rest.isEmpty {
        return try read(name, value: String(rest.first == "=" ? rest.dropFirst() : rest))
      }
      try read(name, value: nil)
    }
  }

  private mutating func read(_ name: Name, value: String?) throws {
    guard let argument = interface.argument(named: name) else {
      if interface.help.names.contains(name) { throw ParserError.helpRequested }
      if interface.version?.names.contains(name) == true { throw ParserError.versionRequested }
      throw ParserError.unknownOption(name, suggestion: suggestion(for: name))
    }
    guard argument.takesValue else {
      if let value { throw ParserError.unexpectedValue(name, value: value) }
      return try store("", in: argument, as: name)
    }
    if let value { return try store(value, in: argument, as: name) }
    guard let next = words.first, !next.isDashed else {
      throw ParserError.missingValue(synopsis: argument.synopsis(as: name))
    }
    words.removeFirst()
    try store(next, in: argument, as: name)
  }

  private mutating func store(
    _ word: String, in argument: ArgumentDefinition, as name: Name?
  ) throws {
    do { try argument.store(word, &values[argument.key]) } catch {
      throw ParserError.invalidValue(
        word, synopsis: argument.synopsis(as: name), allValues: argument.allValues,
        reason: error is NotAValue ? nil : String(describing: error))
    }
  }

  private func suggestion(for name: Name) -> String? {
    guard case .long(let spelling) = name else { return nil }
    let longNames = interface.options.flatMap(\.names).filter { !$0.isShort }
    return spelling.nearest(of: longNames.map(\.withoutDashes)).map { "--" + $0 }
  }
}

extension String {
  /// Indicates whether the word is an option instead of a value; a lone dash and a negative number
  /// are values.
  ///
  /// Apple's parser treats a negative number as an option; no option here begins with a digit.
  var isDashed: Bool {
    guard hasPrefix("-"), self != "-" else { return false }
    let digits = dropFirst().drop { $0 == "." }
    return !(digits.first?.isWholeNumber ?? false)
  }
}
