import WbcalSystem

/// A type whose properties are read from command-line arguments.
public protocol ParsableArguments: Decodable, SendableMetatype {
  /// Creates the declarations of the arguments, whose values cannot be read yet.
  init()

  /// Checks values that depend on each other, after parsing.
  mutating func validate() throws
}

extension ParsableArguments {
  /// Accepts all values.
  public mutating func validate() throws {}

  /// Parses arguments, by default those of the process.
  public static func parse(_ arguments: [String]? = nil) throws -> Self {
    let root = rootCommand
    let arguments = arguments ?? Array(CommandLine.arguments.dropFirst())
    let command = try CommandParser.parse(arguments, as: root)
    if let result = command as? Self { return result }
    if let wrapper = command as? ArgumentsCommand<Self> { return wrapper.arguments }
    throw CommandError(
      stack: root.path(to: type(of: command)) ?? [root],
      error: ParserError.otherCommand(type(of: command).name))
  }

  /// Parses arguments, and ends the process with a message when they are wrong.
  public static func parseOrExit(_ arguments: [String]? = nil) -> Self {
    do {
      return try parse(arguments)
    } catch {
      exit(withError: error)
    }
  }

  /// The description of an error, without any prefix or usage.
  public static func message(for error: any Error, columns: Int? = nil) -> String {
    Termination(error, root: rootCommand, columns: columns).message
  }

  /// All that the process prints when it ends with an error.
  public static func fullMessage(for error: any Error, columns: Int? = nil) -> String {
    Termination(error, root: rootCommand, columns: columns).fullMessage
  }

  /// The help screen.
  public static func helpMessage(columns: Int? = nil) -> String {
    HelpGenerator([rootCommand], columns: columns).text
  }

  /// The status of a process that ends with an error.
  public static func exitCode(for error: any Error) -> ExitCode {
    Termination(error, root: rootCommand, columns: nil).exitCode
  }

  /// Ends the process, printing what there is to say about the error, if there is one.
  public static func exit(withError error: (any Error)? = nil) -> Never {
    guard let error else { endProcess(status: ExitCode.success.rawValue) }
    let end = Termination(error, root: rootCommand, columns: nil)
    if !end.fullMessage.isEmpty {
      if !end.exitCode.isSuccess {
        Terminal.standardError.write(end.fullMessage + "\n")
      } else if !Terminal.standardOutput.write(end.fullMessage + "\n") {
        Terminal.standardError.write("Error: cannot write to standard output\n")
        endProcess(status: 74)  // EX_IOERR of sysexits.h
      }
    }
    endProcess(status: end.exitCode.rawValue)
  }

  /// The completion script for a shell.
  public static func completionScript(for shell: CompletionShell) -> String {
    CompletionCommand([rootCommand]).script(for: shell)
  }

  static var rootCommand: any ParsableCommand.Type {
    (self as? any ParsableCommand.Type) ?? ArgumentsCommand<Self>.self
  }
}

/// Makes a command of arguments that are none.
struct ArgumentsCommand<Arguments: ParsableArguments>: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(commandName: String(describing: Arguments.self).kebabCased)
  }

  @OptionGroup var arguments: Arguments
}
