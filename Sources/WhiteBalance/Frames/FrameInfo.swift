/// Which frame this is, and how its bytes lie.
public struct FrameInfo: Hashable, Sendable {
  /// Counts the frames of the device, also those that were dropped.
  public var sequence: Int
  /// When the frame was taken, on the device's clock.
  public var timestamp: Duration
  /// Geometry and meaning of the bytes.
  public var layout: FrameLayout

  /// A frame's number, time and layout.
  public init(sequence: Int, timestamp: Duration, layout: FrameLayout) {
    self.sequence = sequence
    self.timestamp = timestamp
    self.layout = layout
  }
}
