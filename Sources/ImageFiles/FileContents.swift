#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Reading a file as a whole, so that what was recognized is what is decoded.
enum FileContents {
  /// No picture within the limits of `Frame.init(_:width:…)` needs more.
  static let limit = 1 << 32

  /// All bytes of a file, which may be a pipe.
  static func load(path: String) throws(ImageFileProblem) -> [UInt8] {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw ImageFileProblem(errno: errno) }
    defer { _ = close(descriptor) }
    var bytes: [UInt8] = []
    var status = stat()
    let isKnown = unsafe fstat(descriptor, &status) == 0
    // A device has no end at which to see that it is no picture.
    if isKnown, [S_IFCHR, S_IFBLK].contains(status.st_mode & S_IFMT) { throw .unknownFormat }
    if isKnown, status.st_mode & S_IFMT == S_IFREG {
      guard status.st_size <= limit else { throw .fileTooLong(limit: limit) }
      bytes.reserveCapacity(Int(status.st_size))
    }
    var chunk = [UInt8](repeating: 0, count: 1 << 18)
    while true {
      let count = unsafe chunk.withUnsafeMutableBytes {
        unsafe read(descriptor, $0.baseAddress, $0.count)
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw ImageFileProblem(errno: errno) }
      if count == 0 { return bytes }
      guard bytes.count + count <= limit else { throw .fileTooLong(limit: limit) }
      bytes += chunk[..<count]
    }
  }
}

extension ImageFileProblem {
  /// The problem behind an `errno` of `open` or `read`.
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

/// The system's words for an `errno`.
func systemMessage(_ number: Int32) -> String {
  unsafe strerror(number).map { unsafe String(cString: $0) } ?? "error \(number)"
}
