#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// What a command has from the process that it runs in, unless a task is given something else: so
/// tests run many commands in one process. Programs that a command starts have the process's own.
package struct Surroundings: Sendable {
  @TaskLocal package static var current = Surroundings()

  /// The standard streams.
  package var input = STDIN_FILENO
  package var output = STDOUT_FILENO
  package var errors = STDERR_FILENO
  /// The folder in which names of files begin; `nil` for that of the process.
  package var folder: String?
  /// Variables of the environment that differ from the process's.
  package var variables: [String: String] = [:]
  /// Whether a signal to the process is one to the command, as where that is the whole program.
  package var hasSignals = false

  package init() {}
}
