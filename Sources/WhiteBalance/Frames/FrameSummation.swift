import CWbcalFrameKernels

/// A way of adding up a region's samples, for some formats.
protocol FrameSummation {
  var samples: LinearSamples { get }
  /// The lanes of red, green, green and blue in the sums.
  var order: SIMD4<Int> { get }

  /// Adds the samples in some of the region's rows and columns.
  func add(
    _ bytes: Span<UInt8>, rows: Range<Int>, columns: Range<Int>, _ bounds: CodeBounds,
    to sums: inout FrameSums)

  /// What sums with a used sample say about a lane, in linear light.
  func channel(_ lane: Int, of sums: FrameSums) -> FrameSums.Channel
}

extension FrameSummation {
  /// Red, green and blue; all are 0 where nothing was used.
  func channels(
    _ sums: FrameSums
  ) -> (red: FrameSums.Channel, green: FrameSums.Channel, blue: FrameSums.Channel) {
    guard sums.used > 0 else { return (.init(), .init(), .init()) }
    var green = channel(order.y, of: sums)
    if samples.pixelsPerSample == 4 {
      let other = channel(order.z, of: sums)
      green = FrameSums.Channel(
        count: 2 * sums.used, mean: (green.mean + other.mean) / 2,
        variance: (green.variance + other.variance) / 2)
    }
    return (channel(order.x, of: sums), green, channel(order.w, of: sums))
  }

  /// Samples whose red, whose green and whose blue lie above the bounds; of two greens, the more.
  func above(_ sums: FrameSums) -> (red: Int, green: Int, blue: Int) {
    let lanes = sums.lanes.lane_above
    let above = SIMD4(Int(lanes.0), Int(lanes.1), Int(lanes.2), Int(lanes.3))
    return (above[order.x], max(above[order.y], above[order.z]), above[order.w])
  }
}

extension LinearSamples {
  /// The fastest way of adding the samples up that there is for the format.
  var summation: any FrameSummation {
    if let sums = RGBSummation(self) { return sums }
    if let sums = CellSummation(self) { return sums }
    if let sums = PixelSummation(self) { return sums }
    return LumaChromaSummation(self) ?? SampleSummation(samples: self)
  }
}
