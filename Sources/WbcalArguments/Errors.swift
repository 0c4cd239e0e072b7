/// A mistake in the arguments, reported with the command's usage.
public struct ValidationError: Error, CustomStringConvertible, Sendable {
  /// What is wrong.
  public let message: String

  /// Creates an error with a message.
  public init(_ message: String) { self.message = message }

  /// What is wrong.
  public var description: String { message }
}

/// The status a process ends with; when thrown, it ends the process without a message.
public struct ExitCode: Error, Sendable, Hashable {
  /// The status.
  public let rawValue: Int32

  /// Creates an exit code from a status.
  public init(_ code: Int32) { rawValue = code }

  /// The process did what it was asked to.
  public static let success = ExitCode(0)

  /// The process failed.
  public static let failure = ExitCode(1)

  /// The arguments were wrong: the `EX_USAGE` of `sysexits.h`.
  public static let validationFailure = ExitCode(64)
}
