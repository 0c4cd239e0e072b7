internal import ColorScience
internal import WhiteBalance

/// The mean color of the region in one frame, whatever it shows: enough to see it change, without
/// the work of an estimate, which doubts every pixel.
struct RegionMean {
  /// The linear means.
  let mean: LinearRGB
  /// ln(red/green) and ln(blue/green) of the light behind the gains; not numbers where a channel
  /// has none.
  let logRatios: SIMD2<Double>
  /// What the noise of its pixels leaves uncertain of the larger, as a relative standard deviation;
  /// a colored scene's variety counts as noise.
  let standardError: Double
  /// Why it tells nothing; empty if it does.
  let refusals: [GrayCardEstimate.Refusal]

  init(
    _ bytes: Span<UInt8>, layout: FrameLayout, estimator: GrayCardEstimator, mixing: ColorMixing?
  ) throws(FrameError) {
    let region = estimator.rectangle(in: layout)
    let bright = try FrameStatistics(
      bytes, layout: layout, region: region, darkLevel: estimator.darkLevel)
    // Where noise goes down to black, what is left without the dark pixels is too bright.
    let statistics =
      bright.pixels.dark == 0 ? bright : try FrameStatistics(bytes, layout: layout, region: region)
    mean = statistics.mean
    let light = mixing.map { $0.unmixed(statistics.mean) } ?? mean
    logRatios = light.logRatios
    let variance = mixing.map { $0.unmixedVariance(statistics.variance) } ?? statistics.variance
    let relative = variance.vector / (light.vector * light.vector)
    standardError =
      ((relative.y + max(relative.x, relative.z)) / Double(max(1, statistics.pixels.used)))
      .squareRoot()
    refusals = estimator.refusals(for: bright.pixels)
  }

  /// The ratios, where they tell something.
  var ratios: SIMD2<Double>? {
    refusals.isEmpty && logRatios.x.isFinite && logRatios.y.isFinite ? logRatios : nil
  }
}
