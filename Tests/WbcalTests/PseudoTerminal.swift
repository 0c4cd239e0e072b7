import Foundation
import Testing

/// A terminal with a shell, at which a test types and reads what a user would see.
///
/// The shell has job control: a program without a shell in its session could not be stopped.
final class PseudoTerminal {
  private let primary: Int32
  private let shell = Process()
  private var text = ""
  /// The start of the text that no wait has passed yet.
  private var seen = 0

  init(_ bench: Workbench, columns: Int = 80, rows: Int = 24) throws {
    primary = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    // Linux's TIOCSPTLCK and TIOCGPTN: unlock the terminal, and return its number.
    var (lock, number) = (Int32(0), Int32(0))
    let isUnlocked = unsafe ioctl(primary, 0x4004_5431, &lock) == 0
    let isNumbered = unsafe ioctl(primary, 0x8004_5430, &number) == 0
    try #require(isUnlocked && isNumbered)
    Self.resize(primary, columns: columns, rows: rows)
    let secondary = unsafe open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
    try #require(secondary >= 0)
    let handle = FileHandle(fileDescriptor: secondary, closeOnDealloc: true)
    // The parent process may have set them to be ignored.
    for number in [SIGINT, SIGHUP, SIGTSTP] { Foundation.signal(number, SIG_DFL) }
    shell.executableURL = URL(filePath: "/usr/bin/setsid")
    shell.arguments = [
      "--ctty", "--wait", "bash", "--norc", "--noprofile", "--noediting", "-i",
    ]
    shell.currentDirectoryURL = bench.folder
    shell.environment = ProcessInfo.processInfo.environment.merging([
      "XDG_RUNTIME_DIR": bench.folder.appending(path: "run").path, "SWIFT_BACKTRACE": "enable=no",
      "TERM": "xterm", "PS1": "ready$? ", "wbcal": Workbench.tool.path,
    ]) { $1 }
    (shell.standardInput, shell.standardOutput, shell.standardError) = (handle, handle, handle)
    try shell.run()
    try wait(for: "ready0 ")
  }

  deinit {
    for group in [tcgetpgrp(primary), tcgetsid(primary)] where group > 1 { kill(-group, SIGKILL) }
    close(primary)
    shell.waitUntilExit()
  }

  /// Presses keys; Return is `\r`, Ctrl-C `\u{3}`, Ctrl-D `\u{4}`, Ctrl-Z `\u{1A}`.
  func type(_ keys: String) {
    let bytes = Array(keys.utf8)
    _ = unsafe write(primary, bytes, bytes.count)
  }

  func resize(columns: Int, rows: Int) { Self.resize(primary, columns: columns, rows: rows) }

  private static func resize(_ terminal: Int32, columns: Int, rows: Int) {
    var size = winsize()
    (size.ws_col, size.ws_row) = (UInt16(columns), UInt16(rows))
    _ = unsafe ioctl(terminal, UInt(TIOCSWINSZ), &size)
  }

  /// Reads until a text appears, and returns everything up to its end.
  @discardableResult
  func wait(
    for wanted: String, seconds: Double = 600, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> String {
    let end = ContinuousClock.now + .seconds(seconds)
    while true {
      let new = text.dropFirst(seen)
      if let found = new.range(of: wanted) {
        let passed = String(new[..<found.upperBound])
        seen += passed.count
        return passed
      }
      guard ContinuousClock.now < end, read() else {
        let end = String(new.suffix(1000)).debugDescription
        Issue.record("no '\(wanted)' in \(end)", sourceLocation: sourceLocation)
        throw CancellationError()
      }
    }
  }

  /// Reads what is available within a tenth of a second; returns `false` when the terminal is
  /// closed.
  private func read() -> Bool {
    var ready = pollfd(fd: primary, events: Int16(POLLIN), revents: 0)
    guard unsafe poll(&ready, 1, 100) > 0 else { return true }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = unsafe Foundation.read(primary, &bytes, bytes.count)
    guard count > 0 else { return false }
    // The text is decoded as scalars: otherwise a character that is cut off, or "\r\n", would
    // depend on where reads end.
    text += String(decoding: bytes[..<count], as: UTF8.self).replacing("\r\n", with: "\n")
    return true
  }
}
