/// Takes the brightest that each channel reaches for white.
///
/// E. H. Land, J. J. McCann, Lightness and retinex theory, Journal of the Optical Society of
/// America 61, 1971, take the largest value; a high percentile instead keeps hot pixels and noise
/// from deciding. It is that of the nearest rank: the smallest value that the given share of the
/// pixels does not exceed.
///
/// Domain: scenes with something white, or bright surfaces of several colors, that is not clipped.
/// Complexity: O(pixels of the region), which are read twice; 1.5 MB of memory.
public struct WhitePatch: IlluminantEstimator, Hashable {
  /// The percentile, above 0 and up to 100; 100 is the largest value.
  public let percentile: Double

  /// A percentile above 0 and up to 100; else `nil`.
  public init?(percentile: Double = 99) {
    guard percentile > 0, percentile <= 100 else { return nil }
    self.percentile = percentile
  }

  /// The estimate from a region of a frame's bytes; from the whole frame without one.
  ///
  /// - Throws: `FrameError` where the bytes are too few or the region is not inside the frame.
  public func estimate(
    _ bytes: Span<UInt8>, layout: FrameLayout, region: PixelRectangle?
  ) throws(FrameError) -> SceneEstimate {
    let samples = try LinearSamples(of: bytes, layout: layout, region: region)
    var counts = samples.unreadPixels
    // The bits of positive numbers are in the order of the numbers: the upper half is found first.
    var upper = ChannelHistogram()
    for row in 0..<samples.rows {
      for column in 0..<samples.columns {
        let (light, use) = samples.sceneSample(bytes, column: column, row: row)
        counts.add(use, pixels: samples.pixelsPerSample)
        if use == .usable {
          for channel in 0..<3 { upper.add(light[channel].positiveBits >> 16, to: channel) }
        }
      }
    }
    let usable = counts.used / samples.pixelsPerSample
    guard usable > 0 else { return SceneEstimate(response: .zero, pixels: counts) }
    let rank = max(1, Int((percentile / 100 * Double(usable)).rounded(.up)))
    let high = (0..<3).map { upper.bin(ofRank: rank, channel: $0) }
    var lower = ChannelHistogram()
    for row in 0..<samples.rows {
      for column in 0..<samples.columns {
        let (light, use) = samples.sceneSample(bytes, column: column, row: row)
        for channel in 0..<3 where use == .usable {
          let bits = light[channel].positiveBits
          if Int(bits >> 16) == high[channel].bin { lower.add(bits & 0xFFFF, to: channel) }
        }
      }
    }
    var response = SIMD3<Double>.zero
    for channel in 0..<3 {
      let low = lower.bin(ofRank: rank - high[channel].below, channel: channel).bin
      response[channel] = Double(Float(bitPattern: UInt32(high[channel].bin << 16 | low)))
    }
    return SceneEstimate(response: response, pixels: counts)
  }
}

extension Float {
  /// The bits, those of zero for a negative number.
  fileprivate var positiveBits: UInt32 { self > 0 ? bitPattern : 0 }
}

/// How often each half of a number's bits occurs in each channel.
private struct ChannelHistogram {
  private var counts = [Int](repeating: 0, count: 3 << 16)

  mutating func add(_ value: UInt32, to channel: Int) { counts[channel << 16 + Int(value)] += 1 }

  /// The value that the sample of a rank, counted from 1, has, and how many are below it.
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
