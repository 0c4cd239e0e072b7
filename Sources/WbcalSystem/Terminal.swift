#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A standard stream of the process, which may be a terminal.
package struct Terminal: Sendable {
  private let descriptor: CInt

  package static let standardOutput = Terminal(descriptor: STDOUT_FILENO)
  package static let standardError = Terminal(descriptor: STDERR_FILENO)

  /// The columns of the terminal; `nil` where the stream is no terminal, or one of unknown width.
  package var columns: Int? {
    var size = winsize()
    let known = unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
    return known ? Int(size.ws_col) : nil
  }

  /// The columns for a line that is drawn again and again; `nil` where the stream is no terminal,
  /// or one that cannot clear a line.
  ///
  /// The last column stays empty, because some terminals wrap when it is filled.
  package var columnsOfRedrawnLine: Int? {
    guard isatty(descriptor) == 1 else { return nil }
    if let name = unsafe getenv("TERM"), unsafe strcmp(name, "dumb") == 0 { return nil }
    return columns.flatMap { $0 > 1 ? $0 - 1 : nil } ?? 79
  }

  /// Writes a text at once.
  ///
  /// - Returns: whether all of it was written.
  @discardableResult
  package func write(_ text: String) -> Bool {
    writeAll(to: descriptor, Array(text.utf8)) == nil
  }
}
