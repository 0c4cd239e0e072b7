import Synchronization

/// Lets a limited number of tasks work at a time, in the order of their arrival.
final class Turns: Sendable {
  private struct State {
    var free: Int
    var waiting: [CheckedContinuation<Void, Never>] = []
  }
  private let state: Mutex<State>

  init(count: Int) { state = Mutex(State(free: count)) }

  /// Waits for the task's turn, which lasts until it leaves.
  func take() async {
    await withCheckedContinuation { task in
      let isNow = state.withLock { state in
        if state.free == 0 {
          state.waiting.append(task)
          return false
        }
        state.free -= 1
        return true
      }
      if isNow { task.resume() }
    }
  }

  func leave() {
    let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
      if state.waiting.isEmpty {
        state.free += 1
        return nil
      }
      return state.waiting.removeFirst()
    }
    next?.resume()
  }
}
