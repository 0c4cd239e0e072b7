/// A mistake in the arguments, reported with the command's usage.
public struct ValidationError: Error, CustomStringConvertible, Sendable {
  /// What is wrong.
  public internal(set) var message: String

  /// Creates an error with a message.
  public init(_ message: String) { self.message = message }

  /// What is wrong.
  public var description: String { message }
}

/// The status a process ends with; when thrown, it ends the process without a message.
public struct ExitCode: Error, RawRepresentable, Sendable, Hashable {
  /// The status.
  public var rawValue: Int32

  /// Creates an exit code from a status.
  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// Creates an exit code from a status.
  public init(_ code: Int32) { rawValue = code }

  /// The process did what it was asked to.
  public static let success = ExitCode(0)

  /// The process failed.
  public static let failure = ExitCode(1)

  /// The arguments were wrong: the `EX_USAGE` of `sysexits.h`.
  public static let validationFailure = ExitCode(64)

  /// Whether the process succeeded.
  public var isSuccess: Bool { self == .success }
}

/// An early, successful end of the process.
public struct CleanExit: Error, Sendable {
  enum Base {
    case help((any ParsableCommand.Type)?)
    case message(String)
  }

  let base: Base

  /// Prints the help of a command, or of the root command.
  public static func helpRequest(_ type: (any ParsableCommand.Type)? = nil) -> CleanExit {
    CleanExit(base: .help(type))
  }

  /// Prints the help of a command.
  public static func helpRequest(_ command: any ParsableCommand) -> CleanExit {
    CleanExit(base: .help(type(of: command)))
  }

  /// Prints a message.
  public static func message(_ text: String) -> CleanExit {
    CleanExit(base: .message(text))
  }
}
