public import CameraProfiles
public import WhiteBalance

/// A white balance that the picture has shown.
public struct AppliedWhiteBalance: Hashable, Sendable {
  /// What the controls were set to.
  public let values: [ControlValue]
  /// The gains that these values mean, the smallest 1; `nil` where no laws tell.
  public let gains: Gains?
  /// How far these gains may be off, as the laws of the controls are known, of ln red and ln blue;
  /// `nil` where there are no gains.
  public let covariance: GainUncertainty.Covariance?
  /// The gains that the camera's own lack, the smallest 1: what the controls' steps leave of those
  /// asked for, and what the camera has no control for.
  package let lacking: Gains
  /// The software gains that finish the job, the smallest 1: those that make a gray card in the
  /// picture what the gains asked for would have made it, whatever mixes the colors behind them.
  public let remainder: Gains
  /// How bright the picture is beside the one asked for, in green: below 1 where the gains asked
  /// for have green above 1 and the camera has no control for it.
  public let brightness: Double
  /// The first frame that shows the setting; `nil` where what it changes comes so gradually that no
  /// frame is the first.
  public let firstFrame: FrameInfo?
  /// What becomes of the setting, as it was found out now or earlier.
  public let endurance: Endurance?
}
