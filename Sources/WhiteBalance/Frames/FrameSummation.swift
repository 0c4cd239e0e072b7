import CWbcalFrameKernels

/// Adds up a region's samples in the fastest way that there is for the format.
struct FrameSummation {
  let samples: LinearSamples
  private let path: any FrameSummationPath

  init(_ samples: LinearSamples) {
    self.samples = samples
    switch samples.layout.format.arrangement {
    case .interleaved: path = RGBSummation(samples) ?? SampleSummation(samples)
    case .bayer: path = CellSummation(samples) ?? SampleSummation(samples)
    case .subsampled: path = LumaChromaSummation(samples) ?? SampleSummation(samples)
    case .gray: path = SampleSummation(samples)
    }
  }

  /// Adds the samples in some of the region's rows and columns.
  func add(
    _ bytes: Span<UInt8>, rows: Range<Int>, columns: Range<Int>, _ bounds: CodeBounds,
    to sums: inout FrameSums
  ) {
    path.add(bytes, rows: rows, columns: columns, bounds, to: &sums)
  }

  /// What sums say about a channel, in linear light.
  struct Channel {
    var count = 0
    var mean = 0.0
    /// The variance of single samples.
    var variance = 0.0
  }

  /// Red, green and blue; all are 0 where nothing was used.
  func channels(_ sums: FrameSums) -> (red: Channel, green: Channel, blue: Channel) {
    guard sums.used > 0 else { return (Channel(), Channel(), Channel()) }
    let order = path.order
    var green = path.channel(order.y, of: sums)
    if samples.pixelsPerSample == 4 {
      let other = path.channel(order.z, of: sums)
      green = Channel(
        count: 2 * sums.used, mean: (green.mean + other.mean) / 2,
        variance: (green.variance + other.variance) / 2)
    }
    return (path.channel(order.x, of: sums), green, path.channel(order.w, of: sums))
  }

  /// Samples whose red, whose green and whose blue lie above the bounds; of two greens, the more.
  func above(_ sums: FrameSums) -> (red: Int, green: Int, blue: Int) {
    let lanes = sums.lanes.lane_above
    let above = SIMD4(Int(lanes.0), Int(lanes.1), Int(lanes.2), Int(lanes.3))
    let order = path.order
    return (above[order.x], max(above[order.y], above[order.z]), above[order.w])
  }
}

/// A way of adding up samples, for some formats.
protocol FrameSummationPath {
  /// The lanes of red, green, green and blue in the sums.
  var order: SIMD4<Int> { get }

  /// Adds the samples in some of the region's rows and columns.
  func add(
    _ bytes: Span<UInt8>, rows: Range<Int>, columns: Range<Int>, _ bounds: CodeBounds,
    to sums: inout FrameSums)

  /// What sums with a used sample say about a lane, in linear light.
  func channel(_ lane: Int, of sums: FrameSums) -> FrameSummation.Channel
}
