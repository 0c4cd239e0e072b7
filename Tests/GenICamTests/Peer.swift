#if GenICam
import ColorScience
import Foundation
import GenICam
import Glibc
import Testing

/// The tests over the loopback network, one after the other: cameras of GigE Vision answer at a
/// fixed port.
@Suite(
  .serialized, .timeLimit(.minutes(10)),
  .enabled(if: Peer.program != nil, "run them by 'make test-genicam'"))
struct LoopbackTests {}

/// A peer: Aravis's own GigE Vision camera in front of a simulated card (`Tests/GenICamPeer`), in a
/// process that ends with this object.
final class Peer {
  static let program = ProcessInfo.processInfo.environment["WBCAL_GENICAM_PEER"]
  static let address = "127.0.0.1"

  let folder: URL
  private var process: pid_t = 0
  /// The pipe whose end ends the peer.
  private var input: CInt = -1

  /// Starts a peer, and waits until it answers.
  convenience init(_ arguments: String..., lamp: String = "D65") throws {
    try self.init(arguments, lamp: lamp)
  }

  /// Starts a peer, and waits until it answers.
  init(_ arguments: [String], lamp: String = "D65") throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "peer-\(UUID().uuidString)")
    try FileManager.default.createDirectory(
      at: folder.appending(path: "run"), withIntermediateDirectories: true)
    let program = try #require(Self.program)
    try switchOn(lamp)
    let (source, sink) = (try Self.pipe(), try Self.pipe())
    input = source.write
    process = try Self.spawn(
      [program] + arguments + ["--lamp-file", lampFile.path, "--truth", truthFile.path],
      input: source.read, output: sink.write)
    close(source.read)
    close(sink.write)
    var line = [UInt8](repeating: 0, count: 6)
    let count = unsafe read(sink.read, &line, line.count)
    close(sink.read)
    try #require(count == 6 && String(decoding: line, as: UTF8.self) == "ready\n")
  }

  private static func spawn(
    _ words: [String], input: CInt? = nil, output: CInt? = nil
  ) throws -> pid_t {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    if let input { unsafe posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO) }
    if let output { unsafe posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO) }
    var copies = unsafe words.map { unsafe strdup($0) } + [nil]
    defer { unsafe copies.forEach { unsafe free($0) } }
    var process: pid_t = 0
    let code = unsafe posix_spawn(&process, words[0], &actions, nil, &copies, environ)
    try #require(code == 0)
    return process
  }

  /// Runs a program to its end, and returns its status.
  static func run(_ words: String...) throws -> CInt {
    let process = try spawn(words)
    var status: CInt = 0
    unsafe waitpid(process, &status, 0)
    return status
  }

  private static func pipe() throws -> (read: CInt, write: CInt) {
    var ends: [CInt] = [-1, -1]
    try #require(unsafe Glibc.pipe(&ends) == 0)
    // The peer must not inherit the end that ends it.
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }

  deinit {
    unplug()
    close(input)
    try? FileManager.default.removeItem(at: folder)
  }

  var lampFile: URL { folder.appending(path: "lamp") }
  private var truthFile: URL { folder.appending(path: "truth") }

  /// Ends the peer, as if the camera were unplugged.
  func unplug() {
    guard process > 0 else { return }
    kill(process, SIGKILL)
    waitpid(process, nil, 0)
    process = 0
  }

  func switchOn(_ lamp: String) throws {
    try Data(lamp.utf8).write(to: lampFile, options: .atomic)
  }

  /// The card's red, green and blue in the last frame, without noise.
  func truth() throws -> LinearRGB {
    let numbers = try String(contentsOf: truthFile, encoding: .utf8)
      .split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
    try #require(numbers.count == 3)
    return LinearRGB(red: numbers[0], green: numbers[1], blue: numbers[2])
  }

  /// The file for `--truth-log`.
  static let truthLog = FileManager.default.temporaryDirectory
    .appending(path: "peer-truth-\(getpid())")

  func camera(
    _ request: PictureRequest = PictureRequest(), timeout: Duration = .seconds(3)
  ) async throws -> GenICamCamera {
    try await GenICamCamera(opening: Self.address, request: request, frameTimeout: timeout)
  }
}
#endif
