internal import CameraProfiles
public import ColorScience
public import WhiteBalance

/// A gray card that was made neutral.
public struct NeutralizedCard: Hashable, Sendable {
  /// What was set, and the frame that shows it; its remainder is what the picture still lacks.
  public let applied: AppliedWhiteBalance
  /// The card as it looks now.
  public let estimate: GrayCardEstimate
  /// The camera's response to the card at the controls' reference, green 1: a calibration shot.
  /// `nil` where no laws tell what the controls' values mean.
  public let response: LinearRGB?
  /// How soon the picture follows settings, as far as that was seen.
  var latency: Int?
  var pace: Double?
  /// Whether the light was seen to flicker.
  var flickers = false

  /// - Parameters:
  ///   - gains: those that the values mean, if laws tell.
  ///   - laws: what the controls do to gains, if that is known.
  ///   - endurance: what becomes of the setting, if it was found out.
  init(
    values: [ControlValue], estimate: GrayCardEstimate, firstFrame: FrameInfo?, gains: Gains?,
    laws: ControlLaws?, endurance: Endurance?
  ) {
    let known = gains.flatMap { $0.arePositiveAndFinite ? $0 : nil }
    // The software sees the picture, the camera's gains what is behind the matrix.
    let light = laws?.mixing.map { $0.unmixed(estimate.response) } ?? estimate.response
    let missing = estimate.gains ?? Gains(red: 1, blue: 1)
    applied = AppliedWhiteBalance(
      values: values, gains: known?.normalized(),
      covariance: known.flatMap { laws?.covariance(of: $0) },
      lacking: Gains(neutralizing: light) ?? missing, remainder: missing.normalized(),
      brightness: 1, firstFrame: firstFrame, endurance: endurance)
    self.estimate = estimate
    response = known.flatMap { gains in
      Gains(neutralizing: light).map { missing in
        let wanted = gains.vector * missing.vector
        return LinearRGB(wanted.y / wanted)
      }
    }
  }
}
