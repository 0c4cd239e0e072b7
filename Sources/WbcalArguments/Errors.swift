/// A mistake in the arguments, reported with the command's usage.
package struct ValidationError: Error, CustomStringConvertible, Sendable {
  package let description: String

  package init(_ message: String) { description = message }
}

/// The status with which a process ends; thrown, it ends the process without a message.
package struct ExitCode: Error, Sendable, Hashable {
  package let rawValue: Int32

  package init(_ code: Int32) { rawValue = code }

  package static let success = ExitCode(0)
  package static let failure = ExitCode(1)
  /// The arguments were wrong: the `EX_USAGE` of `sysexits.h`.
  package static let validationFailure = ExitCode(64)
}
