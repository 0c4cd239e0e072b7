public import WhiteBalance

/// Settings for wanted gains, the gains that they give, and the residual gains.
public struct WhiteBalanceSetting: Hashable, Sendable {
  /// The settings to write.
  public let values: [ControlValue]
  /// The wanted gains, the smallest 1.
  public let wanted: Gains
  /// The gains of the settings, relative to those at the controls' reference.
  public let reached: Gains

  package init(values: [ControlValue], wanted: Gains, reached: Gains) {
    self.values = values
    self.wanted = wanted.normalized(to: .smallest)
    self.reached = reached
  }

  /// The residual gains, the smallest 1. They contain the error of the controls' steps and, for a
  /// camera without a control for each color, the gains that no setting gives. Software that
  /// multiplies the picture by them completes the correction; if the camera mixes the channels
  /// after its own gains, ``ChannelMixing/correction(by:)`` turns them into a matrix.
  public var residualGains: Gains {
    Gains(wanted.vector / reached.vector).normalized(to: .smallest)
  }
}
