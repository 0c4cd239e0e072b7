public import CameraProfiles
public import WhiteBalance

/// Pictures that differ by one kind of setting, as AVFoundation's bracketed capture has them.
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
  /// Stops of light beside the present exposure.
  case exposureOffsets([Double])
  /// Exposure times and amplifications.
  case exposures([ExposureChoice])
  /// Gains of the white balance, for a camera whose laws are known.
  case gains([Gains], laws: ControlLaws)
  /// Places of the lens, 0 the nearest, 1 the farthest.
  case lensPositions([Double])
  /// So many pictures in a row.
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

/// An exposure of a bracket; who is left out stays as it is.
public struct ExposureChoice: Hashable, Sendable {
  /// The exposure time, in seconds.
  public var duration: Double?
  /// The amplification, beside the smallest.
  public var amplification: Double?

  /// An exposure.
  public init(duration: Double? = nil, amplification: Double? = nil) {
    self.duration = duration
    self.amplification = amplification
  }
}

/// A picture of a bracket.
public struct BracketPicture: Sendable {
  /// Its place in the bracket, from 0.
  public let index: Int
  /// The first frame that has the settings.
  public let info: FrameInfo
  /// What was set for it.
  public let values: [ControlValue]
  /// The light beside that before the bracket, in stops, by the laws; `nil` where it is not the
  /// exposure that differs.
  public let stops: Double?
  /// The same as the picture itself shows it; `nil` where too much of it is clipped or black.
  ///
  /// Of laws that are only promised (`Camera.exposureLaws` is `nil`) it is the proof.
  public let seenStops: Double?
  /// Whether the picture itself tells that it has the settings; where too much of it is clipped or
  /// black, frames were counted.
  public let isSeen: Bool
  /// Whether the camera steadied its pictures when the bracket began.
  public internal(set) var stabilization = Stabilization.unavailable
  /// Its bytes, in the layout of `info`.
  ///
  /// They are lent: while one is kept no other bracket can begin.
  public let buffer: PictureBuffer
}
