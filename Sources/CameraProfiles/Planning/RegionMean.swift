package import ColorScience
package import WhiteBalance

/// The mean color of the region in one frame, whatever it shows: enough to see it change, without
/// the work of an estimate, which doubts every pixel.
package struct RegionMean {
  /// The linear means.
  package let mean: LinearRGB
  /// ln(red/green) and ln(blue/green) of the light behind the gains; not numbers where a channel
  /// has none.
  package let logRatios: SIMD2<Double>
  /// What the noise of its pixels leaves uncertain of the larger, as a relative standard deviation;
  /// a colored scene's variety counts as noise.
  package let standardError: Double
  /// By how much the larger changes if the dark pixels are averaged, too. Noise that is cut off at
  /// black makes all of them too bright, noise that goes below it those without the dark ones.
  package let darkness: Double
  /// Why it tells nothing; empty if it does.
  package let refusals: [GrayCardEstimate.Refusal]

  package init(
    _ bytes: Span<UInt8>, layout: FrameLayout, estimator: GrayCardEstimator, mixing: ColorMixing?
  ) throws(FrameError) {
    let region = estimator.rectangle(in: layout)
    let statistics = try FrameStatistics(
      bytes, layout: layout, region: region, darkLevel: estimator.darkLevel)
    mean = statistics.mean
    func seenLight(_ statistics: FrameStatistics) -> LinearRGB {
      mixing.map { $0.unmixed(statistics.mean) } ?? statistics.mean
    }
    let light = seenLight(statistics)
    logRatios = light.logRatios
    if statistics.pixels.dark > 0 {
      let all = try FrameStatistics(bytes, layout: layout, region: region)
      let off = CardColor.size(seenLight(all).logRatios - logRatios)
      darkness = off.isFinite ? off : 0
    } else {
      darkness = 0
    }
    let variance = mixing.map { $0.unmixedVariance(statistics.variance) } ?? statistics.variance
    let relative = variance.vector / (light.vector * light.vector)
    standardError =
      ((relative.y + max(relative.x, relative.z)) / Double(max(1, statistics.pixels.used)))
      .squareRoot()
    refusals = estimator.refusals(for: statistics.pixels)
  }

  /// The ratios, where they tell something.
  package var ratios: SIMD2<Double>? {
    refusals.isEmpty && logRatios.x.isFinite && logRatios.y.isFinite ? logRatios : nil
  }
}

extension [SIMD2<Double>] {
  /// The larger range of the two components.
  package var spread: Double {
    guard let first else { return 0 }
    return (reduce(first, pointwiseMax) - reduce(first, pointwiseMin)).max()
  }
}
