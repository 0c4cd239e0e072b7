import CWbcalFrameKernels

/// A method of summing the samples of a region, for the formats that it supports.
protocol FrameSummation {
  var samples: LinearSamples { get }
  /// The lanes of red, green, green and blue in the sums.
  var order: SIMD4<Int> { get }

  /// Adds the samples in some of the region's rows and columns.
  func add(
    _ bytes: Span<UInt8>, rows: Range<Int>, columns: Range<Int>, _ bounds: CodeBounds,
    to sums: inout FrameSums)

  /// The mean and variance of a lane, in linear light; the sums must have a used sample.
  func channel(_ lane: Int, of sums: FrameSums) -> FrameSums.Channel
}

extension FrameSummation {
  /// The statistics of red, green and blue; all are 0 if no sample was used.
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

  /// The numbers of samples whose red, green or blue is above the bounds; for green, the larger
  /// number of the two.
  func above(_ sums: FrameSums) -> (red: Int, green: Int, blue: Int) {
    let lanes = sums.lanes.lane_above
    let above = SIMD4(Int(lanes.0), Int(lanes.1), Int(lanes.2), Int(lanes.3))
    return (above[order.x], max(above[order.y], above[order.z]), above[order.w])
  }
}

extension LinearSamples {
  /// The fastest summation for the format.
  var summation: any FrameSummation {
    if let sums = RGBSummation(self) { return sums }
    if let sums = CellSummation(self) { return sums }
    if let sums = PixelSummation(self) { return sums }
    return LumaChromaSummation(self) ?? SampleSummation(samples: self)
  }
}
