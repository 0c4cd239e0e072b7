/// The name, help, and subcommands of a command.
package struct CommandConfiguration: Sendable {
  /// The command's name; `nil` to derive it from the type's name.
  let commandName: String?
  let abstract: String
  /// The text after the abstract, whose line breaks are kept.
  let discussion: String
  /// The text that `--version` prints; if it is empty there is no such flag.
  let version: String
  /// Indicates whether the command is listed among its parent's subcommands.
  let shouldDisplay: Bool
  let subcommands: [any AsyncParsableCommand.Type]

  package init(
    commandName: String? = nil, abstract: String = "", discussion: String = "",
    version: String = "", shouldDisplay: Bool = true,
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
