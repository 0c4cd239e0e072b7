internal import WhiteBalance

/// Hands the frames of one camera to everybody who watches, each frame to each of them.
///
/// A frame is taken from the camera when somebody waits for one. Where others watch too, its bytes
/// are copied for them; a watcher that falls behind by more frames than are kept misses the oldest.
/// Somebody who watches alone gets the frame where the driver has put it.
actor FrameFeed {
  /// Somebody who watches, until the last reference to it is gone.
  final class View: Sendable {}

  private struct Watcher {
    weak var view: View?
    /// The number of the last frame that it has seen.
    var seen: Int
  }

  private let port: any CameraPort
  private var watchers: [ObjectIdentifier: Watcher] = [:]
  private var kept: [(number: Int, info: FrameInfo, bytes: [UInt8])] = []
  /// The number of frames that were taken from the camera.
  private(set) var taken = 0
  private var isTaking = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  /// Frames that are kept for watchers that have not seen them yet.
  private static let capacity = 4

  init(_ port: any CameraPort) { self.port = port }

  /// A view of the frames from the next one on.
  func view() -> View {
    let view = View()
    watchers[ObjectIdentifier(view)] = Watcher(view: view, seen: taken)
    return view
  }

  /// The next frame that a view has not seen; `nil` if it is not wanted.
  ///
  /// - Throws: what the port throws; `CameraError.cancelled` where the task is cancelled while
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
    // What others may want is kept.
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
