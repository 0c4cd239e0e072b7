public import WhiteBalance

/// Settings for wanted gains, and the residual gains.
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

  /// The residual gains, the smallest 1: the error of the controls' steps, and, for a camera
  /// without a control for each color, what it cannot reach. If nothing mixes the channels after
  /// the camera's own gains, they are the software gains that complete the correction; otherwise
  /// ``ChannelMixing/correction(by:)`` makes a matrix of them.
  public var residualGains: Gains {
    Gains(wanted.vector / reached.vector).normalized(to: .smallest)
  }
}
