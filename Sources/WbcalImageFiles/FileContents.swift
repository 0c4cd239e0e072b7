import WbcalSystem

/// Reads a whole file, so that the bytes whose format is recognized are the bytes that are decoded.
enum FileContents {
  /// The largest size of a file in bytes. No picture within the limits of `Frame.init(_:width:…)`
  /// needs more.
  static let limit = 1 << 32

  /// Replaces `bytes` with all bytes of a file, which may be a pipe; the memory of `bytes` is
  /// reused.
  static func load(path: String, into bytes: inout [UInt8]) throws(ImageFileProblem) {
    // The system would open the file whose name ends at the zero.
    guard !path.utf8.contains(0) else { throw .notFound }
    let descriptor = unsafe open(path.systemName, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw ImageFileProblem(errno: errno) }
    defer { _ = close(descriptor) }
    bytes.removeAll(keepingCapacity: true)
    var status = stat()
    let isKnown = unsafe fstat(descriptor, &status) == 0
    // A device may never end, so it cannot be read as a picture.
    if isKnown, [S_IFCHR, S_IFBLK].contains(status.st_mode & S_IFMT) { throw .unknownFormat }
    if isKnown, status.st_mode & S_IFMT == S_IFREG {
      guard status.st_size <= limit else { throw .fileTooLong(limit: limit) }
    }
    if let code = readAll(from: descriptor, into: &bytes, limit: limit) {
      throw ImageFileProblem(errno: code)
    }
    guard bytes.count <= limit else { throw .fileTooLong(limit: limit) }
  }
}

extension ImageFileProblem {
  /// Creates the problem for an `errno` of `open` or `read`.
  init(errno number: Int32) {
    self =
      switch number {
      case ENOENT, ENOTDIR: .notFound
      case EACCES, EPERM: .noPermission
      case EISDIR: .directory
      default: .inputOutput(errno: number)
      }
  }
}
