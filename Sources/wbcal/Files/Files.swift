import CameraProfiles
import ProfileFiles
import WbcalFoundation
import WbcalSystem

/// Replaces the whole of a file, or leaves it as it was; `-` is standard output.
///
/// The bytes are written to a temporary file beside it, which is flushed to the disk and then takes
/// the name, mode and owner of the old one. A symbolic link stays one: its target is replaced. A
/// pipe or a device is written to directly.
///
/// - Parameter followingLinks: whether a link, a pipe or a device at the path is meant. Pass
///   `false` where others could have put it there: the file then takes its place.
func replaceFile(_ path: String, with bytes: [UInt8], followingLinks: Bool = true) throws {
  try replaceFile(path, followingLinks: followingLinks) { writeAll(to: $0, bytes) }
}

/// The same with what `write` writes to a descriptor; it returns the error number of the call that
/// failed.
func replaceFile(
  _ path: String, followingLinks: Bool = true, write: (CInt) throws -> CInt?
) throws {
  func failure(_ code: Int32) -> Failure {
    var failure = Failure("write", path, errno: code)
    failure.message += ". Nothing was saved."
    // The code for a missing input does not fit an output whose folder is missing or which is a
    // folder.
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
  // A file that may not be written must not be replaced either; where several users write, the
  // folder's permissions decide.
  if exists, followingLinks, unsafe access(path.systemName, W_OK) != 0 { throw failure(errno) }
  let target = followingLinks ? try linkTarget(path, failure) : path
  // A signal before the renaming would leave the temporary file to the next run; it takes only a
  // moment.
  let signals = Interrupts.areReported ? [] : [SIGINT, SIGQUIT, SIGTERM, SIGHUP]
  let actions = SignalActions(ignoring: signals)
  defer { actions.restore() }
  let folder = target.lastIndex(of: "/").map { String(target[...$0]) } ?? "./"
  let temporary = try TemporaryFile(in: folder, failure: failure)
  let descriptor = temporary.descriptor
  // Its lock ends with the descriptor, so it is closed last.
  defer { close(descriptor) }
  var code: CInt?
  do { code = try write(descriptor) } catch {
    unsafe unlink(temporary.path.systemName)
    throw error
  }
  if exists {
    // Only root can keep another's ownership; the mode anybody can.
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

/// Of the modes of new files. To look at it is to change it for a moment, in which another thread
/// would see another mask; so it is looked at once.
private let fileModeMask: mode_t = {
  let mask = umask(0)
  umask(mask)
  return mask
}()

/// The same with data.
func replaceFile(_ path: String, with data: Data, followingLinks: Bool = true) throws {
  try replaceFile(path, with: Array(data), followingLinks: followingLinks)
}

/// Replaces files one after another; if that fails, the message names those that are written.
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

/// Where a path leads through symbolic links, whether or not there is a file.
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

/// Where a symbolic link leads; `nil` for what is none.
private func destination(ofLink path: String) -> String? {
  var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
  let count = unsafe bytes.withUnsafeMutableBytes { buffer in
    unsafe readlink(
      path.systemName, buffer.assumingMemoryBound(to: CChar.self).baseAddress!, buffer.count)
  }
  return count < 0 ? nil : String(systemName: bytes.prefix(count))
}

/// Whether two paths lead to one regular file.
func areSameFile(_ first: String, _ second: String) -> Bool {
  RegularFiles([first]).contains(second)
}

/// The regular files that paths lead to.
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

/// The path without symbolic links.
private func realName(_ path: String) -> String? {
  guard let name = unsafe realpath(path.systemName, nil) else { return nil }
  defer { unsafe free(name) }
  return unsafe String(
    systemName: UnsafeBufferPointer(start: name, count: strlen(name)).map {
      UInt8(bitPattern: $0)
    })
}

/// Refuses to write over what is read.
func refuse(output: String, over inputs: [String]) throws {
  try refuse(outputs: [output], over: inputs)
}

/// The same of several.
func refuse(outputs: [String], over inputs: [String]) throws {
  let read = RegularFiles(inputs)
  if let output = outputs.first(where: read.contains) {
    throw Failure(message: "\(output) is an input too; write to another file", code: .usage)
  }
}

/// The bytes of a file that holds text: a profile, shots, a spectrum.
func readFile(_ path: String) throws -> Data { Data(try readBytes(path, limit: 64 << 20)) }

/// The bytes of a file, whatever it holds. What holds pixels may be as long as pictures are.
///
/// - Parameter isMoreRefused: whether a file that is longer than the limit is refused, and not only
///   read to one byte beyond it.
func readBytes(
  _ path: String, limit: Int = 1 << 32, isMoreRefused: Bool = true
) throws -> [UInt8] {
  // The system would open the file whose name ends at the NUL.
  guard !path.utf8.contains(0) else { throw Failure("read", path, errno: ENOENT) }
  // Foundation would not say why reading fails.
  let descriptor = unsafe open(path.systemName, O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else { throw Failure("read", path, errno: errno) }
  defer { close(descriptor) }
  var bytes: [UInt8] = []
  if let code = readAll(from: descriptor, into: &bytes, limit: limit) {
    throw Failure("read", path, errno: code)
  }
  guard bytes.count <= limit || !isMoreRefused else {
    throw Failure.badData("\(path) is larger than \(limit >> 20) MiB")
  }
  return bytes
}

extension CameraProfile {
  init(path: String) throws { try self.init(readFile(path), path: path) }

  /// The profile that an argument names, of this program or another.
  init(source argument: String) throws { self = try ProfileSource(argument: argument).profile }

  /// Whether a text is meant to be a profile, whole or damaged.
  static func isNamed(in data: Data) -> Bool {
    data.firstRange(of: "\"\(CameraProfile.format)\"".utf8) != nil
  }

  /// The profile that a file's bytes are.
  init(_ data: Data, path: String) throws {
    func bad(_ reason: String) -> Failure {
      Failure.badData("cannot use profile \(path): \(reason)")
    }
    // What begins like no JSON is no damaged profile.
    let first = data.first { !" \t\r\n\u{FEFF}".utf8.contains($0) }
    guard first.map({ "{[".utf8.contains($0) }) ?? true || Self.isNamed(in: data) else {
      throw bad(
        "it is none of a profile of this program, a .dcp or .dng file and a libcamera tuning file")
    }
    do {
      self = try JSONDecoder().decode(CameraProfile.self, from: data)
    } catch CameraProfileError.version(let version) {
      throw bad(
        "\(CameraProfileError.version(version)); use the program that made it, or calibrate again")
    } catch let error as DecodingError {
      throw bad("\(error.sentence(of: data)); calibrate again or take a copy that is whole")
    } catch { throw bad("\(error)") }
  }

  func write(to path: String) throws { try writeJSON(self, to: path) }

  /// What its file has.
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

/// Replaces a file by a value's JSON, for people too.
private func writeJSON(_ value: some Encodable, to path: String) throws {
  try replaceFile(path, with: try fileJSON(value))
}

private func fileJSON(_ value: some Encodable) throws -> Data {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
  return try encoder.encode(value) + Data("\n".utf8)
}

extension DecodingError {
  /// What is wrong with a text of JSON and where, without the names of Swift types.
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
