import ColorScience
import Testing

@testable import WhiteBalance

/// The documented limits beyond which a card is refused, each tested from both sides.
struct GrayCardEstimatorLimitTests {
  /// Returns the refusals of a frame of square tiles, each of one linear value except for single
  /// pixels.
  private static func refusals(
    tiles: Int = 10, side: Int = 8, _ light: (_ tile: Int, _ pixel: Int) -> SIMD3<Double>
  ) throws -> [GrayCardEstimate.Refusal] {
    let size = tiles * side
    let layout = try FrameLayout(width: size, height: size, format: .rgb16)
    var bytes: [UInt8] = []
    for y in 0..<size {
      for x in 0..<size {
        let color = light(y / side * tiles + x / side, y % side * side + x % side)
        for channel in 0..<3 {
          let code = UInt16((65_535 * min(1, color[channel])).rounded())
          bytes += [UInt8(code & 255), UInt8(code >> 8)]
        }
      }
    }
    return try GrayCardEstimator(region: .center(1)).estimate(
      try Frame(layout: layout, bytes: bytes)
    ).refusals
  }

  private static let gray = SIMD3(0.4, 0.5, 0.25)

  /// Of the 256 pixels of each tile, 5 are 1.95 % and 6 are 2.34 %.
  @Test func clippedPixelsOfATile() throws {
    for (count, isRefused) in [(5, false), (6, true)] {
      let refusals = try Self.refusals(tiles: 16, side: 16) { _, pixel in
        pixel % 42 == 0 && pixel / 42 < count ? SIMD3(repeating: 1) : Self.gray
      }
      #expect(refusals.isEmpty == !isRefused, "\(refusals)")
    }
  }

  /// Up to 40 of 100 tiles may be clipped.
  @Test func clippedTiles() throws {
    for (count, isRefused) in [(40, false), (41, true)] {
      let refusals = try Self.refusals { tile, _ in
        tile < count ? SIMD3(repeating: 1) : Self.gray
      }
      let clipped = GrayCardEstimate.Refusal.clipped(.green, share: Double(count) / 100)
      #expect(refusals == (isRefused ? [clipped] : []))
    }
  }

  /// Up to 25 of 100 tiles may have another color.
  @Test func outliers() throws {
    for (count, isRefused) in [(25, false), (26, true)] {
      let refusals = try Self.refusals { tile, _ in
        Self.gray * SIMD3(tile % 4 == 0 && tile / 4 < count || tile < count - 24 ? 1.1 : 1, 1, 1)
      }
      #expect(refusals.isEmpty == !isRefused, "\(count) \(refusals)")
    }
  }

  /// Half of the tiles are redder, or bluer, by a logarithm.
  @Test func colorVariation() throws {
    for (difference, isRefused) in [(0.195, false), (0.205, true)] {
      for direction in [SIMD3(1.0, 0, 0), SIMD3(0, 0, 1)] {
        let refusals = try Self.refusals { tile, _ in
          let exponents = tile % 2 == 0 ? difference * direction : .zero
          return Self.gray * SIMD3(exponential(exponents.x), 1, exponential(exponents.z))
        }
        #expect(refusals.isEmpty == !isRefused, "\(refusals)")
      }
    }
  }

  /// A brightness that varies by 60 % is refused with a color that differs by 2 %.
  @Test func unevenCards() throws {
    func isRefused(range: Double, difference: Double) throws -> Bool {
      let refusals = try Self.refusals { tile, _ in
        let isBright = tile < 50
        let factor = isBright ? 1 + range / 2 : 1 - range / 2
        return Self.gray * factor * SIMD3(isBright ? 1 : exponential(difference), 1, 1)
      }
      for refusal in refusals {
        guard case .uneven(let nonuniformity) = refusal else { return false }
        #expect(abs(nonuniformity - range) < 0.001)
      }
      return !refusals.isEmpty
    }
    #expect(try isRefused(range: 0.61, difference: 0.03))
    #expect(try !isRefused(range: 0.59, difference: 0.03))
    #expect(try isRefused(range: 0.8, difference: 0.021))
    #expect(try !isRefused(range: 0.8, difference: 0.019))
    #expect(try !isRefused(range: 0.8, difference: -0.019))
    #expect(try isRefused(range: 0.8, difference: -0.021))
  }

  /// A tile at or below 0.2 % of white is dark.
  @Test func darkTiles() throws {
    for (light, isRefused) in [(0.0019, true), (0.0021, false)] {
      let refusals = try Self.refusals { _, _ in SIMD3(repeating: light) }
      #expect(refusals == (isRefused ? [.dark(share: 1)] : []))
    }
  }

  private static func counts(
    used: Int = 1000, dark: Int = 0, clipped: [Int] = [0, 0, 0]
  ) -> PixelCounts {
    var counts = PixelCounts.none
    (counts.total, counts.used, counts.dark) = (1000, used, dark)
    counts.clipped = clipped.max()!
    (counts.redClipped, counts.greenClipped, counts.blueClipped) = (
      clipped[0], clipped[1], clipped[2]
    )
    return counts
  }

  /// A card is refused if more than half of its pixels are dark, fewer than 64 are usable, or more
  /// than a fiftieth is clipped; the refusal names the worst channel.
  @Test func countsOfPixels() {
    let estimator = GrayCardEstimator()
    #expect(estimator.refusals(for: Self.counts(dark: 500)) == [])
    #expect(estimator.refusals(for: Self.counts(dark: 501)) == [.dark(share: 0.501)])
    #expect(estimator.refusals(for: Self.counts(used: 64)) == [])
    #expect(
      estimator.refusals(for: Self.counts(used: 63)) == [.tooFewPixels(used: 63, needed: 64)])
    #expect(
      estimator.refusals(for: Self.counts(used: 0, dark: 1000)) == [.dark(share: 1)])
    #expect(estimator.refusals(for: Self.counts(clipped: [20, 20, 20])) == [])
    for (clipped, channel) in [
      ([21, 21, 21], ColorChannel.green), ([22, 21, 22], .red), ([20, 21, 22], .blue),
      ([22, 22, 0], .green),
    ] {
      let share = Double(clipped.max()!) / 1000
      #expect(
        estimator.refusals(for: Self.counts(clipped: clipped)) == [.clipped(channel, share: share)])
    }
    #expect(
      estimator.refusals(for: Self.counts(clipped: [0, 9, 0]), isClipped: true)
        == [.clipped(.green, share: 0.009)])
  }

  /// The centered part is rounded to whole pixels.
  @Test func regions() throws {
    let layout = try FrameLayout(width: 101, height: 50, format: .rgb8)
    #expect(
      GrayCardEstimator().rectangle(in: layout)
        == PixelRectangle(x: 25, y: 12, width: 51, height: 25))
    #expect(GrayCardEstimator(region: .center(1)).rectangle(in: layout) == layout.bounds)
  }
}
