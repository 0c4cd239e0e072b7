/// The name, help, and subcommands of a command.
package struct CommandConfiguration: Sendable {
  let commandName: String?
  let abstract: String
  let discussion: String
  let version: String
  let shouldDisplay: Bool
  let subcommands: [any AsyncParsableCommand.Type]

  /// Creates a configuration.
  ///
  /// - Parameters:
  ///   - commandName: the command's name, or `nil` to derive it from the type's name.
  ///   - abstract: the one-line description of the command.
  ///   - discussion: further text, shown after the abstract with its line breaks kept.
  ///   - version: what `--version` prints; the flag is absent when this is empty.
  ///   - shouldDisplay: whether the command is listed among its parent's subcommands.
  ///   - subcommands: the commands below this one.
  package init(
    commandName: String? = nil,
    abstract: String = "",
    discussion: String = "",
    version: String = "",
    shouldDisplay: Bool = true,
    subcommands: [any AsyncParsableCommand.Type] = []
  ) {
    self.commandName = commandName
    self.abstract = abstract
    self.discussion = discussion
    self.version = version
    self.shouldDisplay = shouldDisplay
    self.subcommands = subcommands
  }
}
