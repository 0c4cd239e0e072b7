import Synchronization
import WbcalFoundation
import WbcalSystem

/// A file that is to be renamed to another's name, locked as long as its process lives.
///
/// A process that is killed leaves it behind; the next process that writes to the same folder finds
/// it unlocked and removes it.
struct TemporaryFile {
  let descriptor: Int32
  let path: String

  private static let prefix = ".wbcal-"
  private static let mark = "XXXXXX"

  /// - Parameters:
  ///   - folder: the path of the folder, with a slash at the end.
  ///   - failure: returns the error for an error number of the system.
  init(in folder: String, failure: (Int32) -> Failure) throws {
    Self.removeAbandoned(in: folder.located)
    while true {
      var template = "\(folder)\(Self.prefix)\(Self.mark)".systemName
      let descriptor = unsafe mkstemp(&template)
      guard descriptor >= 0 else { throw failure(errno) }
      let path = String(systemName: template.dropLast().map { UInt8(bitPattern: $0) })
      // On a file system without locks, no process gets a lock, and no file counts as abandoned.
      let isTaken = flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK
      var status = stat()
      // Between the two calls another process may have locked the file to remove it, or removed it.
      if isTaken || (unsafe fstat(descriptor, &status) == 0 && status.st_nlink == 0) {
        unsafe unlink(path.systemName)
        close(descriptor)
        continue
      }
      (self.descriptor, self.path) = (descriptor, path)
      return
    }
  }

  /// The times at which folders were last searched, so that a thousand files in a row do not cause
  /// a search each.
  private static let searches = Mutex<[String: ContinuousClock.Instant]>([:])

  private static func removeAbandoned(in folder: String) {
    let isDue = searches.withLock { searches in
      if let last = searches[folder], last.duration(to: .now) < .seconds(1) { return false }
      searches[folder] = .now
      return true
    }
    guard isDue else { return }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    for name in names
    where name.hasPrefix(prefix) && name.utf8.count == prefix.utf8.count + mark.utf8.count {
      let path = folder + name
      let descriptor = unsafe open(path.systemName, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
      guard descriptor >= 0 else { continue }
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { unsafe unlink(path.systemName) }
      close(descriptor)
    }
  }
}
