import Testing

@testable import WbcalReports

struct ProgressLineTests {
  /// A terminal that records its output, and a clock that is set by hand.
  private final class Bench {
    var written: [String] = []
    var time = Duration.zero

    func line(width: Int?) -> ProgressLine {
      ProgressLine(width: width, now: { self.time }, write: { self.written.append($0) })
    }
  }

  private static let clearing = "\r\u{1B}[2K"

  @Test func bytesOfUpdates() {
    let bench = Bench()
    var line = bench.line(width: 40)
    line.update("frame 1")
    bench.time = .milliseconds(100)
    line.update("frame 2")
    line.clear()
    #expect(
      bench.written == [
        "\r\u{1B}[2Kframe 1", "\r\u{1B}[2Kframe 2", "\r\u{1B}[2K",
      ])
  }

  @Test func atMostTenASecond() {
    let bench = Bench()
    var line = bench.line(width: 40)
    var evaluated = 0
    func text(_ index: Int) -> String {
      evaluated += 1
      return "\(index)"
    }
    for index in 0..<1000 {
      bench.time = .milliseconds(index)
      line.update(text(index))
    }
    #expect(bench.written.count == 10 && evaluated == 10)
    #expect(bench.written.last == Self.clearing + "900")
    line.clear()
    #expect(bench.written.last == Self.clearing)
  }

  @Test func whereNobodyLooksNothingIsWritten() {
    let bench = Bench()
    var line = bench.line(width: nil)
    line.update("frame 1")
    line.clear()
    line.clear()
    #expect(bench.written.isEmpty)
  }

  @Test func withoutATerminalNothingIsEvaluated() {
    var line = Bench().line(width: nil)
    var evaluated = false
    func text() -> String {
      evaluated = true
      return ""
    }
    line.update(text())
    #expect(!evaluated)
  }

  @Test func clearsOnceAndOnlyWhatIsShown() {
    let bench = Bench()
    var line = bench.line(width: 40)
    line.clear()
    #expect(bench.written.isEmpty)
    line.update("x")
    line.clear()
    line.clear()
    bench.time = .seconds(1)
    line.update("y")
    line.clear()
    #expect(
      bench.written == [
        Self.clearing + "x", Self.clearing, Self.clearing + "y", Self.clearing,
      ])
  }

  @Test(arguments: [
    ("abcdef", 4, "abcd"), ("a\u{1B}[31mb\nc", 20, "a?[31mb?c"), ("日本語", 4, "日本"),
    ("日本語", 5, "日本"), ("é", 1, "é"), ("abc", 0, nil),
  ])
  func oneRowOfPlainText(text: String, width: Int, shown: String?) {
    let bench = Bench()
    var line = bench.line(width: width)
    line.update(text)
    #expect(bench.written == (shown.map { [Self.clearing + $0] } ?? []))
    line.clear()
  }
}
