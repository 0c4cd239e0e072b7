internal import ColorScience
internal import WhiteBalance

/// The mean color of the region in one frame, whatever it shows: enough to see it change, without
/// the work of an estimate, which doubts every pixel.
struct RegionMean {
  /// ln(red/green) and ln(blue/green) of the linear means.
  let logRatios: SIMD2<Double>
  /// What the noise of its pixels leaves uncertain of the larger, as a relative standard deviation;
  /// a colored scene's variety counts as noise.
  let standardError: Double
  /// Why it tells nothing; empty if it does.
  let refusals: [GrayCardEstimate.Refusal]

  init(_ statistics: FrameStatistics, estimator: GrayCardEstimator) {
    let mean = statistics.mean
    logRatios = mean.logRatios
    let relative = statistics.variance.vector / (mean.vector * mean.vector)
    standardError =
      ((relative.y + max(relative.x, relative.z)) / Double(max(1, statistics.pixels.used)))
      .squareRoot()
    refusals = estimator.refusals(for: statistics.pixels)
  }

  /// The ratios, where they tell something.
  var ratios: SIMD2<Double>? { refusals.isEmpty ? logRatios : nil }
}
