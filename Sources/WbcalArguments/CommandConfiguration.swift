/// The name, help, and subcommands of a command.
public struct CommandConfiguration: Sendable {
  /// The command's name, or `nil` to derive it from the type's name.
  public var commandName: String?

  /// The one-line description of the command.
  public var abstract: String

  /// Text that replaces the generated usage line; an empty string hides the line.
  public var usage: String?

  /// Further text, shown after the abstract with its line breaks kept.
  public var discussion: String

  /// What `--version` prints; the flag is absent when this is empty.
  public var version: String

  /// Whether the command is listed among its parent's subcommands.
  public var shouldDisplay: Bool

  /// The commands below this one.
  public var subcommands: [any ParsableCommand.Type]

  /// The subcommand that runs when the arguments name none.
  public var defaultSubcommand: (any ParsableCommand.Type)?

  /// Creates a configuration.
  public init(
    commandName: String? = nil,
    abstract: String = "",
    usage: String? = nil,
    discussion: String = "",
    version: String = "",
    shouldDisplay: Bool = true,
    subcommands: [any ParsableCommand.Type] = [],
    defaultSubcommand: (any ParsableCommand.Type)? = nil
  ) {
    self.commandName = commandName
    self.abstract = abstract
    self.usage = usage
    self.discussion = discussion
    self.version = version
    self.shouldDisplay = shouldDisplay
    self.subcommands = subcommands
    self.defaultSubcommand = defaultSubcommand
  }
}
