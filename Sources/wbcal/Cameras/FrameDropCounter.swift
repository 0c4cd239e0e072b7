internal import WhiteBalance
import Synchronization

/// The numbers of a camera's frames, by outcome.
struct FrameCounts: JSONRecord, Equatable {
  /// The number of frames that were sent.
  var frames = 0
  /// The number of frames that the driver lost, according to the gaps in its sequence numbers.
  var lost = 0
  /// The number of frames that arrived damaged.
  var damaged = 0
  /// The number of frames that were not sent, because the output had no room or they were too late.
  var dropped = 0
}

/// Counts frames as they arrive, and finds those that are too late to be sent.
final class FrameDropCounter: Sendable {
  private struct State {
    var counts = FrameCounts()
    var missing = 0
    var last: Int?
    /// The least time between a frame's timestamp and its arrival: the camera's own delay.
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

  /// Counts a frame that has arrived. A frame that has waited in the driver for longer than
  /// `patience`, since the output was slow, is dropped, so that the picture does not fall behind.
  ///
  /// - Parameter patience: `nil` for a camera whose frames do not wait.
  /// - Returns: `true` if the frame is to be sent.
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

  /// Counts a frame that was to be sent: as sent, or as dropped because the output had no room.
  func finish(sent: Bool) {
    state.withLock { if sent { $0.counts.frames += 1 } else { $0.counts.dropped += 1 } }
  }

  /// Adds the number of damaged frames of a stream that has ended; sequence numbers then start
  /// again.
  func end(damaged: Int) {
    state.withLock { state in
      state.counts.damaged += damaged
      (state.last, state.leastDelay) = (nil, nil)
    }
  }
}
