public import CameraProfiles
public import WhiteBalance

/// The white balance at one frame.
public struct WhiteBalanceReading: Hashable, Sendable {
  /// The frame.
  public let frame: FrameInfo
  /// Whether the camera chooses the white balance by itself.
  public let isAutomatic: Bool
  /// Whether the color of the scene still moves, because of an automatic or of the light. It takes
  /// twelve frames to know: the first eleven readings of a scene at rest say so too.
  public let isAdjusting: Bool
  /// What the balance controls are set to; with an automatic on, what it chose a few frames ago.
  public let values: [ControlValue]
  /// The gains that the values mean, the smallest 1; `nil` where no law is known.
  public let deviceGains: Gains?
  /// The gains, on top of the device's, that would make the mean of the whole frame neutral, the
  /// smallest 1; `nil` where no pixel can be used.
  public let missingGains: Gains?
  /// The counts of pixels behind them.
  public let pixels: PixelCounts

  /// The gains from the controls' reference on that would make the mean of the whole frame neutral,
  /// the smallest 1: AVFoundation's `grayWorldDeviceWhiteBalanceGains`; `nil` where a law or a mean
  /// is missing.
  public var grayWorldGains: Gains? {
    guard let deviceGains, let missingGains else { return nil }
    return Gains(deviceGains.vector * missingGains.vector).normalized()
  }
}
