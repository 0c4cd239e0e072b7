import Foundation

/// The resources that the run of a program needed.
struct Run {
  /// The elapsed time, in seconds.
  var wall: Double
  /// The time of all processors in the program and in the system, in seconds.
  var processor: Double
  /// The peak memory, in MiB.
  var memory: Double

  /// Runs a program to its end, and discards its output.
  init(_ program: String, _ arguments: [String]) {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    var words = ([program] + arguments).map { strdup($0) } + [nil]
    let start = ContinuousClock.now
    var process: pid_t = 0
    guard posix_spawn(&process, program, &actions, nil, &words, environ) == 0 else {
      fatalError("\(program) could not be run")
    }
    var status: CInt = 0
    var usage = rusage()
    guard wait4(process, &status, 0, &usage) == process, status == 0 else {
      fatalError("\(program) failed")
    }
    wall = (ContinuousClock.now - start) / .seconds(1)
    processor = [usage.ru_utime, usage.ru_stime].reduce(0) {
      $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6
    }
    memory = Double(usage.ru_maxrss) / 1024
    for word in words { free(word) }
    posix_spawn_file_actions_destroy(&actions)
  }
}
