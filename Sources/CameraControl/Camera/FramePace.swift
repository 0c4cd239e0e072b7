internal import WhiteBalance

/// Selects the frames that a sequence reads: the first, and then each that comes an interval after
/// the previous one. Missed frames are not replaced.
struct FramePace: Sendable {
  private let interval: Duration
  private var due: Duration?

  /// - Parameter perSecond: The number of frames read per second; `nil` for all.
  init(perSecond: Double?) { interval = perSecond.map { .seconds(1 / $0) } ?? .zero }

  /// Returns the result of `body` for the next frame to read.
  dynamic mutating func next<Reading: Sendable>(
    of camera: Camera,
    _ body: @escaping @Sendable (FrameLayout, Span<UInt8>) throws(FrameError) -> Reading
  ) async throws(CameraError) -> (FrameInfo, Reading) {
    let due = due
    while true {
      let found = try await camera.nextFrame(
        where: { info in due.map { info.timestamp >= $0 } ?? true }
      ) { _, layout, bytes throws(FrameError) in try body(layout, bytes) }
      guard let found else { continue }
      self.due = found.0.timestamp + interval - interval / 20
      return found
    }
  }
}
