internal import ColorScience
internal import WhiteBalance

extension ProbedCamera {
  /// Makes the gray card neutral as nearly as the controls can, and leaves them there.
  ///
  /// Goes by the picture: whatever the laws are off by, another look corrects. So does a transfer
  /// function that is not quite the true one, for equal codes are equal light under any.
  ///
  /// - Throws: `CameraError.nothingToSee` where the estimate is refused, `gainsOutOfRange` where
  ///   the controls do not reach; the camera is as before then.
  public func neutralizeCard() async throws(CameraError) -> NeutralizedCard {
    try await camera.restoringOnFailure { camera async throws(CameraError) in
      try await ProbedCamera(camera, laws: laws).correctUntilNeutral()
    }
  }

  private func correctUntilNeutral() async throws(CameraError) -> NeutralizedCard {
    try await camera.turnOffAutomatic()
    try await camera.skipFrames(camera.delay)
    _ = try await startingGains()
    try await camera.settle()
    var applied: AppliedWhiteBalance?
    var first: FrameInfo?
    var tried: Set<[ControlValue]> = []
    while true {
      let estimate = try await camera.estimate()
      guard estimate.isAccepted, let missing = estimate.gains else {
        throw .nothingToSee(estimate.refusals)
      }
      let now = try await gainsInForce()
      let wanted = Gains(now.vector * missing.vector)
      let setting = try laws.reachableSetting(for: wanted)
      let isNew = tried.insert(setting.values).inserted
      // After four corrections the rest is rounding.
      if var applied, !isNew || tried.count > 4 {
        applied.remainder = missing.normalized()
        // The last corrections may be too small to be seen in one frame.
        applied.firstFrame = first
        return NeutralizedCard(
          applied: applied, estimate: estimate,
          response: LinearRGB(wanted.vector.y / wanted.vector))
      }
      let latest = try await apply(setting)
      applied = latest
      first = latest.firstFrame ?? first
    }
  }
}
