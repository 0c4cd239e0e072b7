import WbcalSystem

/// A line on a terminal that shows the progress of long work and disappears when the work ends.
///
/// It is redrawn at most ten times a second, and only on a terminal: never in a file or a pipe.
package struct ProgressLine: ~Copyable {
  private let width: () -> Int?
  private let now: () -> Duration
  private let write: (String) -> Void
  private var lastUpdate: Duration?
  package private(set) var isVisible = false

  /// A carriage return, and ECMA-48 "erase in line" for the whole line.
  private static let clearing = "\r\u{1B}[2K"
  private static let interval = Duration.milliseconds(100)

  /// Creates a line that is written to `write`.
  ///
  /// - Parameters:
  ///   - width: the number of columns that are currently available, or `nil` to write nothing. A
  ///     longer text is cut, because clearing affects only one row of the terminal.
  ///   - now: a monotonic clock.
  ///   - write: writes a text at once.
  package init(
    width: @autoclosure @escaping () -> Int?, now: @escaping () -> Duration,
    write: @escaping (String) -> Void
  ) {
    self.width = width
    self.now = now
    self.write = write
  }

  /// Returns a line on standard error; it writes nothing if that is not a terminal.
  package static func onStandardError() -> ProgressLine {
    let start = ContinuousClock.now
    // A failed write is ignored: the line is only decoration.
    return ProgressLine(
      width: Terminal.standardError.redrawnSize?.columns,
      now: { ContinuousClock.now - start }, write: { Terminal.standardError.write($0) })
  }

  /// Indicates whether there is currently a terminal that shows the line.
  package var isShown: Bool { (width() ?? 0) > 0 }

  /// Shows a text, unless the last one was shown less than a tenth of a second ago.
  ///
  /// - Parameter text: the text; it is evaluated only if it is shown.
  package mutating func update(_ text: @autoclosure () -> String) {
    guard let width = width(), width > 0 else { return }
    let time = now()
    if let lastUpdate, time - lastUpdate < Self.interval { return }
    lastUpdate = time
    isVisible = true
    write(Self.clearing + Self.printable(text(), columns: width))
  }

  /// Clears the line for other output; the next update shows it again.
  package mutating func clear() {
    guard isVisible else { return }
    isVisible = false
    write(Self.clearing)
  }

  /// Returns one row of text, in which control characters of names cannot affect the terminal.
  private static func printable(_ text: String, columns: Int) -> String {
    var result = ""
    var used = 0
    for character in text {
      let scalars = character.unicodeScalars
      let isControl = scalars.contains { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) }
      // East Asian characters and emoji fill two columns.
      let columnsOfIt = !isControl && scalars.contains { $0.value >= 0x1100 } ? 2 : 1
      guard used + columnsOfIt <= columns else { break }
      used += columnsOfIt
      result.append(isControl ? "?" : character)
    }
    return result
  }
}
