import WbcalSystem

/// A command, or a tree of commands, whose properties are read from command-line arguments.
package protocol AsyncParsableCommand: ParsableArguments {
  static var configuration: CommandConfiguration { get }

  mutating func run() async throws
}

extension AsyncParsableCommand {
  package static var configuration: CommandConfiguration { CommandConfiguration() }

  /// Prints the command's help.
  package mutating func run() async throws { throw ParserError.helpRequested }

  /// Parses arguments, by default those of the process, as this command or one of its subcommands.
  package static func parseAsRoot(_ arguments: [String]? = nil) throws -> any AsyncParsableCommand {
    try CommandParser.parse(arguments ?? processArguments(), as: self)
  }

  /// Parses arguments as those of this command alone.
  ///
  /// - Throws: `ValidationError` if they are wrong.
  package static func parse(_ arguments: [String]) throws -> Self {
    do {
      guard let command = try CommandParser.parse(arguments, as: self) as? Self else {
        throw CommandError(stack: [self], error: ParserError.helpRequested)
      }
      return command
    } catch {
      let cause = (error as? CommandError)?.error ?? error
      throw cause as? ValidationError ?? ValidationError("\(cause)")
    }
  }

  package static func main() async { await main(nil) }

  /// Runs the command that the arguments name, and ends the process if it fails.
  package static func main(_ arguments: [String]?) async {
    var surroundings = Surroundings()
    surroundings.hasSignals = true
    let code = await Surroundings.$current.withValue(surroundings) { await run(arguments) }
    if code != .success { endProcess(status: code.rawValue) }
  }

  /// Runs the command that the arguments name, and prints a message if it fails.
  ///
  /// - Returns: the status with which the process should end.
  package static func run(_ arguments: [String]?) async -> ExitCode {
    do {
      var command = try parseAsRoot(arguments)
      do { try await command.run() } catch {
        throw CommandError(stack: path(to: type(of: command)) ?? [self], error: error)
      }
      return .success
    } catch { return report(error) }
  }

  /// Returns the whole text that the process prints when it ends with an error.
  package static func fullMessage(for error: any Error, columns: Int? = nil) -> String {
    Termination(error, root: self, columns: columns).text
  }

  package static func exitCode(for error: any Error) -> ExitCode {
    Termination(error, root: self, columns: nil).exitCode
  }

  private static func report(_ error: any Error) -> ExitCode {
    let end = Termination(error, root: self, columns: nil)
    if !end.text.isEmpty {
      if end.exitCode != .success {
        Terminal.standardError.write(end.text + "\n")
      } else if !Terminal.standardOutput.write(end.text + "\n") {
        Terminal.standardError.write("Error: cannot write to standard output\n")
        return ExitCode(74)  // EX_IOERR of sysexits.h
      }
    }
    return end.exitCode
  }
}
