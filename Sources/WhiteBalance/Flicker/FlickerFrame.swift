import ColorScience

/// The linear levels of a frame's rows, for ``FlickerMeasurement``.
public struct FlickerFrame: Hashable, Sendable {
  /// The device's number of the frame; the numbers of lost frames are missing.
  public var sequence: Int
  /// The time at which the frame was taken, in seconds on any clock that runs evenly.
  public var time: Double
  /// The mean linear level of each row, or of each group of equally many rows, in the order in
  /// which the sensor reads them, without clipped pixels.
  public var rows: [Double]

  /// Creates a frame from its number, its time in seconds, and the linear levels of its rows, at
  /// least 0.
  public init(sequence: Int, time: Double, rows: [Double]) {
    self.sequence = sequence
    self.time = time
    self.rows = rows
  }

  /// Creates a frame from the levels of its rows over a region.
  ///
  /// - Parameters:
  ///   - bytes: the bytes of the frame.
  ///   - layout: the layout and format of the bytes.
  ///   - sequence: the device's number of the frame.
  ///   - time: the time at which the frame was taken, in seconds.
  ///   - region: the part that is measured, by default the whole frame.
  ///   - groups: the largest number of groups in which the rows are averaged, at least 1. A group
  ///     has at least one row, or one pair of rows of a color filter array.
  /// - Throws: `FrameError` as `FrameStatistics` does.
  /// - Complexity: O(pixels).
  public init(
    _ bytes: Span<UInt8>, layout: FrameLayout, sequence: Int, time: Double,
    region: PixelRectangle? = nil, groups: Int = 96
  ) throws(FrameError) {
    let rows = (region?.height ?? layout.height) / layout.format.unit.rows
    let zones = try FrameStatistics.zones(
      bytes, layout: layout, region: region, columns: 1, rows: max(1, min(groups, rows)))
    self.init(
      sequence: sequence, time: time,
      // The sum of all channels has the least noise.
      rows: zones.map { $0.pixels.used > 0 ? $0.mean.vector.sum() / 3 : 0 })
  }
}
