/// A command that runs asynchronously; the root command must be one if any command is.
public protocol AsyncParsableCommand: ParsableCommand {
  /// Does what the command is for.
  mutating func run() async throws
}

extension AsyncParsableCommand {
  /// Prints the command's help.
  public mutating func run() async throws {
    throw CleanExit.helpRequest(self)
  }

  /// Runs the command that the arguments name, and ends the process if that fails.
  public static func main(_ arguments: [String]?) async {
    do {
      var command = try parseAsRoot(arguments)
      do {
        if var asynchronous = command as? any AsyncParsableCommand {
          try await asynchronous.run()
        } else {
          try command.run()
        }
      } catch {
        throw located(error, in: type(of: command))
      }
    } catch {
      exit(withError: error)
    }
  }

  /// Runs the command that the arguments of the process name.
  public static func main() async { await main(nil) }
}
