public import ColorScience

/// Statistics of the pixels of a frame, a region, or a grid of zones, in linear light. Pixels with
/// a clipped channel are excluded, and dark ones too if a dark level is given. They are computed
/// from integer sums, so that results are the same on every processor: sums of codes if these are
/// linear, otherwise sums of linear values in units of 2⁻²⁸ (integers) or 2⁻³² (luma and chroma,
/// floating point).
///
/// ```swift
/// let layout = try FrameLayout(width: 2, height: 1, format: .bgra8)
/// let frame = try Frame(layout: layout, bytes: [51, 102, 51, 255, 51, 255, 51, 255])
/// let statistics = try FrameStatistics(frame)
/// assert(statistics.mean.green == 0.4)
/// assert(statistics.pixels.used == 1 && statistics.pixels.greenClipped == 1)
/// ```
///
/// Error: the mean is within 1e-7 of white (`FrameStatisticsTests`); for luma and chroma that are
/// not linear, within 1e-6, or 2e-8 if there is noise (`LumaChromaTableTests`). Complexity:
/// O(pixels), one pass.
public struct FrameStatistics: Hashable, Sendable {
  /// The counts of pixels; a pixel is dark if a channel is at or below the dark level.
  public let pixels: PixelCounts
  /// The mean linear value of the pixels used, with black 0 and white 1; zero if none was used.
  public let mean: LinearRGB
  /// The variance of single samples of each channel.
  public let variance: LinearRGB
  /// The numbers of red, green and blue samples; a cell of a color filter array has two of green.
  public var sampleCounts: SIMD3<Int> { SIMD3(count, greenCount, count) }
  // These are not stored as a vector: asynchronous functions that return one do not keep its
  // alignment.
  private let count, greenCount: Int

  /// Computes the statistics of a region, or of the whole frame; in a color filter array, only
  /// whole cells count. A pixel with a channel at or below `darkLevel`, a linear value, is
  /// excluded.
  ///
  /// - Throws: `FrameError` if there are too few bytes or the region is not inside the frame.
  public init(
    _ bytes: Span<UInt8>, layout: FrameLayout, region: PixelRectangle? = nil,
    darkLevel: Double? = nil
  ) throws(FrameError) {
    self = try Self.zones(
      bytes, layout: layout, region: region, columns: 1, rows: 1, darkLevel: darkLevel)[0]
  }

  /// Computes the statistics of a frame or a region of it.
  ///
  /// - Throws: `FrameError` if the region is not inside the frame.
  public init(
    _ frame: Frame, region: PixelRectangle? = nil, darkLevel: Double? = nil
  ) throws(FrameError) {
    self = try Self(
      frame.bytes.span, layout: frame.layout, region: region, darkLevel: darkLevel)
  }

  /// Computes the statistics of a grid of zones of nearly equal size, row by row.
  ///
  /// - Precondition: `columns` and `rows` are positive.
  /// - Throws: `FrameError` if there are too few bytes, the region is not inside the frame, or it
  ///   has fewer pixels or cells than zones across or down.
  public static func zones(
    _ bytes: Span<UInt8>, layout: FrameLayout, region: PixelRectangle? = nil, columns: Int,
    rows: Int, darkLevel: Double? = nil
  ) throws(FrameError) -> [FrameStatistics] {
    precondition(columns > 0 && rows > 0, "`columns` and `rows` must be positive")
    let samples = try LinearSamples(of: bytes, layout: layout, region: region)
    guard samples.columns >= columns, samples.rows >= rows else {
      throw .region(samples.region, width: layout.width, height: layout.height)
    }
    var bounds = CodeBounds(samples)
    if let darkLevel { bounds.low = SIMD4(repeating: samples.firstCode(above: darkLevel)) }
    let summation = samples.summation
    var found: [FrameStatistics] = []
    for row in 0..<rows {
      let band = samples.rows * row / rows..<samples.rows * (row + 1) / rows
      for column in 0..<columns {
        let zone = samples.columns * column / columns..<samples.columns * (column + 1) / columns
        var sums = FrameSums()
        summation.add(bytes, rows: band, columns: zone, bounds, to: &sums)
        found.append(FrameStatistics(sums, summation))
      }
    }
    return found
  }

  private init(_ sums: FrameSums, _ summation: any FrameSummation) {
    pixels = PixelCounts(sums, summation)
    let (red, green, blue) = summation.channels(sums)
    mean = LinearRGB(red: red.mean, green: green.mean, blue: blue.mean)
    variance = LinearRGB(red: red.variance, green: green.variance, blue: blue.variance)
    (count, greenCount) = (red.count, green.count)
  }
}
