public import WhiteBalance

/// Control values for gains, and what they leave to be desired.
public struct WhiteBalanceSetting: Hashable, Sendable {
  /// What to set.
  public let values: [ControlValue]
  /// The gains asked for, the smallest 1.
  public let wanted: Gains
  /// The gains that the values mean, relative to those at the controls' reference.
  public let reached: Gains

  package init(values: [ControlValue], wanted: Gains, reached: Gains) {
    self.values = values
    self.wanted = wanted.normalized()
    self.reached = reached
  }

  /// The gains that are lacking, the smallest 1: what the controls' steps leave, and of a camera
  /// without a control for each color, what it cannot do. They are the software gains that finish
  /// the job where nothing mixes the colors behind the camera's own; otherwise
  /// ``ColorMixing/correction(by:)`` makes a matrix of them.
  public var remainder: Gains { Gains(wanted.vector / reached.vector).normalized() }
}
