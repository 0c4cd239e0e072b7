import ColorScience
import Testing
import WhiteBalance
import WhiteBalanceTestSupport

struct CardFrameTests {
  private static func reading(
    _ wrong: @escaping @Sendable (FrameLayout) -> FrameLayout = { $0 }
  ) -> CardReading {
    CardReading { frame in
      let estimate = try? GrayCardEstimator().estimate(
        frame.bytes.span, layout: wrong(frame.layout))
      return estimate.flatMap { $0.isAccepted ? $0.response : nil }
    }
  }

  private static func changed(
    _ layout: FrameLayout, bytesPerRow: Int? = nil, format: PixelFormat? = nil
  ) -> FrameLayout {
    try! FrameLayout(
      width: layout.width, height: layout.height, bytesPerRow: bytesPerRow ?? layout.bytesPerRow,
      format: format ?? layout.format, chroma: layout.chroma, blackLevel: layout.blackLevel,
      whiteLevel: layout.whiteLevel, transfer: layout.transfer, encoding: layout.encoding)
  }

  @Test func thisPackageKeepsAll() {
    expect(Self.reading(), keeps: Law<CardReading>.all, trials: Trials(count: 300))
  }

  /// Ways to misread a frame, each with a part of its counterexample's text.
  @Test(arguments: [
    (reading { try! $0.replacing(blackLevel: 0) }, "black 16.0, "),
    (
      reading {
        let tight = try! FrameLayout(width: $0.width, height: $0.height, format: $0.format)
        return changed($0, bytesPerRow: tight.bytesPerRow)
      }, "rows of 148 bytes"
    ),
    (reading { try! $0.replacing(transfer: .linear) }, "sRGB"),
    (
      reading {
        try! $0.replacing(
          encoding: LumaChromaEncoding(matrix: $0.encoding.matrix, range: .limited))
      }, " full, unsigned"
    ),
    (
      reading {
        try! $0.replacing(
          encoding: LumaChromaEncoding(matrix: .bt601, range: $0.encoding.range))
      }, "yuyv bt709"
    ),
    (reading { changed($0, format: $0.format == .bgr8 ? .rgb8 : $0.format) }, "at 2, 1, 0 of 3"),
  ])
  func aMisreadFrame(reading: CardReading, cause: String) throws {
    let calls = Calls()
    let text = try #require(Law.cardsAreRead.violation(by: calls.counted(reading)))
    let simplest = try #require(text.split(separator: "\n").dropFirst().first)
    #expect(simplest.contains(cause), "\(text)")
    #expect(simplest.contains("noise 0.0"), "\(text)")
    #expect(calls.count < 200)
  }

  /// A reader of formats that a law does not cover keeps the law.
  @Test func formatsThatALawPassesOver() {
    let reader = Self.reading()
    for formats in [[PixelFormat.subsampled(.nv12)], [.gray(bits: 8)], []] {
      let some = CardReading(formats: formats, response: reader.response)
      expect(some, keeps: Law<CardReading>.all, trials: Trials(count: 20))
    }
  }

  @Test func whatIsNoNumberIsNotRead() {
    let broken = CardReading { frame in
      Self.reading().response(frame).map { LinearRGB(red: $0.red, green: $0.green, blue: .nan) }
    }
    #expect(Law.cardsAreRead.violation(by: broken) != nil)
  }

  @Test func clippingIsSeen() throws {
    let heedless = CardReading { frame in
      (try? GrayCardEstimator().estimate(frame))?.response
    }
    #expect(Law.clippedCardsAreRefused.violation(by: heedless) != nil)
  }
}
