import ColorScience

/// A tile in which one channel is clipped and the others are not.
struct OneChannelClipped {
  /// The channels that are not, and the logarithm of their ratio.
  private let first, second: Int
  private let logRatio: Double

  /// The difference in that ratio up to which a tile is of the same surface and light.
  private static let accepted = 0.02

  /// `nil` where another channel is clipped in more than a share of the pixels, too, or dark.
  init?(
    _ counts: PixelCounts, _ samples: LinearSamples, _ bytes: Span<UInt8>, columns: Range<Int>,
    rows: Range<Int>, acceptedShare: Double
  ) {
    let clipped = [counts.redClipped, counts.greenClipped, counts.blueClipped].map {
      Double($0) > acceptedShare * Double(counts.total)
    }
    let others = (0..<3).filter { !clipped[$0] }
    guard others.count == 2 else { return nil }
    (first, second) = (others[0], others[1])
    let middle = TypicalCodes.middle(samples, bytes, columns: columns, rows: rows)
    let light = [middle[0], (middle[1] + middle[2]) / 2, middle[3]].map {
      samples.light(Double($0))
    }
    guard light[first] > 0.01, light[second] > 0.01 else { return nil }
    logRatio = logarithm(light[first] / light[second])
  }

  /// Whether its color is that of a response, as far as it can be seen.
  func fits(_ response: LinearRGB) -> Bool {
    guard response.isPositive else { return false }
    let expected = logarithm(response.vector[first] / response.vector[second])
    return abs(logRatio - expected) < Self.accepted
  }
}
