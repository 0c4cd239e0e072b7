import Testing

@testable import wbcal

/// The bytes of a block that is drawn repeatedly.
struct LiveBlockTests {
  private final class Bench {
    var written: [String] = []
    var time = Duration.zero
    var size: (columns: Int, rows: Int)? = (20, 5)

    func block() -> LiveBlock {
      LiveBlock(size: { self.size }, now: { self.time }, write: { self.written.append($0) })
    }
  }

  @Test func isDrawnOverItself() {
    let bench = Bench()
    var block = bench.block()
    block.update("one\nfour five six seven eight")
    bench.time = .milliseconds(100)
    block.update("three")
    block.finish()
    #expect(
      bench.written == [
        "\r\u{1B}[Jone\nfour five six seven\neight", "\r\u{1B}[2A\u{1B}[Jthree", "\n",
      ])
  }

  /// A text that came too soon to be drawn is drawn at the end.
  @Test func theLastReadingStays() {
    let bench = Bench()
    var block = bench.block()
    for index in 0..<10 { block.update("reading \(index)") }
    block.finish()
    #expect(bench.written == ["\r\u{1B}[Jreading 0", "\r\u{1B}[Jreading 9", "\n"])
  }

  /// A terminal that became narrower has wrapped the lines: 18 columns take three rows of 7.
  @Test func aNarrowerTerminal() {
    let bench = Bench()
    var block = bench.block()
    block.update("eighteen columns 18\nx")
    bench.time = .milliseconds(100)
    bench.size = (7, 5)
    block.update("abcdefghij\na b c d e f g h i j k l m n o p q r s t u v w x y z")
    #expect(
      bench.written.last
        == "\r\u{1B}[3A\u{1B}[Jabcdefg\na b c d\ne f g h\ni j k l\nm n o p")
    bench.written = []
    block.finish()
    #expect(bench.written == ["\n"])
  }

  @Test func elsewhereNothingIsWritten() {
    let bench = Bench()
    bench.size = nil
    var block = bench.block()
    let isShown = block.isShown
    #expect(!isShown)
    block.update("one")
    block.finish()
    #expect(bench.written.isEmpty)
  }
}
