/// The name, help, and subcommands of a command.
package struct CommandConfiguration: Sendable {
  /// `nil` to derive it from the type's name.
  let commandName: String?
  let abstract: String
  /// Shown after the abstract with its line breaks kept.
  let discussion: String
  /// What `--version` prints; the flag is absent when this is empty.
  let version: String
  /// Whether the command is listed among its parent's subcommands.
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
