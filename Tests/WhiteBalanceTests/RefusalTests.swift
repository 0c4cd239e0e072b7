import ColorScience
import Testing
import WhiteBalance

struct RefusalTests {
  /// Shares close to all or to none are not rounded to these.
  @Test(arguments: [
    (1, "100.0 %"), (0.9957, "99.57 %"), (0.9955, "99.55 %"), (0.995, "99.50 %"), (0.994, "99 %"),
    (0.1, "10 %"), (0.0996, "9.960 %"), (0.002, "0.2000 %"),
  ])
  func shares(share: Double, text: String) {
    let refusal = GrayCardEstimate.Refusal.dark(share: share)
    let sentence = "the card is too dark: \(text) of its pixels are at the black level"
    #expect(refusal.description == sentence)
  }

  /// Returns an estimate from the whole of a flat card of 96 × 64 pixels, except where it is
  /// altered.
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

  /// Expects the estimate to be that of the card alone.
  private func expectCard(_ estimate: GrayCardEstimate, used: Int) {
    #expect(estimate.isAccepted)
    #expect(estimate.pixels.used == used)
    for (found, code) in zip(
      [estimate.response.red, estimate.response.green, estimate.response.blue], [102.0, 128, 64])
    {
      #expect(abs(found - code / 255) < 1e-6)
    }
  }

  /// There are 12 × 8 tiles of 8 × 8 pixels. One clipped pixel in a tile is 1.6 %, and only this
  /// pixel is excluded; two are 3.1 %, and the tile is excluded. Of 96 tiles, 38 are at most 40 %,
  /// and 39 are more.
  @Test(arguments: [(96, 1, true), (38, 2, true), (39, 2, false), (96, 2, false)])
  func clippedShares(tiles: Int, pixels: Int, isAccepted: Bool) throws {
    let estimate = try Self.estimate { x, y in
      y % 8 == 0 && x % 8 < pixels && 12 * (y / 8) + x / 8 < tiles ? Self.white : nil
    }
    #expect(estimate.pixels.clipped == tiles * pixels)
    #expect(estimate.isAccepted == isAccepted)
    if isAccepted {
      expectCard(estimate, used: 96 * 64 - (pixels == 1 ? tiles : 64 * tiles))
    }
  }

  /// A highlight over most of a tile excludes the whole tile.
  @Test func aHighlightOverMostOfATile() throws {
    let estimate = try Self.estimate { x, y in x < 5 && y < 8 ? Self.white : nil }
    #expect(estimate.pixels.clipped == 40)
    expectCard(estimate, used: 95 * 64)
  }

  /// A smudge that fills a tile is excluded from the mean.
  @Test(arguments: [[122, 128, 64], [102, 128, 80]] as [[UInt8]])
  func aSmudgeOverATile(smudge: [UInt8]) throws {
    expectCard(
      try Self.estimate { x, y in 40..<48 ~= x && 16..<24 ~= y ? smudge : nil },
      used: 95 * 64)
  }

  /// A sensor's bad column is an outlier in tiles of any size.
  @Test(arguments: [8, 16, 128, 256]) func aBadColumn(tileHeight: Int) throws {
    let height = 16 * tileHeight
    let estimate = try Self.estimate(8, height) { x, _ in x == 0 ? [90, 90, 90] : nil }
    expectCard(estimate, used: 7 * height)
  }
}
