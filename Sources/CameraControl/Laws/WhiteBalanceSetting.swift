public import WhiteBalance

/// Control values for gains, and what they leave to be desired.
public struct WhiteBalanceSetting: Hashable, Sendable {
  /// What to set.
  public let values: [ControlValue]
  /// The gains asked for, the smallest 1.
  public let wanted: Gains
  /// The gains that the values mean, relative to those at the controls' reference.
  public let reached: Gains

  init(values: [ControlValue], wanted: Gains, reached: Gains) {
    self.values = values
    self.wanted = wanted.normalized()
    self.reached = reached
  }

  /// The software gains that finish the job, the smallest 1: what the controls' steps leave, and of
  /// a camera without a control for each color, what it cannot do.
  public var remainder: Gains { Gains(wanted.vector / reached.vector).normalized() }
}
