#if GenICam
/// Sequence numbers that rise, from a camera's frame numbers.
///
/// GigE Vision's older numbers have 16 bits and omit 0, so 1 follows 65535; newer ones and those of
/// USB3 Vision have 64 bits.
struct FrameSequence {
  private var next: Int
  private var last: UInt64?

  private static let period: UInt64 = 65535

  /// Starts with the sequence number of the first frame.
  init(first: Int) { next = first }

  /// Returns the sequence number of the next whole frame; frames that were lost between the two are
  /// counted.
  mutating func number(of frame: UInt64) -> Int {
    defer { last = frame }
    let steps =
      switch last {
      case nil: UInt64(1)
      case let last? where frame > last: frame - last
      case let last? where frame < last && last <= Self.period: frame + Self.period - last
      // Numbers that repeat do not count frames: nothing shows that any was lost.
      default: UInt64(1)
      }
    next += Int(clamping: min(steps, 1 << 32))
    return next - 1
  }
}
#endif
