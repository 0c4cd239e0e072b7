import CameraProfiles
import ProfileFiles
import WbcalFoundation
import WbcalSystem

/// Replaces the whole contents of a file, or leaves it as it was; `-` is standard output.
///
/// The bytes are written to a temporary file in the same folder, which is flushed to the disk and
/// then takes the name, mode and owner of the old one. The target of a symbolic link is replaced,
/// not the link. A pipe or a device is written to directly.
///
/// - Parameter followingLinks: `true` to write through a link, pipe or device at the path. Pass
///   `false` where other users could have put it there: the file then replaces it.
func replaceFile(_ path: String, with bytes: [UInt8], followingLinks: Bool = true) throws {
  try replaceFile(path, followingLinks: followingLinks) { writeAll(to: $0, bytes) }
}

/// Replaces a file as above by a DNG file.
func replaceFile(_ path: String, with file: DNGFile) throws {
  try replaceFile(path) { descriptor in
    var code: CInt?
    file.forEachPiece { piece in
      code = writeAll(to: descriptor, piece)
      return code == nil
    }
    return code
  }
}

/// Replaces a file as above by the bytes that `write` writes to a descriptor.
///
/// - Parameter write: returns the error number of the call that failed, or `nil`.
func replaceFile(
  _ path: String, followingLinks: Bool = true, write: (CInt) throws -> CInt?
) throws {
  func failure(_ code: Int32) -> Failure {
    var failure = Failure("write", path, errno: code)
    failure.message += ". Nothing was saved."
    // The code for a missing input does not fit an output that is a folder or whose folder is
    // missing.
    if failure.code == .noInput { failure.code = .inputOutput }
    return failure
  }
  if path == "-" {
    if let code = try write(Surroundings.current.output) { throw failure(code) }
    return
  }
  var status = stat()
  let name = path.systemName
  var exists = unsafe (followingLinks ? stat(name, &status) : lstat(name, &status)) == 0
  if !exists, ![ENOENT, ENOTDIR].contains(errno) { throw failure(errno) }
  if !followingLinks, status.st_mode & S_IFMT != S_IFREG { exists = false }
  if exists, status.st_mode & S_IFMT != S_IFREG {
    let descriptor = unsafe open(path.systemName, O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(errno) }
    defer { close(descriptor) }
    if let code = try write(descriptor) { throw failure(code) }
    return
  }
  // A file without write permission must not be replaced either. Where several users write, the
  // permissions of the folder decide.
  if exists, followingLinks, unsafe access(path.systemName, W_OK) != 0 { throw failure(errno) }
  let target = followingLinks ? try linkTarget(path, failure) : path
  // A signal before the renaming would leave the temporary file to the next run. Signals are
  // ignored only for a moment.
  let signals = Interrupts.areReported ? [] : [SIGINT, SIGQUIT, SIGTERM, SIGHUP]
  let actions = SignalActions(ignoring: signals)
  defer { actions.restore() }
  let folder = target.lastIndex(of: "/").map { String(target[...$0]) } ?? "./"
  let temporary = try TemporaryFile(in: folder, failure: failure)
  let descriptor = temporary.descriptor
  // The lock on the temporary file ends with the descriptor, so it is closed last.
  defer { close(descriptor) }
  var code: CInt?
  do { code = try write(descriptor) } catch {
    unsafe unlink(temporary.path.systemName)
    throw error
  }
  if exists {
    // Only root can keep another user's ownership; the mode can always be kept.
    _ = fchown(descriptor, status.st_uid, status.st_gid)
    fchmod(descriptor, status.st_mode & 0o7777)
  } else {
    fchmod(descriptor, 0o666 & ~fileModeMask)
  }
  if code == nil, fsync(descriptor) != 0 { code = errno }
  if code == nil, unsafe rename(temporary.path.systemName, target.systemName) != 0 { code = errno }
  if let code {
    unsafe unlink(temporary.path.systemName)
    throw failure(code)
  }
}

/// The mask of the modes of new files. It can only be read by changing it for a moment, in which
/// another thread would see another mask; so it is read only once.
private let fileModeMask: mode_t = {
  let mask = umask(0)
  umask(mask)
  return mask
}()

/// Replaces a file as above by data.
func replaceFile(_ path: String, with data: Data, followingLinks: Bool = true) throws {
  try replaceFile(path, with: Array(data), followingLinks: followingLinks)
}

/// Replaces files one after another. If that fails, the message names those that were written.
func replaceFiles(_ files: [(path: String, data: Data)]) throws {
  for (index, file) in files.enumerated() {
    do { try replaceFile(file.path, with: file.data) } catch {
      guard index > 0, var failure = error as? Failure else { throw error }
      let written = files[..<index].map { shown($0.path) }.joined(separator: ", ")
      failure.message.replace("Nothing was saved.", with: "Only \(written) was written.")
      throw failure
    }
  }
}

/// Returns the target of a path through symbolic links, whether or not there is a file.
private func linkTarget(_ path: String, _ failure: (Int32) -> Failure) throws -> String {
  var target = path
  for _ in 0..<40 {
    guard let next = destination(ofLink: target) else { return target }
    target =
      next.hasPrefix("/")
      ? next : URL(filePath: target.located).deletingLastPathComponent().appending(path: next).path
  }
  throw failure(ELOOP)
}

/// Returns the destination of a symbolic link; `nil` for any other path.
private func destination(ofLink path: String) -> String? {
  var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
  let count = unsafe bytes.withUnsafeMutableBytes { buffer in
    unsafe readlink(
      path.systemName, buffer.assumingMemoryBound(to: CChar.self).baseAddress!, buffer.count)
  }
  return count < 0 ? nil : String(systemName: bytes.prefix(count))
}

/// Indicates whether two paths are those of one regular file.
func areSameFile(_ first: String, _ second: String) -> Bool {
  RegularFiles([first]).contains(second)
}

/// The regular files at paths.
struct RegularFiles {
  private struct Identity: Hashable { var device, number: UInt64 }

  private var identities: Set<Identity> = []
  private var names: Set<String> = []

  init(_ paths: [String]) {
    for path in paths {
      guard let identity = Self.identity(of: path) else { continue }
      identities.insert(identity)
      if let name = realName(path) { names.insert(name) }
    }
  }

  func contains(_ path: String) -> Bool {
    guard let identity = Self.identity(of: path) else { return false }
    // Another run may have replaced the file in between; its name stays.
    return identities.contains(identity) || realName(path).map(names.contains) == true
  }

  private static func identity(of path: String) -> Identity? {
    var status = stat()
    guard unsafe stat(path.systemName, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      return nil
    }
    return Identity(device: UInt64(status.st_dev), number: UInt64(status.st_ino))
  }
}

/// Returns the path without symbolic links.
private func realName(_ path: String) -> String? {
  guard let name = unsafe realpath(path.systemName, nil) else { return nil }
  defer { unsafe free(name) }
  return unsafe String(
    systemName: UnsafeBufferPointer(start: name, count: strlen(name)).map {
      UInt8(bitPattern: $0)
    })
}

/// Refuses to overwrite an input.
func refuse(output: String, over inputs: [String]) throws {
  try refuse(outputs: [output], over: inputs)
}

/// Refuses to overwrite inputs by any of several outputs.
func refuse(outputs: [String], over inputs: [String]) throws {
  let read = RegularFiles(inputs)
  if let output = outputs.first(where: read.contains) {
    throw Failure.usage("\(output) is also an input; write to another file")
  }
}

/// Reads a file of text: a profile, shots, a spectrum.
func readFile(_ path: String) throws -> Data { Data(try readBytes(path, limit: 64 << 20)) }

/// Reads a file of any content. The default limit is that for pictures.
///
/// - Parameter refusesLonger: `true` to refuse a file that is longer than the limit; `false` to
///   return its bytes up to one beyond the limit.
func readBytes(
  _ path: String, limit: Int = 1 << 32, refusesLonger: Bool = true
) throws -> [UInt8] {
  // The system would open the file whose name ends at the NUL.
  guard !path.utf8.contains(0) else { throw Failure("read", path, errno: ENOENT) }
  // Foundation would not report the reason if reading fails.
  let descriptor = unsafe open(path.systemName, O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else { throw Failure("read", path, errno: errno) }
  defer { close(descriptor) }
  var bytes: [UInt8] = []
  if let code = readAll(from: descriptor, into: &bytes, limit: limit) {
    throw Failure("read", path, errno: code)
  }
  guard bytes.count <= limit || !refusesLonger else {
    throw Failure.badData("\(path) is larger than \(limit >> 20) MiB")
  }
  return bytes
}

extension CameraProfile {
  init(path: String) throws { try self.init(readFile(path), path: path) }

  /// Reads the profile that an argument names, of this program or another.
  init(source argument: String) throws { self = try ProfileSource(argument: argument).profile }

  /// Indicates whether a text is meant to be a profile, intact or damaged.
  static func isNamed(in data: Data) -> Bool {
    data.firstRange(of: "\"\(CameraProfile.format)\"".utf8) != nil
  }

  /// Reads a profile from a file's bytes.
  init(_ data: Data, path: String) throws {
    func bad(_ reason: String) -> Failure {
      Failure.badData("cannot use profile \(path): \(reason)")
    }
    // Data that does not begin like JSON is not a damaged profile.
    let first = data.first { !" \t\r\n\u{FEFF}".utf8.contains($0) }
    guard first.map({ "{[".utf8.contains($0) }) ?? true || Self.isNamed(in: data) else {
      throw bad(
        "it is not a profile of this program, a .dcp or .dng file, or a libcamera tuning file")
    }
    do {
      self = try JSONDecoder().decode(CameraProfile.self, from: data)
    } catch CameraProfileError.version(let version) {
      throw bad(
        "\(CameraProfileError.version(version)); use the program that made it, or calibrate again")
    } catch let error as DecodingError {
      throw bad("\(error.sentence(of: data)); calibrate again or use an intact copy")
    } catch { throw bad("\(error)") }
  }

  func write(to path: String) throws { try writeJSON(self, to: path) }

  /// Returns the contents of the profile's file.
  func json() throws -> Data { try fileJSON(self) }
}

extension Room {
  init(path: String) throws {
    let data = try readFile(path)
    do { self = try JSONDecoder().decode(Room.self, from: data) } catch {
      let reason = (error as? DecodingError)?.sentence(of: data) ?? "\(error)"
      throw Failure.badData("cannot use room \(path): \(reason); match the cameras again")
    }
  }

  func write(to path: String) throws { try writeJSON(self, to: path) }
}

/// Replaces a file by a value's JSON, in a readable layout.
private func writeJSON(_ value: some Encodable, to path: String) throws {
  try replaceFile(path, with: try fileJSON(value))
}

/// Returns the contents of a file of JSON.
func fileJSON(_ value: some Encodable) throws -> Data {
  let encoder = JSONEncoder()
  encoder.dateEncodingStrategy = .iso8601
  encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
  return try encoder.encode(value) + Data("\n".utf8)
}

extension DecodingError {
  /// Describes the damage of a JSON text and its place, without the names of Swift types.
  func sentence(of text: some Sequence<UInt8>) -> String {
    func place(_ context: Context) -> String {
      let path = context.codingPath.map { $0.intValue.map { "[\($0)]" } ?? $0.stringValue }
      return path.isEmpty ? "its top level" : "'" + path.joined(separator: ".") + "'"
    }
    switch self {
    case .keyNotFound(let key, let context):
      return "'\(key.stringValue)' is missing in \(place(context))"
    case .typeMismatch(_, let context), .valueNotFound(_, let context):
      return "\(place(context)) is of the wrong type"
    case .dataCorrupted(let context) where context.codingPath.isEmpty:
      return "it is not valid JSON: \(jsonDamage(in: text))"
    case .dataCorrupted(let context):
      return "\(place(context)) is damaged (\(context.debugDescription))"
    @unknown default: return "it is damaged"
    }
  }
}
