/// The black level of a frame without light, in code values for each plane.
///
/// Hot pixels would bias a plain mean, and a median moves in steps of a whole code if the noise is
/// only one or two codes. The level is therefore the mean of the pixels within 5 standard
/// deviations of the median; both come from percentiles that spread each code evenly over its
/// width. A share s of hot pixels shifts the result by less than 5·s standard deviations, whatever
/// their values: 0.005 for one in a thousand.
///
/// Domain: frames of at most 16 bits with the lens covered. Where zero cuts off the noise, the mean
/// of the stored values is above the true level: by 0.4 standard deviations if half of the pixels
/// are at zero, by 0.08 if 16 % are, and by 0.008 if 2 % are. `Plane.zeroShare` is that share.
public struct DarkFrame: Hashable, Sendable {
  /// The black level of one plane.
  public struct Plane: Hashable, Sendable {
    /// The color of the plane's pixels.
    public let channel: ColorChannel
    /// The level in code values.
    public let level: Double
    /// The standard error of `level`. It includes the error from rounding to codes if the noise is
    /// too small to dither it, but not noise that whole rows share.
    public let standardError: Double
    /// The standard deviation of the averaged pixels, in code values.
    public let noise: Double
    /// The number of pixels in the plane.
    public let pixels: Int
    /// The number of pixels more than 5 standard deviations above the median.
    public let hotPixels: Int
    /// The share of pixels that are stored as zero.
    public let zeroShare: Double
  }

  /// The four planes of the 2×2 pattern of a color filter array, row by row; otherwise red, green,
  /// blue.
  public let planes: [Plane]

  /// The mean of the red, green and blue levels, equally weighted, for a layout with one level.
  public var level: Double {
    ColorChannel.allCases.reduce(0) { sum, channel in
      let levels = planes.filter { $0.channel == channel }.map(\.level)
      return sum + levels.reduce(0, +) / Double(levels.count)
    } / 3
  }

  /// `true` if the level of a plane is a quarter of the white level or more, which only light
  /// causes.
  public let isBright: Bool

  /// `true` if the frame may have been taken without light: in every plane the level is below a
  /// quarter of the white level, the noise is at most a 50th of it, and fewer than one pixel in 20
  /// is hot.
  public let isDark: Bool

  /// Measures the levels of a frame, or of a region of it. The layout's black level and transfer
  /// function are ignored. Complexity: O(pixels of the region).
  ///
  /// - Throws: `FrameError` if there are too few bytes, the region is not inside the frame, or the
  ///   samples are not whole codes of one channel.
  public init(
    _ bytes: Span<UInt8>, layout: FrameLayout, region: PixelRectangle? = nil
  ) throws(FrameError) {
    planes = try CodeHistogram.planes(bytes, layout: layout, region: region).map(\.plane)
    let limit = layout.whiteLevel / 50
    let isBright = planes.contains { $0.level >= layout.whiteLevel / 4 }
    self.isBright = isBright
    isDark = planes.allSatisfy {
      !isBright && $0.noise <= limit && $0.hotPixels * 20 < $0.pixels
    }
  }

  /// Measures the levels of a frame or a region of it.
  ///
  /// - Throws: `FrameError` if the region is not inside the frame or the samples are not whole
  ///   codes of one channel.
  public init(_ frame: Frame, region: PixelRectangle? = nil) throws(FrameError) {
    try self.init(frame.bytes.span, layout: frame.layout, region: region)
  }
}

/// The number of times that each code occurs in a plane.
private struct CodeHistogram {
  var channel: ColorChannel
  var counts: [Int]

  /// Returns the planes of a frame, in the order of `DarkFrame.planes`.
  static func planes(
    _ bytes: Span<UInt8>, layout: FrameLayout, region: PixelRectangle?
  ) throws(FrameError) -> [CodeHistogram] {
    guard layout.format.isInteger, !layout.format.isSubsampled else { throw .notWhole }
    let samples = try LinearSamples(of: bytes, layout: layout, region: region)
    let none = [Int](repeating: 0, count: layout.format.maximumValue + 1)
    var planes = [ColorChannel.red, .green, .green, .blue].map {
      CodeHistogram(channel: $0, counts: none)
    }
    for row in 0..<samples.rows {
      for column in 0..<samples.columns {
        let codes = samples.codes(bytes, column: column, row: row)
        for place in 0..<4 { planes[place].counts[Int(codes[place])] += 1 }
      }
    }
    if samples.pixelsPerSample == 1 { return [planes[0], planes[1], planes[3]] }
    let red = samples.redOffset
    return [SIMD2(-0.5, -0.5), SIMD2(0.5, -0.5), SIMD2(-0.5, 0.5), SIMD2(0.5, 0.5)].map { place in
      planes[(place.x == red.x ? 0 : 1) + (place.y == red.y ? 0 : 2)]
    }
  }

  var plane: DarkFrame.Plane {
    let total = counts.reduce(0, +)
    let center = quantile(0.5, of: total)
    // These percentiles of a normal distribution are one standard deviation from the median.
    let deviation = (quantile(0.841_345, of: total) - quantile(0.158_655, of: total)) / 2
    let limit = 5 * deviation
    var (count, sum, squares, hot) = (0, 0.0, 0.0, 0)
    for (code, times) in counts.enumerated() where times > 0 {
      let distance = Double(code) - center
      if distance > limit { hot += times }
      guard abs(distance) <= limit else { continue }
      count += times
      sum += Double(times) * distance
      squares += Double(times) * distance * distance
    }
    let mean = sum / Double(count)
    let variance = max(0, squares / Double(count) - mean * mean)
    return DarkFrame.Plane(
      channel: channel, level: center + mean,
      standardError: (variance / Double(count) + roundingVariance(variance)).squareRoot(),
      noise: variance.squareRoot(), pixels: total, hotPixels: hot,
      zeroShare: Double(counts[0]) / Double(total))
  }

  /// Returns the value below which a share of the pixels lies, with each code spread over its
  /// width.
  private func quantile(_ share: Double, of total: Int) -> Double {
    let rank = share * Double(total)
    var below = 0.0
    for (code, times) in counts.enumerated() {
      let next = below + Double(times)
      if next >= rank, times > 0 { return Double(code) - 0.5 + (rank - below) / Double(times) }
      below = next
    }
    return Double(counts.count)
  }
}
