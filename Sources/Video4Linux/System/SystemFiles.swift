import Glibc
import WbcalSystem

/// Reads the information that this module needs from the file system.
enum SystemFiles {
  enum FileType: Hashable {
    case directory
    case file
    /// The major and minor number of a device.
    case device(major: UInt32, minor: UInt32)
    case other
  }

  /// Returns the type of the file at a path, following links; `nil` if there is none: stat(2).
  static func type(of path: String) -> FileType? {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    switch status.st_mode & S_IFMT {
    case S_IFDIR: return .directory
    case S_IFREG: return .file
    case S_IFCHR:
      // Glibc's major and minor are macros.
      let number = UInt64(status.st_rdev)
      return .device(
        major: UInt32(truncatingIfNeeded: number >> 8 & 0xFFF | number >> 32 & 0xFFFF_F000),
        minor: UInt32(truncatingIfNeeded: number & 0xFF | number >> 12 & 0xFFFF_FF00))
    default: return .other
    }
  }

  /// Returns the name of the group that a file belongs to.
  static func groupName(of path: String) -> String? {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    var entry = unsafe group()
    var found: UnsafeMutablePointer<group>? = nil
    return unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 16384) { buffer in
      unsafe getgrgid_r(status.st_gid, &entry, buffer.baseAddress, buffer.count, &found)
      return unsafe found.map { unsafe String(cString: $0.pointee.gr_name) }
    }
  }

  /// Returns the names in a directory; none if it cannot be read: readdir(3).
  static func names(in directory: String) -> [String] {
    guard let stream = unsafe opendir(directory) else { return [] }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    while let entry = unsafe readdir(stream) { names.append(text(of: unsafe entry.pointee.d_name)) }
    return names
  }

  /// Returns the path without links; `nil` if there is no file: realpath(3).
  static func resolved(_ path: String) -> String? {
    guard let buffer = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(buffer) }
    return unsafe String(cString: buffer)
  }

  /// Returns the text of a file of sysfs or procfs, without the end of its last line; `nil` if
  /// there is none.
  static func contents(of path: String) -> String? {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var text: [UInt8] = []
    text.reserveCapacity(4096)
    guard readAll(from: descriptor, into: &text, limit: 1 << 24) == nil else { return nil }
    if text.last == UInt8(ascii: "\n") { text.removeLast() }
    return String(decoding: text, as: UTF8.self)
  }
}
