import Synchronization

/// An event that is sent to pages.
struct StudioEvent: Sendable {
  var name: String
  /// One JSON object, in a line.
  var data: String
  /// `true` if only the newest event of its name is needed.
  var isState = false
}

/// The events that a page has not received yet. Only the newest event of each state is kept, so
/// that a slow page does not fall behind.
final class EventQueue: Sendable {
  private struct State {
    var events: [StudioEvent] = []
    var waiting: CheckedContinuation<Void, Never>?
    var isClosed = false

    mutating func wake() -> CheckedContinuation<Void, Never>? {
      defer { waiting = nil }
      return waiting
    }
  }
  private let state = Mutex(State())
  private static let capacity = 1000

  func put(_ event: StudioEvent) {
    let waiting = state.withLock { state in
      if event.isState { state.events.removeAll { $0.isState && $0.name == event.name } }
      state.events.append(event)
      // The page has stopped reading.
      if state.events.count > Self.capacity { state.isClosed = true }
      return state.wake()
    }
    waiting?.resume()
  }

  /// Returns the next event; `nil` when the queue is closed or the task is cancelled.
  func next() async -> StudioEvent? {
    while true {
      if Task.isCancelled { return nil }
      let found = state.withLock { state -> StudioEvent?? in
        if state.isClosed { return .some(nil) }
        return state.events.isEmpty ? nil : .some(state.events.removeFirst())
      }
      if let found { return found }
      await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          let isReady = state.withLock { state in
            if !state.events.isEmpty || state.isClosed || Task.isCancelled { return true }
            state.waiting = continuation
            return false
          }
          if isReady { continuation.resume() }
        }
      } onCancel: {
        state.withLock { $0.wake() }?.resume()
      }
    }
  }

  func close() {
    let waiting = state.withLock { state in
      state.isClosed = true
      return state.wake()
    }
    waiting?.resume()
  }
}
