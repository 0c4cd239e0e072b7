/// How many frames come in how many seconds: 30000 in 1001 for instance.
public struct FrameRate: Hashable, Sendable {
  /// The frames, at least 1.
  public var frames: Int
  /// The seconds in which they come, at least 1.
  public var seconds: Int

  /// A rate.
  public init(frames: Int, seconds: Int = 1) {
    self.frames = frames
    self.seconds = seconds
  }
}
