/// The properties that a command takes from its process unless a task sets others, so that tests
/// can run many commands in one process. Programs that a command starts have those of the process.
package struct Surroundings: Sendable {
  @TaskLocal package static var current = Surroundings()

  /// The standard streams.
  package var input = STDIN_FILENO
  package var output = STDOUT_FILENO
  package var errors = STDERR_FILENO
  /// The folder to which file names are relative; `nil` for that of the process.
  package var folder: String?
  /// The environment variables that differ from the process's.
  package var variables: [String: String] = [:]
  /// Indicates whether a signal to the process is meant for the command, because it is the whole
  /// program.
  package var hasSignals = false

  package init() {}
}
