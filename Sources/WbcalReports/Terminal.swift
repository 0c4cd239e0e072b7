#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Bionic)
import Bionic
#endif

/// What has to be asked of the system about a terminal.
enum Terminal {
  static let standardOutput: Int32 = 1
  static let standardError: Int32 = 2

  /// Columns of the terminal that a descriptor is, less one, in which some terminals wrap; `nil` if
  /// it is none, or one that cannot clear a line.
  static func width(of descriptor: Int32) -> Int? {
    #if os(Windows) || os(WASI)
    return nil
    #else
    guard isatty(descriptor) == 1 else { return nil }
    if let name = unsafe getenv("TERM"), unsafe strcmp(name, "dumb") == 0 { return nil }
    var size = winsize()
    let known = unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 1
    return known ? Int(size.ws_col) - 1 : 79
    #endif
  }

  /// Writes a text at once; what cannot be written is lost, for it is decoration.
  static func show(_ text: String, on descriptor: Int32) {
    #if !os(Windows) && !os(WASI)
    var text = text
    text.withUTF8 { bytes in
      _ = unsafe write(descriptor, bytes.baseAddress, bytes.count)
    }
    #endif
  }
}
