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
    refusals = estimator.refusals(for: statistics.pixels)
  }

  /// The ratios, where they tell something.
  var ratios: SIMD2<Double>? { refusals.isEmpty ? logRatios : nil }
}

extension Camera {
  /// The region's mean in the next frame.
  func nextMean() async throws(CameraError) -> (FrameInfo, RegionMean) {
    let estimator = estimator
    return try await nextFrame { _, layout, bytes throws(FrameError) in
      RegionMean(
        try FrameStatistics(
          bytes, layout: layout, region: estimator.rectangle(in: layout),
          darkLevel: estimator.darkLevel), estimator: estimator)
    }
  }

  /// The region's ratios in the next frame that tells them: a few that do not are broken ones.
  func nextRatios() async throws(CameraError) -> (FrameInfo, SIMD2<Double>) {
    var refusals: [GrayCardEstimate.Refusal] = []
    for _ in 0..<Self.agreeing {
      let (info, mean) = try await nextMean()
      if let ratios = mean.ratios { return (info, ratios) }
      refusals = mean.refusals
    }
    throw .nothingToSee(refusals)
  }

  /// What `body` makes of the next frame, read with the curve and the levels that are known.
  func nextFrame<Result: Sendable>(
    _ body:
      @escaping @Sendable (FrameInfo, FrameLayout, Span<UInt8>) throws(FrameError) -> Result
  ) async throws(CameraError) -> (FrameInfo, Result) {
    if Task.isCancelled { throw .cancelled }
    let (curve, black, white) = (curve, blackLevel, whiteLevel)
    let (info, result) = try await port.withNextFrame { info, bytes in
      let result = Swift.Result { () throws(FrameError) in
        try body(
          info,
          try info.layout.replacing(blackLevel: black, whiteLevel: white, transfer: curve), bytes)
      }
      return (info, result)
    }
    do { return (info, try result.get()) } catch { throw .frame(error) }
  }
}
