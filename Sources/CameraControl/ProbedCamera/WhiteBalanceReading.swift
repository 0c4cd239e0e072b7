public import CameraProfiles
public import WhiteBalance

/// The white balance at one frame.
public struct WhiteBalanceReading: Hashable, Sendable, Codable {
  /// The frame.
  public let frame: FrameInfo
  /// Indicates whether the camera chooses the white balance itself.
  public let isAutomatic: Bool
  /// Indicates whether the color of the scene is still changing, because of automatic white balance
  /// or of the light. Twelve frames determine it: for a settled scene, it is also `true` in the
  /// first eleven readings.
  public let isAdjusting: Bool
  /// The balance controls' settings; in an automatic mode, those chosen a few frames ago.
  public let values: [ControlValue]
  /// The gains at these settings, the smallest 1; `nil` if no law is known.
  public let deviceGains: Gains?
  /// The additional gains that would make the mean of the whole frame neutral, the smallest 1;
  /// `nil` if no pixel can be used.
  public let missingGains: Gains?
  /// The numbers of pixels in that mean.
  public let pixels: PixelCounts
  /// A change of the light on the scene, in the reading that makes it certain: about nine readings
  /// after it. `nil` in an automatic mode, whose own changes look the same.
  public let lightChange: SceneLightChange?

  /// The gains, relative to the controls' reference, that would make the mean of the whole frame
  /// neutral, the smallest 1: AVFoundation's `grayWorldDeviceWhiteBalanceGains`; `nil` without laws
  /// or a mean.
  public var grayWorldGains: Gains? {
    guard let deviceGains, let missingGains else { return nil }
    return Gains(deviceGains.vector * missingGains.vector).normalized(to: .smallest)
  }
}
