/// A command, or a tree of commands, whose properties are read from command-line arguments.
public protocol ParsableCommand: ParsableArguments {
  /// The command's name, help, and subcommands.
  static var configuration: CommandConfiguration { get }

  /// Does what the command is for.
  mutating func run() throws
}

extension ParsableCommand {
  /// A configuration without help or subcommands.
  public static var configuration: CommandConfiguration { CommandConfiguration() }

  /// Prints the command's help.
  public mutating func run() throws {
    throw CleanExit.helpRequest(self)
  }

  /// Parses arguments, by default those of the process, as this command or one below it.
  public static func parseAsRoot(_ arguments: [String]? = nil) throws -> any ParsableCommand {
    try CommandParser.parse(arguments ?? Array(CommandLine.arguments.dropFirst()), as: self)
  }

  /// The help screen of a command below this one.
  public static func helpMessage(
    for subcommand: any ParsableCommand.Type, columns: Int? = nil
  ) -> String {
    HelpGenerator(path(to: subcommand) ?? [self], columns: columns).text
  }

  /// Runs the command that the arguments name, and ends the process if that fails.
  public static func main(_ arguments: [String]?) {
    do {
      var command = try parseAsRoot(arguments)
      precondition(
        !(command is any AsyncParsableCommand),
        "\(Self.self) has an asynchronous subcommand, so it must be an AsyncParsableCommand.")
      do {
        try command.run()
      } catch {
        throw located(error, in: type(of: command))
      }
    } catch {
      exit(withError: error)
    }
  }

  /// Runs the command that the arguments of the process name.
  public static func main() { main(nil) }

  /// Adds to an error the command it comes from, whose usage is then printed.
  static func located(_ error: any Error, in command: any ParsableCommand.Type) -> CommandError {
    CommandError(stack: path(to: command) ?? [self], error: error)
  }
}
