internal import WhiteBalance

/// Distributes the frames of one camera: every watcher gets every frame.
///
/// A frame is taken from the camera when someone waits for one. If others watch too, its bytes are
/// copied for them; a watcher that falls behind by more frames than are kept misses the oldest. A
/// single watcher gets the frame in the driver's buffer.
actor FrameFeed {
  /// The identity of a watcher, until the last reference to it is released.
  final class View: Sendable {}

  private struct Watcher {
    weak var view: View?
    /// The number of the last frame that the watcher got.
    var seen: Int
  }

  private let port: any CameraPort
  private var watchers: [ObjectIdentifier: Watcher] = [:]
  private var kept: [(number: Int, info: FrameInfo, bytes: [UInt8])] = []
  /// The number of frames taken from the camera.
  private(set) var taken = 0
  private var isTaking = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  /// The number of frames kept for watchers that have not read them yet.
  private static let capacity = 4

  init(_ port: any CameraPort) { self.port = port }

  /// Returns a view of the frames from the next one on.
  func view() -> View {
    let view = View()
    watchers[ObjectIdentifier(view)] = Watcher(view: view, seen: taken)
    return view
  }

  /// Returns the result of `body` for the next frame that a view has not seen; `nil` if it is not
  /// wanted.
  ///
  /// - Throws: The errors of the port; `CameraError.cancelled` if the task is cancelled while
  ///   another one takes a frame.
  dynamic func next<Result: Sendable>(
    in view: View, where isWanted: @Sendable (FrameInfo) -> Bool,
    _ body: @Sendable (FrameInfo, Span<UInt8>) -> Result
  ) async throws(CameraError) -> Result? {
    let id = ObjectIdentifier(view)
    while true {
      let seen = watchers[id]?.seen ?? taken
      if let frame = kept.first(where: { $0.number > seen }) {
        watchers[id]?.seen = frame.number
        dropSeenFrames()
        return isWanted(frame.info) ? body(frame.info, frame.bytes.span) : nil
      }
      guard isTaking else { break }
      await withCheckedContinuation { waiting.append($0) }
      if Task.isCancelled { throw .cancelled }
    }
    isTaking = true
    defer {
      isTaking = false
      let resumed = waiting
      waiting = []
      for continuation in resumed { continuation.resume() }
    }
    watchers = watchers.filter { $1.view != nil }
    let isShared = watchers.count > 1
    // Frames that others may want are kept.
    let found = try await port.withNextFrame(where: { isShared || isWanted($0) }) { info, bytes in
      (
        info, isWanted(info) ? body(info, bytes) : nil,
        isShared ? unsafe bytes.withUnsafeBufferPointer { unsafe Array($0) } : nil
      )
    }
    taken += 1
    watchers[id]?.seen = taken
    if let (info, _, bytes) = found, let bytes { kept.append((taken, info, bytes)) }
    if kept.count > Self.capacity { kept.removeFirst() }
    dropSeenFrames()
    return found?.1
  }

  private func dropSeenFrames() {
    let oldest = watchers.values.filter { $0.view != nil }.map(\.seen).min() ?? taken
    kept.removeAll { $0.number <= oldest }
  }
}
