import WbcalFoundation

/// A shell command that gets its parameters in environment variables.
enum ShellCommand {
  /// Runs a command and waits for it; its output goes to standard error.
  ///
  /// - Returns: its exit status, or 128 plus the number of the signal that ended it.
  static func run(_ command: String, environment: [String: String]) throws -> Int32 {
    let variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    var child: pid_t = 0
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_adddup2(&actions, 2, 1)
    // This process ignores the signals that it watches for, and blocks them in threads; a command
    // must not inherit that.
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    for signal in [SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGPIPE] { unsafe sigaddset(&signals, signal) }
    unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
    unsafe sigemptyset(&signals)
    unsafe posix_spawnattr_setsigmask(&attributes, &signals)
    unsafe posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
    let code = unsafe withCStrings(["sh", "-c", command]) { arguments in
      unsafe withCStrings(variables.map { "\($0)=\($1)" }) { variables in
        unsafe posix_spawn(&child, "/bin/sh", &actions, &attributes, arguments, variables)
      }
    }
    if code != 0 { throw Failure("run", "/bin/sh", errno: code) }
    var status: Int32 = 0
    while unsafe waitpid(child, &status, 0) < 0 {
      if errno != EINTR { throw Failure("wait for", "/bin/sh", errno: errno) }
    }
    let signal = status & 0x7F
    return signal == 0 ? status >> 8 & 0xFF : 128 + signal
  }

  private static func withCStrings<Result>(
    _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
  ) -> Result {
    var copies = unsafe strings.map { unsafe strdup($0) }
    unsafe copies.append(nil)
    defer { unsafe copies.forEach { unsafe free($0) } }
    return unsafe body(copies)
  }
}
