import WbcalFoundation
import WbcalSystem

/// Runs `body` while no other run of this program holds the lock on the same file.
///
/// The lock is on the file itself. If the file has been replaced by the time that it is locked, its
/// successor is locked instead. On a file system without locks nothing is locked.
///
/// - Throws: the errors of `body`; code 75 if another run holds the lock for longer than `timeout`.
func withLock<Result>(
  on path: String, timeout: Duration = .seconds(30), _ body: () throws -> Result
) throws -> Result {
  let deadline = ContinuousClock.now + timeout
  while true {
    let descriptor = unsafe open(path.systemName, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Failure("read", path, errno: errno) }
    defer { close(descriptor) }
    if flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      guard [EWOULDBLOCK, EINTR].contains(errno) else { return try body() }
      guard ContinuousClock.now < deadline else {
        throw Failure(
          message: "another run of wbcal is changing \(path); try again when it is done",
          code: .tryAgain)
      }
      usleep(20_000)
    } else if isFile(path, descriptor) {
      return try body()
    }
  }
}

/// Indicates whether a path is that of an open file.
private func isFile(_ path: String, _ descriptor: Int32) -> Bool {
  var (named, held) = (stat(), stat())
  return unsafe stat(path.systemName, &named) == 0 && fstat(descriptor, &held) == 0
    && named.st_dev == held.st_dev && named.st_ino == held.st_ino
}
