import WbcalArguments
import WbcalSystem

/// Lines on a terminal that are redrawn with every reading; the last ones stay.
///
/// They are wrapped to the current width of the terminal and never exceed its height, so that the
/// cursor can return to the first line.
struct LiveBlock: ~Copyable {
  private let size: () -> (columns: Int, rows: Int)?
  private let now: () -> Duration
  private let write: (String) -> Void
  private var lastDrawing: Duration?
  /// The lines on the terminal, from the line where the next drawing starts.
  private var drawn: [String] = []
  /// The text that came too soon after the last drawing.
  private var waiting: String?

  private static let interval = Duration.milliseconds(100)

  /// - Parameters:
  ///   - size: returns the current columns and rows; `nil` to write nothing at all.
  ///   - now: a clock that does not go back.
  ///   - write: takes the text to be written at once.
  init(
    size: @escaping () -> (columns: Int, rows: Int)?, now: @escaping () -> Duration,
    write: @escaping (String) -> Void
  ) {
    self.size = size
    self.now = now
    self.write = write
  }

  /// Returns a block on standard output, which is silent if that is not a terminal.
  static func onStandardOutput() -> LiveBlock {
    let start = ContinuousClock.now
    return LiveBlock(
      size: { Terminal.standardOutput.redrawnSize }, now: { ContinuousClock.now - start },
      write: { Terminal.standardOutput.write($0) })
  }

  var isShown: Bool { size() != nil }

  /// Shows lines in place of the former ones, unless these were drawn less than a tenth of a second
  /// ago.
  mutating func update(_ text: String) {
    waiting = text
    let time = now()
    if let lastDrawing, time - lastDrawing < Self.interval { return }
    lastDrawing = time
    draw()
  }

  /// Leaves the drawn lines where they are, because something else has been written below them.
  mutating func leave() { drawn = [] }

  /// Shows the latest text, and puts the cursor below it.
  consuming func finish() {
    draw()
    if !drawn.isEmpty { write("\n") }
  }

  private mutating func draw() {
    guard let text = waiting, let (columns, rows) = size(), columns > 0, rows > 0 else { return }
    waiting = nil
    // ECMA-48: cursor up, and erase to the end of the screen. A terminal that has become narrower
    // has wrapped lines that were too long for it.
    let used = drawn.reduce(0) { $0 + max(1, ($1.count + columns - 1) / columns) }
    let up = min(used, rows) - 1
    let lines = printable(text).wrapped(to: columns).split(separator: "\n").prefix(rows)
      .map { String($0.prefix(columns)) }
    write((up > 0 ? "\r\u{1B}[\(up)A\u{1B}[J" : "\r\u{1B}[J") + lines.joined(separator: "\n"))
    drawn = lines
  }
}
