import Glibc

/// The other programs that use a device, as far as /proc shows them to this user.
enum DeviceUsers {
  /// Returns the program that has the lock of flock(2) on a file, such as `cheese (process 4711)`;
  /// `nil` if it is not known.
  static func holder(ofLockOn path: String) -> String? {
    var status = stat()
    guard unsafe stat(path, &status) == 0, let locks = SystemFiles.contents(of: "/proc/locks")
    else {
      return nil
    }
    let device = UInt64(status.st_dev)
    let (major, minor) = (device >> 8 & 0xFFF, device & 0xFF | device >> 12 & 0xFFF00)
    // 1: FLOCK  ADVISORY  WRITE 4711 00:05:431 0 EOF
    for line in locks.split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count > 5, words[1] == "FLOCK", let process = Int(words[4]), process > 0 else {
        continue
      }
      let file = words[5].split(separator: ":")
      if file.count == 3, UInt64(file[0], radix: 16) == major,
        UInt64(file[1], radix: 16) == minor, UInt64(file[2]) == UInt64(status.st_ino)
      {
        return name(of: process)
      }
    }
    return nil
  }

  /// Returns another program that has a file open; `nil` if none is known.
  static func user(of path: String) -> String? {
    guard let target = SystemFiles.resolved(path) else { return nil }
    let processes = SystemFiles.names(in: "/proc").compactMap { Int($0) }.sorted()
    return processes.first { process in
      process != Int(getpid())
        && SystemFiles.names(in: "/proc/\(process)/fd").contains {
          SystemFiles.resolved("/proc/\(process)/fd/\($0)") == target
        }
    }.flatMap(name(of:))
  }

  private static func name(of process: Int) -> String? {
    guard let name = SystemFiles.contents(of: "/proc/\(process)/comm") else { return nil }
    return "\(name) (process \(process))"
  }
}
