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
    try await camera.performing { camera async throws(CameraError) in
      try await camera.restoringOnFailure { () async throws(CameraError) in
        try await ProbedCamera(camera, laws: laws).correctUntilNeutral()
      }
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
      if let applied, !tried.insert(setting.values).inserted || tried.count > Self.corrections {
        return NeutralizedCard(
          applied: applied.with(remainder: missing, firstFrame: first), estimate: estimate,
          response: LinearRGB(wanted.vector.y / wanted.vector))
      }
      tried.insert(setting.values)
      let latest = try await apply(setting)
      applied = latest
      // The last corrections may be too small to be seen in one frame.
      first = latest.firstFrame ?? first
    }
  }

  /// The number of corrections after which the rest is rounding.
  private static let corrections = 4
}

extension AppliedWhiteBalance {
  /// The same, with what the picture still lacks, and the last frame that was seen to change.
  fileprivate func with(remainder: Gains, firstFrame: FrameInfo?) -> AppliedWhiteBalance {
    AppliedWhiteBalance(
      values: values, gains: gains, remainder: remainder.normalized(), brightness: brightness,
      firstFrame: firstFrame)
  }
}
