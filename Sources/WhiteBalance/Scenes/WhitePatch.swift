/// An estimator that assumes that the largest values of the three channels are those of a white
/// surface.
///
/// E. H. Land, J. J. McCann, Lightness and retinex theory, Journal of the Optical Society of
/// America 61, 1971, use the largest value. A high percentile instead prevents hot pixels and noise
/// from determining the result. It is the smallest value that the given share of the pixels does
/// not exceed (nearest rank).
///
/// Domain: scenes with a white surface, or bright surfaces of several colors, that is not clipped.
/// Complexity: O(pixels of the region), which are read twice; 1.5 MB of memory.
public struct WhitePatch: IlluminantEstimator, Hashable {
  /// The percentile, above 0 and up to 100; 100 is the largest value.
  public let percentile: Double

  /// Creates an estimator with a percentile above 0 and up to 100; `nil` for others.
  public init?(percentile: Double = 99) {
    guard percentile > 0, percentile <= 100 else { return nil }
    self.percentile = percentile
  }

  /// Estimates the light from a region of a frame's bytes, or from the whole frame if it is `nil`.
  public func estimate(
    _ bytes: Span<UInt8>, layout: FrameLayout, region: PixelRectangle?
  ) throws(FrameError) -> SceneEstimate {
    let samples = try LinearSamples(of: bytes, layout: layout, region: region)
    // The bits of positive numbers are in the order of the numbers. The first pass finds the upper
    // half of the bits, the second the lower half.
    var upper = ChannelHistogram()
    let pixels = samples.forEachUsable(bytes) { linear in
      for channel in 0..<3 { upper.add(linear[channel].positiveBits >> 16, to: channel) }
    }
    let usable = pixels.used / samples.pixelsPerSample
    guard usable > 0 else { return SceneEstimate(response: .zero, pixels: pixels) }
    let rank = max(1, Int((percentile / 100 * Double(usable)).rounded(.up)))
    let high = (0..<3).map { upper.bin(ofRank: rank, channel: $0) }
    var lower = ChannelHistogram()
    _ = samples.forEachUsable(bytes) { linear in
      for channel in 0..<3 {
        let bits = linear[channel].positiveBits
        if Int(bits >> 16) == high[channel].bin { lower.add(bits & 0xFFFF, to: channel) }
      }
    }
    var response = SIMD3<Double>.zero
    for channel in 0..<3 {
      let low = lower.bin(ofRank: rank - high[channel].below, channel: channel).bin
      response[channel] = Double(Float(bitPattern: UInt32(high[channel].bin << 16 | low)))
    }
    return SceneEstimate(response: response, pixels: pixels)
  }
}

extension Float {
  /// The bit pattern; that of zero for a number that is not positive.
  fileprivate var positiveBits: UInt32 { self > 0 ? bitPattern : 0 }
}

/// The number of times that each half of a number's bits occurs in each channel.
private struct ChannelHistogram {
  private var counts = [Int](repeating: 0, count: 3 << 16)

  mutating func add(_ value: UInt32, to channel: Int) { counts[channel << 16 + Int(value)] += 1 }

  /// Returns the value at a rank, counted from 1, and the number of samples with a lower value.
  func bin(ofRank rank: Int, channel: Int) -> (bin: Int, below: Int) {
    var below = 0
    for bin in 0..<1 << 16 {
      let next = below + counts[channel << 16 + bin]
      if next >= rank { return (bin, below) }
      below = next
    }
    return (0, below)
  }
}
