import Foundation
import Testing

/// A program that ends with the process of the tests, no matter how that ends, and all that it has
/// started with it.
final class BrowserProcess: @unchecked Sendable {
  /// Where it may leave files; the folder is removed at its end.
  let folder: URL
  private let process = Process()
  private let life = Pipe()
  private let said = Pipe()

  init(_ command: (_ folder: URL) throws -> [String]) throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "browser-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    // The standard input ends with the process of the tests. Signals may be blocked in it, and a
    // terminal sends them to all.
    let script = """
      trap : INT TERM HUP
      set -m
      TMPDIR=$0 HOME=$0 "$@" </dev/null &
      cat >/dev/null
      kill -KILL -- -$!
      wait
      rm -rf -- "$0"
      """
    process.executableURL = URL(filePath: "/bin/bash")
    process.arguments = ["-c", script, folder.path] + (try command(folder))
    process.standardInput = life
    process.standardOutput = said
    process.standardError = FileHandle.nullDevice
    try process.run()
  }

  deinit {
    try? life.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  /// Waits for a number in the program's output.
  func number(after pattern: Regex<(Substring, Substring)>) throws -> UInt16 {
    var text = ""
    while true {
      let data = said.fileHandleForReading.availableData
      try #require(!data.isEmpty, "the browser ended: \(text)")
      text += String(decoding: data, as: UTF8.self)
      if let match = text.firstMatch(of: pattern) { return try #require(UInt16(match.1)) }
    }
  }
}
