import ColorScience

/// The light of a frame's rows, for ``FlickerMeasurement``.
public struct FlickerFrame: Hashable, Sendable {
  /// The device's number of the frame; of frames that were lost the numbers are missing.
  public var sequence: Int
  /// When the frame was taken, in seconds on any clock that runs evenly.
  public var time: Double
  /// The mean linear level of each row, or of groups of as many rows each, in the order in which
  /// the sensor reads them; clipped pixels left out.
  public var rows: [Double]

  /// A frame's number, its time in seconds, and the linear levels of its rows, at least 0.
  public init(sequence: Int, time: Double, rows: [Double]) {
    self.sequence = sequence
    self.time = time
    self.rows = rows
  }

  /// The levels of a frame's rows over a region, from its statistics.
  ///
  /// - Parameters:
  ///   - bytes: the frame's.
  ///   - layout: what they mean.
  ///   - sequence: the device's number of the frame.
  ///   - time: when it was taken, in seconds.
  ///   - region: the part to look at, by default the whole frame.
  ///   - groups: how many groups the rows are averaged in, 1 up to the region's rows.
  /// - Throws: `FrameError` as `FrameStatistics` does.
  /// - Complexity: O(pixels).
  public init(
    _ bytes: Span<UInt8>, layout: FrameLayout, sequence: Int, time: Double,
    region: PixelRectangle? = nil, groups: Int = 96
  ) throws(FrameError) {
    let zones = try FrameStatistics.zones(
      bytes, layout: layout, region: region, columns: 1, rows: groups)
    self.init(
      sequence: sequence, time: time,
      // Noise is least in the sum of all.
      rows: zones.map { $0.pixels.used > 0 ? $0.mean.vector.sum() / 3 : 0 })
  }
}
