internal import CameraProfiles
public import ColorScience
public import WhiteBalance

/// A gray card that was neutralized.
public struct CardBalance: Hashable, Sendable {
  /// The settings and the first frame that shows them; `residualGains` are those of the card.
  public let applied: AppliedWhiteBalance
  /// The estimate of the card now.
  public let estimate: GrayCardEstimate
  /// The camera's response to the card at the controls' reference, with green 1: a calibration
  /// shot. `nil` if the controls' laws are unknown.
  public let response: LinearRGB?
  /// The latency and settling rate of settings, if they were observed.
  var latency: Int?
  var settlingRate: Double?
  /// `true` if the light was seen to flicker.
  var flickers = false

  /// - Parameters:
  ///   - gains: The gains at the values, if laws are known.
  ///   - laws: The laws of the controls, if known.
  ///   - persistence: The persistence of the setting, if it was determined.
  init(
    values: [ControlValue], estimate: GrayCardEstimate, firstFrame: FrameInfo?, gains: Gains?,
    laws: ControlLaws?, persistence: SettingPersistence?
  ) {
    let known = gains.flatMap { $0.arePositiveAndFinite ? $0 : nil }
    // Software acts on the picture, the camera's gains act before the color matrix.
    let light = laws?.mixing.map { $0.unmixed(estimate.response) } ?? estimate.response
    let missing = estimate.gains ?? Gains(red: 1, blue: 1)
    applied = AppliedWhiteBalance(
      values: values, gains: known?.normalized(to: .smallest),
      covariance: known.flatMap { laws?.covariance(of: $0) },
      hardwareResidualGains: Gains(neutralizing: light) ?? missing,
      residualGains: missing.normalized(to: .smallest),
      brightness: 1, firstFrame: firstFrame, persistence: persistence)
    self.estimate = estimate
    response = known.flatMap { gains in
      Gains(neutralizing: light).map { missing in
        let wanted = gains.vector * missing.vector
        return LinearRGB(wanted.y / wanted)
      }
    }
  }
}
