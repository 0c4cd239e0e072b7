public import ColorScience
public import WhiteBalance

/// A gray card that was made neutral.
public struct NeutralizedCard: Hashable, Sendable {
  /// What was set, and the frame that shows it; its remainder is what the picture still lacks.
  public let applied: AppliedWhiteBalance
  /// The card as it looks now.
  public let estimate: GrayCardEstimate
  /// The camera's response to the card at the controls' reference, green 1: what a calibration shot
  /// is.
  public let response: LinearRGB
}

extension Camera {
  /// Makes the gray card neutral as nearly as the controls can, and leaves them there.
  ///
  /// Goes by the picture: whatever the laws are off by, another look corrects. So does a tone curve
  /// that is not quite the one supposed, for equal codes are equal light under any.
  ///
  /// - Throws: `CameraError.nothingToSee` where the estimate is refused, `gainsOutOfRange` where
  ///   the controls do not reach; the camera is as before then.
  public func neutralizeCard(
    controls: WhiteBalanceControls
  ) async throws(CameraError) -> NeutralizedCard {
    try await restoringOnFailure { () async throws(CameraError) in
      try await turnOffAutomatic()
      try await skipFrames(delay)
      _ = try await startingGains(controls)
      try await settle()
      var applied: AppliedWhiteBalance?
      var first: FrameInfo?
      var tried: Set<[ControlValue]> = []
      while true {
        let estimate = try await estimate()
        guard estimate.isAccepted, let missing = estimate.gains else {
          throw .nothingToSee(estimate.refusals)
        }
        let now = try await currentGains(controls)
        let wanted = Gains(vector: now.vector * missing.vector)
        let setting = try Self.setting(for: wanted, controls)
        if let applied, !tried.insert(setting.values).inserted || tried.count > Self.looks {
          return NeutralizedCard(
            applied: applied.with(remainder: missing, firstFrame: first), estimate: estimate,
            response: LinearRGB(wanted.vector.y / wanted.vector))
        }
        tried.insert(setting.values)
        let latest = try await apply(setting, controls: controls)
        applied = latest
        // The last corrections may be too small to be seen in one frame.
        first = latest.firstFrame ?? first
      }
    }
  }

  /// Corrections after which the rest is rounding.
  private static let looks = 4
}

extension AppliedWhiteBalance {
  /// The same, with what the picture still lacks, and the last frame that was seen to change.
  fileprivate func with(remainder: Gains, firstFrame: FrameInfo?) -> AppliedWhiteBalance {
    AppliedWhiteBalance(
      values: values, gains: gains, remainder: remainder.normalized(), brightness: brightness,
      firstFrame: firstFrame)
  }
}
