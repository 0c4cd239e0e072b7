import CameraControl
import Synchronization

/// What became of a camera's frames.
struct FrameCounts: Encodable, Equatable {
  /// Those that were sent.
  var frames = 0
  /// Those that the driver lost, as the gaps in its numbers tell.
  var lost = 0
  /// Those that came damaged.
  var damaged = 0
  /// Those for which the output had no room.
  var dropped = 0
}

/// Counts frames as they come, and finds those that are too late to be sent.
final class FrameAccount: Sendable {
  private struct State {
    var counts = FrameCounts()
    var missing = 0
    var last: Int?
    /// The least time between a frame's own and when it came: what the camera takes.
    var leastDelay: Duration?
  }
  private let state = Mutex(State())
  private let start = SuspendingClock.now

  var counts: FrameCounts {
    state.withLock {
      var counts = $0.counts
      // A damaged frame is missing too.
      counts.lost = max(0, $0.missing - counts.damaged)
      return counts
    }
  }

  /// Counts a frame that has come. One that has waited for longer than `patience` in the driver,
  /// since the output took that long, is dropped, so that the picture does not fall behind.
  ///
  /// - Parameter patience: `nil` of a camera whose frames do not wait.
  /// - Returns: whether to send it.
  func take(_ frame: FrameInfo, patience: Duration?) -> Bool {
    let delay = SuspendingClock.now - start - frame.timestamp
    return state.withLock { state in
      if let last = state.last { state.missing += max(0, frame.sequence - last - 1) }
      state.last = frame.sequence
      let least = min(state.leastDelay ?? delay, delay)
      state.leastDelay = least
      guard let patience, delay - least > patience else { return true }
      state.counts.dropped += 1
      return false
    }
  }

  func finish(sent: Bool) {
    state.withLock { if sent { $0.counts.frames += 1 } else { $0.counts.dropped += 1 } }
  }

  /// Ends the numbers of a camera that has told of so many damaged frames.
  func end(damaged: Int) {
    state.withLock { state in
      state.counts.damaged += damaged
      (state.last, state.leastDelay) = (nil, nil)
    }
  }
}
