import ArgumentParser
import Foundation

/// Writes a message to standard error, behind the program's name.
func complain(_ message: String) { write(to: 2, "wbcal: \(message)\n") }

/// Writes a remark to standard error; results alone go to standard output.
func remark(_ message: String) { write(to: 2, message + "\n") }

/// Standard output, gathered into large writes.
struct StandardOutput {
  private var pending: [UInt8] = []

  mutating func write(_ text: String) throws {
    pending.append(contentsOf: text.utf8)
    if pending.count >= 1 << 16 { try flush() }
  }

  mutating func flush() throws {
    defer { pending.removeAll(keepingCapacity: true) }
    if let code = writeAll(to: 1, pending) {
      throw Failure("write to", "standard output", errno: code)
    }
  }

  /// Writes a line at once.
  static func line(_ text: String) throws {
    var output = StandardOutput()
    try output.write(text + "\n")
    try output.flush()
  }
}

private func write(to descriptor: Int32, _ text: String) {
  // There is nowhere to tell of a standard error that does not work.
  _ = writeAll(to: descriptor, Array(text.utf8))
}

/// Writes every byte; the error number if that fails.
private func writeAll(to descriptor: Int32, _ bytes: [UInt8]) -> Int32? {
  unsafe bytes.withUnsafeBytes { buffer in
    var rest = unsafe buffer[...]
    while unsafe !rest.isEmpty {
      let count = unsafe Foundation.write(
        descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress!, rest.count)
      if count < 0 {
        if errno == EINTR { continue }
        return errno
      }
      unsafe rest = rest.dropFirst(count)
    }
    return nil
  }
}

/// The lines of standard input, read in large pieces; `atPause` is called before each read, so that
/// what was computed can be shown while more input is awaited.
func forEachLineOfInput(
  atPause: () throws -> Void, _ body: (Substring) throws -> Void
) throws {
  var buffer = [UInt8](repeating: 0, count: 1 << 16)
  var rest: [UInt8] = []
  while true {
    try atPause()
    let count = unsafe read(0, &buffer, buffer.count)
    if count < 0 {
      if errno == EINTR { continue }
      throw Failure("read", "standard input", errno: errno)
    }
    if count == 0 { break }
    var start = 0
    for index in 0..<count where buffer[index] == UInt8(ascii: "\n") {
      rest.append(contentsOf: buffer[start..<index])
      try body(String(decoding: rest, as: UTF8.self)[...])
      rest.removeAll(keepingCapacity: true)
      start = index + 1
    }
    rest.append(contentsOf: buffer[start..<count])
    // A "line" of megabytes is no row of numbers; do not gather it.
    if rest.count > 1 << 20 {
      throw Failure(message: "standard input has a line of more than 1 MiB", code: .badData)
    }
  }
  if !rest.isEmpty { try body(String(decoding: rest, as: UTF8.self)[...]) }
}

/// Writes a value as one line of JSON.
func printJSON(_ value: some Encodable) throws {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
  try StandardOutput.line(String(decoding: try encoder.encode(value), as: UTF8.self))
}
