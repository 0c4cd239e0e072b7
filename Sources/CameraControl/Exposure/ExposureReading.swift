public import CameraProfiles
public import WhiteBalance

/// The exposure of a picture.
public struct ExposureReading: Hashable, Sendable {
  /// The mean linear level of the metered region, with clipped channels as white.
  public let level: Double
  /// The fraction of its pixels that have a clipped channel.
  public let clipped: Double

  /// The exposure in stops above middle gray.
  public let offset: Double
  /// Indicates whether so much is clipped that the exposure may be larger than stated.
  public let isAtLeast: Bool

  init(_ light: PictureLight) {
    (level, clipped) = (light.level, light.clipped)
    (offset, isAtLeast) = (light.offset, light.isAtLeast)
  }
}

/// The current exposure time and gain.
public struct ExposureSetting: Hashable, Sendable {
  /// The controls' settings.
  public let values: [ControlValue]
  /// The exposure time, in seconds; `nil` if it cannot be set, or its unit is unknown.
  public let duration: Double?
  /// The gain relative to the smallest; `nil` if it cannot be set.
  public let amplification: Double?
  /// The first frame that shows the setting; `nil` if it could not be determined.
  public let firstFrame: FrameInfo?
  /// The number of frames until then.
  public let frames: Int
}

/// The result of an exposure compensation.
public struct ExposureCompensation: Hashable, Sendable {
  /// The exposure that was set, in stops above middle gray or, with the camera's own compensation,
  /// relative to the exposure that it would choose. If the picture is too dark or too bright to be
  /// metered, it is computed from middle gray by the laws of the controls.
  public let stops: Double
  /// The exposure of the picture now.
  public let reading: ExposureReading
  /// The controls' settings.
  public let values: [ControlValue]
  /// Indicates whether automatic exposure stays on, with the camera's own compensation.
  public let isByCamera: Bool
  /// The number of frames used.
  public let frames: Int
}
