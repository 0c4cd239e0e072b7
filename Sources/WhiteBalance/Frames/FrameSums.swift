import CWbcalFrameKernels

/// Counts of samples, and integer sums over the samples that are used.
struct FrameSums {
  /// The statistics of a channel, in linear light.
  struct Channel {
    var count = 0
    var mean = 0.0
    /// The variance of single samples.
    var variance = 0.0
  }

  var lanes = wb_sums()

  /// Samples within the bounds.
  var used: Int { Int(lanes.used) }
  /// Samples with a channel above the bounds.
  var above: Int { Int(lanes.above) }
  /// Samples with a channel below the bounds, and none above.
  var below: Int { Int(lanes.below) }

  /// The mean of a lane's values, and that of their squares.
  func means(_ lane: Int) -> (value: Double, square: Double) {
    let sum = SIMD4(lanes.sum.0, lanes.sum.1, lanes.sum.2, lanes.sum.3)
    let squares = SIMD4(lanes.product.0, lanes.product.1, lanes.product.2, lanes.product.3)
    // Linear values below black make sums negative.
    let value = Double(Int64(bitPattern: sum[lane]))
    return (value / Double(lanes.used), Double(squares[lane]) / Double(lanes.used))
  }

  /// The statistics of a channel from sums of linear codes.
  func codeChannel(_ lane: Int, _ layout: FrameLayout) -> Channel {
    let (mean, square) = means(lane)
    return codeChannel(mean: mean, variance: square - mean * mean, layout)
  }

  /// The statistics of a channel from the mean and the variance of linear codes.
  func codeChannel(mean: Double, variance: Double, _ layout: FrameLayout) -> Channel {
    let range = layout.whiteLevel - layout.blackLevel
    return Channel(
      count: used, mean: (mean - layout.blackLevel) / range,
      variance: max(0, variance) / (range * range))
  }

  /// The statistics of a channel from sums of linear values, which are counted in `unit`.
  func linearChannel(_ lane: Int, unit: Double) -> Channel {
    let means = means(lane)
    let (mean, square) = (means.value * unit, means.square * unit)
    return Channel(count: used, mean: mean, variance: max(0, square - mean * mean))
  }
}
