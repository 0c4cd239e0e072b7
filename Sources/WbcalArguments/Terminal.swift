#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The process's standard streams and its end.
enum Terminal {
  /// The width of the terminal on standard output, or 80 columns where there is none.
  static var columns: Int {
    var size = winsize()
    guard unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
      return 80
    }
    return Int(size.ws_col)
  }

  /// What sysexits.h calls EX_IOERR.
  static let outputFailed: Int32 = 74

  /// Writes a line to standard output; whether all of it was taken.
  static func print(_ text: String) -> Bool { send(text, to: STDOUT_FILENO) }

  /// Writes a line to standard error; there is nowhere to tell of one that does not work.
  static func printError(_ text: String) { _ = send(text, to: STDERR_FILENO) }

  private static func send(_ text: String, to descriptor: Int32) -> Bool {
    var rest = Array((text + "\n").utf8)[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes {
        unsafe write(descriptor, $0.baseAddress, $0.count)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  static func exitProcess(_ code: Int32) -> Never { exit(code) }
}
