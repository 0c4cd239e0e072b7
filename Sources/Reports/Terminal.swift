#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Bionic)
  import Bionic
#endif

/// What has to be asked of the system about standard error.
enum Terminal {
  /// Columns of the terminal that standard error is, less one, in which some terminals wrap; `nil` if
  /// it is none, or one that cannot clear a line.
  static var standardErrorWidth: Int? {
    #if os(Windows) || os(WASI)
      return nil
    #else
      guard isatty(STDERR_FILENO) == 1 else { return nil }
      if let name = unsafe getenv("TERM"), unsafe strcmp(name, "dumb") == 0 { return nil }
      var size = winsize()
      let known = unsafe ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 1
      return known ? Int(size.ws_col) - 1 : 79
    #endif
  }

  /// Writes a text at once; what cannot be written is lost, for it is decoration.
  static func writeToStandardError(_ text: String) {
    #if !os(Windows) && !os(WASI)
      var text = text
      text.withUTF8 { bytes in
        _ = unsafe write(STDERR_FILENO, bytes.baseAddress, bytes.count)
      }
    #endif
  }
}
