internal import CameraProfiles
public import WhiteBalance

extension Camera {
  /// Returns the estimate from the next frame.
  public func nextEstimate() async throws(CameraError) -> (FrameInfo, GrayCardEstimate) {
    try await nextFrame { _, layout, bytes throws(FrameError) in
      try estimator.estimate(bytes, layout: layout)
    }
  }

  /// Returns the mean estimate of several successive frames.
  public func estimate(frames: Int = 8) async throws(CameraError) -> GrayCardEstimate {
    let camera = await watching()
    var estimates: [GrayCardEstimate] = []
    for _ in 0..<frames { estimates.append(try await camera.nextEstimate().1) }
    return GrayCardEstimate(averaging: estimates)
  }

  /// Waits until the color of the region has settled, after at least `first` frames.
  ///
  /// - Throws: `CameraError.notSettled` if it has not settled after 1200 frames, `cardUnreadable`
  ///   if four successive frames are clipped or dark.
  public func settle(after first: Int = 0) async throws(CameraError) {
    let camera = await watching()
    if try await camera.settledPicture(from: nil, after: first) == nil {
      throw try await camera.unseen()
    }
  }

  /// Returns the reason why nothing can be measured in the next frame.
  func unseen() async throws(CameraError) -> CameraError {
    .cardUnreadable(try await nextMean().1.refusals)
  }

  /// Returns the mean estimate of enough frames to detect flicker, and whether the light flickers.
  func estimateAndFlicker() async throws(CameraError) -> (GrayCardEstimate, flickers: Bool) {
    let camera = await watching()
    var estimates: [GrayCardEstimate] = []
    for _ in 0..<PictureWatch.flickeringFrames {
      estimates.append(try await camera.nextEstimate().1)
    }
    return (GrayCardEstimate(averaging: estimates), PictureWatch.flickers(estimates))
  }

  func skipFrames(_ count: Int) async throws(CameraError) {
    for _ in 0..<count { try await nextFrame(where: { _ in false }) { _, _, _ in } }
  }

  func nextMean() async throws(CameraError) -> (FrameInfo, RegionMean) {
    let (estimator, mixing) = (estimator, mixing)
    return try await nextFrame { _, layout, bytes throws(FrameError) in
      try RegionMean(bytes, layout: layout, estimator: estimator, mixing: mixing)
    }
  }

  func means(_ count: Int) async throws(CameraError) -> [RegionMean] {
    var means: [RegionMean] = []
    for _ in 0..<count { means.append(try await nextMean().1) }
    return means
  }

  /// Returns the region's ratios in the next usable frame; a few unusable ones are broken frames.
  func nextRatios() async throws(CameraError) -> (FrameInfo, SIMD2<Double>) {
    var refusals: [GrayCardEstimate.Refusal] = []
    for _ in 0..<Self.agreeingFrames {
      let (info, mean) = try await nextMean()
      if let ratios = mean.ratios { return (info, ratios) }
      refusals = mean.refusals
    }
    throw .cardUnreadable(refusals)
  }

  /// Returns the result of `body` for the next frame, with the known transfer function and levels.
  dynamic func nextFrame<Result: Sendable>(
    _ body: @escaping @Sendable (FrameInfo, FrameLayout, Span<UInt8>) throws(FrameError) -> Result
  ) async throws(CameraError) -> (FrameInfo, Result) {
    while true {
      if let found = try await nextFrame(where: { _ in true }, body) { return found }
    }
  }

  /// Returns the result of `body` for the next frame; `nil` if the frame is not wanted. Such a
  /// frame is not decoded unless others read it, too.
  @discardableResult dynamic func nextFrame<Result: Sendable>(
    where isWanted: @escaping @Sendable (FrameInfo) -> Bool,
    _ body: @escaping @Sendable (FrameInfo, FrameLayout, Span<UInt8>) throws(FrameError) -> Result
  ) async throws(CameraError) -> (FrameInfo, Result)? {
    try await checkIsWanted()
    let (transfer, black, white) = (transfer, blackLevel, whiteLevel)
    let seen = if let view { view } else { await feed.view() }
    let found = try await feed.next(in: seen, where: isWanted) { info, bytes in
      let result = Swift.Result { () throws(FrameError) in
        try body(
          info, try info.layout.replacing(blackLevel: black, whiteLevel: white, transfer: transfer),
          bytes)
      }
      return (info, result)
    }
    guard let (info, result) = found else { return nil }
    do { return (info, try result.get()) } catch { throw .frame(error) }
  }
}
