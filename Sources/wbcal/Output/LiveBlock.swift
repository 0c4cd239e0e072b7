import WbcalArguments
import WbcalSystem

/// Lines on a terminal that are drawn anew with every reading, and of which the last stay.
///
/// They are wrapped to the width that the terminal has at that moment, and are never more than fit
/// its height, so that they can be reached again.
struct LiveBlock: ~Copyable {
  private let size: () -> (columns: Int, rows: Int)?
  private let now: () -> Duration
  private let write: (String) -> Void
  private var lastDrawing: Duration?
  /// What is on the terminal, from the line where the next drawing starts.
  private var drawn: [String] = []
  /// What came too soon after the last drawing.
  private var waiting: String?

  private static let interval = Duration.milliseconds(100)

  /// - Parameters:
  ///   - size: the columns and rows that may be used now; `nil` to write nothing at all.
  ///   - now: a clock that does not go back.
  ///   - write: takes the bytes to be written at once.
  init(
    size: @escaping () -> (columns: Int, rows: Int)?, now: @escaping () -> Duration,
    write: @escaping (String) -> Void
  ) {
    self.size = size
    self.now = now
    self.write = write
  }

  /// A block on standard output; silent if that is no terminal.
  static func onStandardOutput() -> LiveBlock {
    let start = ContinuousClock.now
    return LiveBlock(
      size: { Terminal.standardOutput.redrawnSize }, now: { ContinuousClock.now - start },
      write: { Terminal.standardOutput.write($0) })
  }

  var isShown: Bool { size() != nil }

  /// Shows lines in place of those before, unless these were shown less than a tenth of a second
  /// ago.
  mutating func update(_ text: String) {
    waiting = text
    let time = now()
    if let lastDrawing, time - lastDrawing < Self.interval { return }
    lastDrawing = time
    draw()
  }

  /// Leaves what is drawn where it is: something else has been written below it.
  mutating func leave() { drawn = [] }

  /// Shows what came last, and puts the cursor below it.
  consuming func finish() {
    draw()
    if !drawn.isEmpty { write("\n") }
  }

  private mutating func draw() {
    guard let text = waiting, let (columns, rows) = size(), columns > 0, rows > 0 else { return }
    waiting = nil
    // ECMA-48: cursor up, and erase to the end of the screen. A terminal that has become narrower
    // has wrapped what was too long for it.
    let used = drawn.reduce(0) { $0 + max(1, ($1.count + columns - 1) / columns) }
    let up = min(used, rows) - 1
    let lines = printable(text).wrapped(to: columns).split(separator: "\n").prefix(rows)
      .map { String($0.prefix(columns)) }
    write((up > 0 ? "\r\u{1B}[\(up)A\u{1B}[J" : "\r\u{1B}[J") + lines.joined(separator: "\n"))
    drawn = lines
  }
}
