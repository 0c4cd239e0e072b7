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
    logRatios = SIMD2(logarithm(mean.red / mean.green), logarithm(mean.blue / mean.green))
    let relative = statistics.variance.vector / (mean.vector * mean.vector)
    standardError =
      ((relative.y + max(relative.x, relative.z)) / Double(max(1, statistics.pixels.used)))
      .squareRoot()
    let pixels = statistics.pixels
    let total = Double(pixels.total)
    var refusals: [GrayCardEstimate.Refusal] = []
    if Double(pixels.clipped) > estimator.acceptedClippedShare * total {
      let channels: [(ColorChannel, Int)] = [
        (.green, pixels.greenClipped), (.red, pixels.redClipped), (.blue, pixels.blueClipped),
      ]
      let worst = channels.max { $0.1 < $1.1 } ?? (.green, pixels.clipped)
      refusals.append(.clipped(worst.0, share: Double(worst.1) / total))
    }
    if Double(pixels.dark) > estimator.acceptedDarkShare * total {
      refusals.append(.dark(share: Double(pixels.dark) / total))
    }
    if pixels.used < estimator.neededPixels, refusals.isEmpty {
      refusals.append(.tooFewPixels(used: pixels.used, needed: estimator.neededPixels))
    }
    self.refusals = refusals
  }

  /// The ratios, where they tell something.
  var ratios: SIMD2<Double>? { refusals.isEmpty ? logRatios : nil }
}
