/// Returns the system's text for an error number (`strerror`).
package func systemErrorText(_ number: CInt) -> String {
  unsafe strerror(number).map { unsafe String(cString: $0) } ?? "error \(number)"
}

/// Writes all bytes to a descriptor, in as many calls as necessary.
///
/// - Returns: the error number of the call that failed; `nil` if all bytes were written.
package func writeAll(to descriptor: CInt, _ bytes: [UInt8]) -> CInt? {
  unsafe bytes.withUnsafeBytes { buffer in
    var rest = unsafe buffer[...]
    while unsafe !rest.isEmpty {
      let count = unsafe write(
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

/// Writes all bytes to a pipe or a file while its reader is ready or the work is wanted. If the
/// work is no longer wanted and nothing can be written for a quarter of a second, it ends with
/// `ECANCELED`.
///
/// - Returns: the error number of the call that failed; `nil` if all bytes were written.
package func writeAll(
  to descriptor: CInt, _ bytes: Span<UInt8>, while isWanted: () -> Bool
) -> CInt? {
  unsafe bytes.withUnsafeBytes { buffer in
    var rest = unsafe buffer[...]
    while unsafe !rest.isEmpty {
      var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      let ready = unsafe poll(&entry, 1, 250)
      if ready < 0, errno != EINTR { return errno }
      guard ready > 0 else {
        if isWanted() { continue }
        return ECANCELED
      }
      // A pipe that has room has at least this much room, so this does not wait.
      let piece = unsafe UnsafeRawBufferPointer(rebasing: rest.prefix(Int(PIPE_BUF)))
      let count = unsafe write(descriptor, piece.baseAddress!, piece.count)
      if count < 0, errno != EINTR, errno != EAGAIN { return errno }
      unsafe rest = rest.dropFirst(max(0, count))
    }
    return nil
  }
}

/// Reads from a descriptor to its end, or until the number of bytes exceeds a limit.
///
/// - Parameters:
///   - bytes: the array to which the bytes are appended. Room for a whole file is reserved at once.
///   - limit: the largest number of bytes; one more is read to show that there are more.
/// - Returns: the error number of the call that failed; `nil` if none did.
package func readAll(from descriptor: CInt, into bytes: inout [UInt8], limit: Int) -> CInt? {
  var status = stat()
  if unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG {
    // One more byte shows the end.
    bytes.reserveCapacity(bytes.count + min(Int(status.st_size), limit) + 1)
  }
  while bytes.count <= limit {
    let left = bytes.capacity - bytes.count
    let room = min(left > 0 ? left : max(bytes.count, 1 << 18), limit + 1 - bytes.count)
    var count = 0
    var code: CInt = 0
    bytes.append(addingCapacity: room) { output in
      unsafe output.withUnsafeMutableBufferPointer { buffer, initialized in
        count = unsafe read(descriptor, buffer.baseAddress, buffer.count)
        code = errno
        initialized = max(0, count)
      }
    }
    if count < 0, code == EINTR { continue }
    guard count >= 0 else { return code }
    if count == 0 { return nil }
  }
  return nil
}

package func endProcess(status: CInt) -> Never { exit(status) }

/// A standard stream, which may be a terminal.
package struct Terminal: Sendable {
  private let descriptor: CInt

  package static var standardOutput: Terminal {
    Terminal(descriptor: Surroundings.current.output)
  }
  package static var standardError: Terminal { Terminal(descriptor: Surroundings.current.errors) }

  /// Indicates whether the stream is a terminal.
  package var isTerminal: Bool { isatty(descriptor) == 1 }

  /// The number of columns of the terminal; `nil` if the stream is not a terminal, or its width is
  /// unknown.
  package var columns: Int? { size.flatMap { $0.columns > 0 ? $0.columns : nil } }

  private var size: (columns: Int, rows: Int)? {
    var size = winsize()
    let known = unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0
    return known ? (Int(size.ws_col), Int(size.ws_row)) : nil
  }

  /// The current number of columns and rows for output that is redrawn; `nil` if the stream is not
  /// a terminal, or one that cannot clear a line.
  ///
  /// The last column stays empty, because some terminals wrap when it is filled.
  package var redrawnSize: (columns: Int, rows: Int)? {
    guard isTerminal else { return nil }
    if let name = unsafe getenv("TERM"), unsafe strcmp(name, "dumb") == 0 { return nil }
    let (columns, rows) = size ?? (0, 0)
    return (columns > 1 ? columns - 1 : 79, rows > 0 ? rows : 24)
  }

  /// Writes a text at once.
  ///
  /// - Returns: `true` if all of it was written.
  @discardableResult
  package func write(_ text: String) -> Bool {
    writeAll(to: descriptor, Array(text.utf8)) == nil
  }
}

/// Returns unpredictable random bytes; `nil` if the system has none.
package func randomBytes(_ count: Int) -> [UInt8]? {
  var bytes = [UInt8](repeating: 0, count: count)
  return unsafe getentropy(&bytes, count) == 0 ? bytes : nil
}

/// Returns the time of day in the user's time zone.
package func localTime() -> (hour: Int, minute: Int, second: Int) {
  var now = time(nil)
  var parts = unsafe tm()
  unsafe localtime_r(&now, &parts)
  return unsafe (Int(parts.tm_hour), Int(parts.tm_min), Int(parts.tm_sec))
}
