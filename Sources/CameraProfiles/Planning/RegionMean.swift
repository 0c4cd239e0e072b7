package import ColorScience
package import WhiteBalance

/// The mean color of the region in one frame, whatever it shows: enough to detect a change, without
/// the cost of an estimate, which checks every pixel.
package struct RegionMean {
  /// The mean linear color.
  package let mean: LinearRGB
  /// ln(red/green) and ln(blue/green) before the channel mixing; NaN if a channel has no light.
  package let logRatios: SIMD2<Double>
  /// The standard error of the ratio that is more uncertain, due to the noise of its pixels;
  /// variation of a colored scene counts as noise.
  package let standardError: Double
  /// The larger change of the two ratios if dark pixels are averaged too. If noise is cut off at
  /// black, the mean of all pixels is too bright; if noise reaches below black, the mean without
  /// the dark pixels is.
  package let darkness: Double
  /// The reasons why the mean cannot be used; empty if it can.
  package let refusals: [GrayCardEstimate.Refusal]

  package init(
    _ bytes: Span<UInt8>, layout: FrameLayout, estimator: GrayCardEstimator, mixing: ChannelMixing?
  ) throws(FrameError) {
    let region = estimator.rectangle(in: layout)
    let statistics = try FrameStatistics(
      bytes, layout: layout, region: region, darkLevel: estimator.darkLevel)
    mean = statistics.mean
    func unmixed(_ statistics: FrameStatistics) -> LinearRGB {
      mixing.map { $0.unmixed(statistics.mean) } ?? statistics.mean
    }
    let color = unmixed(statistics)
    logRatios = color.logRatios
    if statistics.pixels.dark > 0 {
      let all = try FrameStatistics(bytes, layout: layout, region: region)
      let off = CardColor.size(unmixed(all).logRatios - logRatios)
      darkness = off.isFinite ? off : 0
    } else {
      darkness = 0
    }
    let variance = mixing.map { $0.unmixedVariance(statistics.variance) } ?? statistics.variance
    let relative = variance.vector / (color.vector * color.vector)
    standardError =
      ((relative.y + max(relative.x, relative.z)) / Double(max(1, statistics.pixels.used)))
      .squareRoot()
    refusals = estimator.refusals(for: statistics.pixels)
  }

  /// The ratios; `nil` if they cannot be used.
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
