public import CameraProfiles
public import WhiteBalance

/// Pictures that differ in one kind of setting, like AVFoundation's bracketed capture.
///
/// ```swift
/// /// The shadows, the middle tones and the lights of a scene.
/// func exposures(of camera: Camera) async throws {
///   try await camera.capture(.exposureOffsets([-2, 0, 2])) { picture in
///     print(picture.index, picture.info.sequence, picture.stops ?? 0)
///   }
/// }
/// ```
public enum Bracket: Hashable, Sendable {
  /// Exposure offsets from the current exposure, in stops.
  case exposureOffsets([Double])
  /// Exposure times and gains.
  case exposures([ExposureChoice])
  /// White-balance gains, for a camera with known laws.
  case gains([Gains], laws: ControlLaws)
  /// Focus positions, from 0 (nearest) to 1 (farthest).
  case lensPositions([Double])
  /// A number of successive pictures.
  case burst(Int)

  /// The number of pictures.
  public var count: Int {
    switch self {
    case .exposureOffsets(let stops): stops.count
    case .exposures(let choices): choices.count
    case .gains(let gains, laws: _): gains.count
    case .lensPositions(let positions): positions.count
    case .burst(let count): count
    }
  }
}

/// An exposure of a bracket; `nil` keeps the current value.
public struct ExposureChoice: Hashable, Sendable {
  /// The exposure time, in seconds.
  public var duration: Double?
  /// The gain relative to the smallest.
  public var amplification: Double?

  /// Creates an exposure.
  public init(duration: Double? = nil, amplification: Double? = nil) {
    self.duration = duration
    self.amplification = amplification
  }
}

/// A picture of a bracket.
public struct BracketPicture: Sendable {
  /// The index of the picture in the bracket, counted from 0.
  public let index: Int
  /// The first frame that has the settings.
  public let info: FrameInfo
  /// The settings made for the picture.
  public let values: [ControlValue]
  /// The exposure relative to that before the bracket, in stops, by the laws; `nil` unless the
  /// bracket varies the exposure.
  public let stops: Double?
  /// The exposure relative to that before the bracket, in stops, as measured in the picture; `nil`
  /// if too much of it is clipped or black.
  ///
  /// It verifies laws that V4L2 defines but nobody measured (`Camera.exposureLaws` is `nil`).
  public let seenStops: Double?
  /// Indicates whether the picture itself shows its settings; if too much of it is clipped or
  /// black, frames were counted instead.
  public let isSeen: Bool
  /// The state of image stabilization when the bracket began.
  public internal(set) var stabilization = Stabilization.unavailable
  /// The picture's bytes, in the layout of `info`.
  ///
  /// The buffers are reused: while one is kept, no other bracket can begin.
  public let buffer: PictureBuffer
}
