import ColorScience
import Testing
import WhiteBalance

struct RefusalTests {
  /// Nearly all is not all, and a few in a thousand are not none.
  @Test(arguments: [
    (1, "100.0 %"), (0.9957, "99.57 %"), (0.9955, "99.55 %"), (0.995, "99.50 %"), (0.994, "99 %"),
    (0.1, "10 %"), (0.0996, "9.960 %"), (0.002, "0.2000 %"),
  ])
  func shares(share: Double, text: String) {
    let refusal = GrayCardEstimate.Refusal.dark(share: share)
    let sentence = "the card is too dark: \(text) of its pixels are at the black level"
    #expect(refusal.description == sentence)
  }

  /// An estimate from all of a flat card of 96 × 64 pixels, except where it is spoiled.
  private static func estimate(
    _ width: Int = 96, _ height: Int = 64, spoil: (Int, Int) -> [UInt8]?
  ) throws -> GrayCardEstimate {
    let layout = try FrameLayout(width: width, height: height, format: .rgb8, transfer: .linear)
    let bytes = (0..<height).flatMap { y in
      (0..<width).flatMap { x in spoil(x, y) ?? [102, 128, 64] }
    }
    return try GrayCardEstimator(region: .center(1)).estimate(bytes.span, layout: layout)
  }

  private static let white: [UInt8] = [255, 255, 255]

  /// That the estimate is that of the card alone.
  private func expectCard(_ estimate: GrayCardEstimate, used: Int) {
    #expect(estimate.isAccepted)
    #expect(estimate.pixels.used == used)
    for (found, code) in zip(
      [estimate.response.red, estimate.response.green, estimate.response.blue], [102.0, 128, 64])
    {
      #expect(abs(found - code / 255) < 1e-6)
    }
  }

  /// Up to 2 % of clipped pixels are left out, and more refused.
  @Test(arguments: [(92, true), (122, true), (123, false), (154, false)])
  func clippedShares(count: Int, isAccepted: Bool) throws {
    let estimate = try Self.estimate { x, y in
      (96 * y + x) % 37 == 0 && (96 * y + x) / 37 < count ? Self.white : nil
    }
    #expect(estimate.pixels.clipped == count)
    #expect(estimate.isAccepted == isAccepted)
  }

  /// What is clipped of a tile is no part of what is typical of it: the rest of the tile counts.
  @Test func aHighlightOverMostOfATile() throws {
    // 12 × 8 tiles of 8 × 8 pixels.
    let estimate = try Self.estimate { x, y in x < 5 && y < 8 ? Self.white : nil }
    #expect(estimate.pixels.clipped == 40)
    expectCard(estimate, used: 96 * 64 - 40)
  }

  /// A smudge that fills a tile is no part of the mean.
  @Test(arguments: [[122, 128, 64], [102, 128, 80]] as [[UInt8]])
  func aSmudgeOverATile(smudge: [UInt8]) throws {
    expectCard(
      try Self.estimate { x, y in 40..<48 ~= x && 16..<24 ~= y ? smudge : nil },
      used: 95 * 64)
  }

  /// A sensor's bad column is not typical of the tiles that it crosses, of whatever size.
  @Test(arguments: [8, 16, 128, 256]) func aBadColumn(tileHeight: Int) throws {
    let height = 16 * tileHeight
    let estimate = try Self.estimate(8, height) { x, _ in x == 0 ? [90, 90, 90] : nil }
    expectCard(estimate, used: 7 * height)
  }
}
