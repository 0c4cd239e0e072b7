/// The number, time and layout of a frame.
public struct FrameInfo: Hashable, Sendable, Codable {
  /// The number of the frame; the device's dropped frames are counted too.
  public var sequence: Int
  /// The capture time of the frame, by the device's clock.
  public var timestamp: Duration
  /// The geometry and meaning of the frame's bytes.
  public var layout: FrameLayout

  /// Creates the information about a frame.
  public init(sequence: Int, timestamp: Duration, layout: FrameLayout) {
    self.sequence = sequence
    self.timestamp = timestamp
    self.layout = layout
  }
}
