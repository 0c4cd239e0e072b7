/// A number of frames in a number of seconds, for instance 30000 in 1001.
public struct FrameRate: Hashable, Sendable {
  /// The number of frames, at least 1.
  public var frames: Int
  /// The number of seconds, at least 1.
  public var seconds: Int

  /// Creates a rate.
  public init(frames: Int, seconds: Int = 1) {
    self.frames = frames
    self.seconds = seconds
  }
}
