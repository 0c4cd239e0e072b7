/// The words that may follow others on a command line, for the scripts of shells.
struct Completion {
  private var interface: CommandInterface
  /// The option whose value is missing.
  private var expected: ArgumentDefinition?
  private var given: Set<Name> = []
  private var position = 0

  /// - Parameter words: the words before the one that is being typed.
  init(after words: ArraySlice<String>, in root: any AsyncParsableCommand.Type) {
    interface = CommandInterface([root])
    for word in words {
      if expected != nil {
        expected = nil
      } else if word.isDashed {
        let option = interface.option(spelled: word)
        given.formUnion(option?.names ?? [])
        expected = option?.takesValue == true && !word.contains("=") ? option : nil
      } else if let command = interface.subcommand(word) {
        interface = CommandInterface(interface.stack + [command])
        position = 0
      } else if word != "help" || !interface.hasHelpSubcommand {
        position += 1
      }
    }
  }

  /// Returns the lines that scripts read: candidates, each with its description after a tab if it
  /// has one; or `:files`, and the extensions of the files.
  ///
  /// - Parameter word: the part of the word that has been typed.
  func lines(for word: String) -> [String] {
    if let expected { return values(of: expected) }
    if word.hasPrefix("--"), word.contains("=") {
      return interface.option(spelled: word).map(values) ?? []
    }
    if word.hasPrefix("-") {
      return interface.options.filter { $0.repeats || given.isDisjoint(with: $0.names) }
        .flatMap { option in option.names.map { "\($0.spelling)\t\(option.help.abstract)" } }
    }
    if !interface.visibleSubcommands.isEmpty, position == 0 {
      return interface.visibleSubcommands.map { "\($0.name)\t\($0.configuration.abstract)" }
        + (interface.hasHelpSubcommand ? ["help\tShow subcommand help information."] : [])
    }
    let next = interface.positionals.dropFirst(position).first
    return (next ?? interface.positionals.last(where: \.repeats)).map(values) ?? []
  }

  private func values(of argument: ArgumentDefinition) -> [String] {
    switch argument.completion {
    case .none: []
    case .words(let words): words
    case .files(let extensions): [([":files"] + extensions).joined(separator: " ")]
    }
  }
}

extension CommandInterface {
  /// Returns the option that a word names, possibly with its value after an equals sign.
  fileprivate func option(spelled word: String) -> ArgumentDefinition? {
    let name = word.prefix { $0 != "=" }
    return options.first { $0.names.contains { $0.spelling == name } }
  }
}
