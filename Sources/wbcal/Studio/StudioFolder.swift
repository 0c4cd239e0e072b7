import WbcalFoundation
import WbcalSystem

/// The folder of a studio's files. No name that a page sends leads out of it.
final class StudioFolder: Sendable {
  let path: String
  private let descriptor: Int32

  /// The endings of names that are read and written, with their content types.
  private static let kinds = [
    ".html": "text/html; charset=utf-8", ".json": "application/json", ".svg": "image/svg+xml",
    ".png": "image/png", ".tiff": "image/tiff",
  ]
  /// A page only asks for files that the studio has written, which are never larger.
  private static let limit = 1 << 28

  init(_ path: String) throws {
    self.path = path
    descriptor = unsafe open(path.systemName, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Failure("open the folder", path, errno: errno) }
  }

  deinit { close(descriptor) }

  /// Returns the path of a file in the folder, as commands name it.
  func path(of name: String) -> String {
    path == "." ? name : (path.hasSuffix("/") ? path : path + "/") + name
  }

  /// Returns the content type of a name's file.
  ///
  /// - Throws: `StudioProblem` if it is not a plain name of a known kind.
  static func contentType(of name: String) throws(StudioProblem) -> String {
    guard isPlain(name) else {
      throw .usage(
        "'\(shown(name))' is not a plain file name, without folders and without a leading dot")
    }
    guard let kind = kinds.first(where: { name.lowercased().hasSuffix($0.key) }) else {
      throw .usage(
        "'\(shown(name))' must end in one of "
          + kinds.keys.sorted().joined(separator: ", "))
    }
    return kind.value
  }

  private static func isPlain(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.count <= 200 && !name.hasPrefix(".")
      && !name.contains { $0 == "/" || $0 == "\\" }
      && name.unicodeScalars.allSatisfy { $0.value >= 32 && $0.value != 127 && $0.value != 0x2028 }
  }

  /// Replaces the whole contents of a file, or leaves it as it was. Anything but a regular file is
  /// refused, also a link.
  func write(_ name: String, _ bytes: [UInt8]) throws {
    _ = try Self.contentType(of: name)
    func failure(_ code: Int32) -> Failure {
      var failure = Failure("write", path(of: name), errno: code)
      failure.message += ". Nothing was saved."
      return failure
    }
    var status = stat()
    if unsafe fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0,
      status.st_mode & S_IFMT != S_IFREG
    {
      throw Failure.badData(
        "\(path(of: name)) is not a regular file, but a link, a folder or a device. Nothing was "
          + "saved.")
    }
    // A file that a killed run leaves is found and removed later by `TemporaryFile`.
    let temporary = ".wbcal-" + UUID().uuidString.suffix(6)
    let file = unsafe openat(
      descriptor, temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o666)
    guard file >= 0 else { throw failure(errno) }
    defer { close(file) }
    flock(file, LOCK_EX | LOCK_NB)
    var code = writeAll(to: file, bytes)
    if code == nil, fsync(file) != 0 { code = errno }
    if code == nil, unsafe renameat(descriptor, temporary, descriptor, name) != 0 { code = errno }
    if let code {
      unsafe unlinkat(descriptor, temporary, 0)
      throw failure(code)
    }
  }

  /// Indicates whether there is a file, link or folder of a name.
  func has(_ name: String) throws -> Bool {
    _ = try Self.contentType(of: name)
    var status = stat()
    return unsafe fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0
  }

  /// Returns the bytes of a file; `nil` if there is none.
  func contents(of name: String) throws -> [UInt8]? {
    do { return try read(name).bytes } catch let failure as Failure where failure.code == .noInput {
      return nil
    }
  }

  /// Returns the bytes of a file, and its content type.
  func read(_ name: String) throws -> (bytes: [UInt8], contentType: String) {
    let contentType = try Self.contentType(of: name)
    // Opening a pipe of that name would wait forever.
    let file = unsafe openat(
      descriptor, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else {
      // A link is not one of the studio's files.
      throw Failure("read", name, errno: errno == ELOOP ? ENOENT : errno)
    }
    defer { close(file) }
    var status = stat()
    guard unsafe fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw Failure("read", name, errno: ENOENT)
    }
    var bytes: [UInt8] = []
    if let code = readAll(from: file, into: &bytes, limit: Self.limit) {
      throw Failure("read", name, errno: code)
    }
    return (bytes, contentType)
  }
}
