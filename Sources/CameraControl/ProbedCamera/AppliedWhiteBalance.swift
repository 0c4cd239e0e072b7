public import CameraProfiles
public import WhiteBalance

/// A white balance that was verified in the picture.
public struct AppliedWhiteBalance: Hashable, Sendable, Codable {
  /// The controls' settings.
  public let values: [ControlValue]
  /// The gains at these settings, the smallest 1; `nil` if no laws are known.
  public let gains: Gains?
  /// The covariance of ln red and ln blue of these gains, due to the uncertainty of the controls'
  /// laws; `nil` without gains.
  public let covariance: GainUncertainty.Covariance?
  /// The gains that the hardware lacks, the smallest 1, because of the controls' steps or a missing
  /// control.
  package let hardwareResidualGains: Gains
  /// The residual gains for software, the smallest 1: applied to the picture, they give a gray card
  /// the color that it would have with the requested gains. Any channel mixing after the camera's
  /// gains is taken into account.
  public let residualGains: Gains
  /// The picture's green relative to that with the requested gains: below 1 if they have green
  /// above 1 and the camera has no control for it.
  public let brightness: Double
  /// The first frame that shows the setting; `nil` if the change is too gradual to have one.
  public let firstFrame: FrameInfo?
  /// The persistence of the setting, as determined now or earlier.
  public let persistence: SettingPersistence?
}
