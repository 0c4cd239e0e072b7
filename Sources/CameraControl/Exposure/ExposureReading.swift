public import CameraProfiles
public import WhiteBalance

/// How a picture is exposed.
public struct ExposureReading: Hashable, Sendable {
  /// The mean linear light of the metered region, clipped channels being white.
  public let level: Double
  /// The share of its pixels that have a clipped channel.
  public let clipped: Double

  /// By how many stops the light is above middle gray.
  public let offset: Double
  /// Whether so much is clipped that there is more light than is seen.
  public let isAtLeast: Bool

  init(_ light: PictureLight) {
    (level, clipped) = (light.level, light.clipped)
    (offset, isAtLeast) = (light.offset, light.isAtLeast)
  }
}

/// Exposure time and gain, as they are set.
public struct ExposureSetting: Hashable, Sendable {
  /// What the controls are set to.
  public let values: [ControlValue]
  /// The exposure time, in seconds; `nil` where it cannot be set, or its unit is not known.
  public let duration: Double?
  /// The amplification, beside the smallest; `nil` where it cannot be set.
  public let amplification: Double?
  /// The first frame that shows it; `nil` where none tells.
  public let firstFrame: FrameInfo?
  /// The frames that went by meanwhile.
  public let frames: Int
}

/// What a compensation came to.
public struct ExposureCompensation: Hashable, Sendable {
  /// The light that was set, in stops: above middle gray, or, by the camera's own bias, beside what
  /// the camera takes for right. Where the picture is too dark or too bright to be metered it is
  /// counted from middle gray by the laws of the controls.
  public let stops: Double
  /// How the picture is exposed now.
  public let reading: ExposureReading
  /// What the controls are set to.
  public let values: [ControlValue]
  /// Whether the camera goes on choosing, by its own bias.
  public let isByCamera: Bool
  /// The frames that it took.
  public let frames: Int
}
