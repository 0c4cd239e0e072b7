import ColorScience

/// A tile in which one channel is clipped and the others are not.
struct OneChannelClipped {
  /// The two channels that are not clipped, and the logarithm of their ratio.
  private let first, second: Int
  private let logRatio: Double

  /// The largest difference of that logarithm for a tile of the same surface and light.
  private static let accepted = 0.02

  /// Returns `nil` unless exactly one channel is clipped in more than `acceptedShare` of the
  /// pixels, and if one of the others is dark.
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
    let linear = [middle[0], (middle[1] + middle[2]) / 2, middle[3]].map {
      samples.linear(Double($0))
    }
    guard linear[first] > 0.01, linear[second] > 0.01 else { return nil }
    logRatio = logarithm(linear[first] / linear[second])
  }

  /// Returns `true` if the ratio of the channels that are not clipped agrees with that of a
  /// response.
  func fits(_ response: LinearRGB) -> Bool {
    guard response.isPositive else { return false }
    let expected = logarithm(response.vector[first] / response.vector[second])
    return abs(logRatio - expected) < Self.accepted
  }
}
