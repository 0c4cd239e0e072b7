import Dispatch
import Synchronization
import WbcalFoundation

/// Reports SIGINT, SIGQUIT, SIGTERM and SIGHUP instead of terminating, except those that are
/// ignored already. A closed pipe does not terminate the program either.
final class Interrupts: @unchecked Sendable {
  private let state = Mutex<(received: Int32?, action: (@Sendable () -> Void)?)>((nil, nil))
  private let before = SignalActions(ignoring: [SIGPIPE, SIGINT, SIGQUIT, SIGTERM, SIGHUP])
  private let registrations = DispatchGroup()
  /// Set once, by the initializer.
  private var sources: [any DispatchSourceSignal] = []

  private static let count = Mutex(0)

  /// Whether signals are being reported, so that nothing needs to ignore them.
  static var areReported: Bool { count.withLock { $0 > 0 } }

  init() {
    Self.count.withLock { $0 += 1 }
    sources = before.acting.filter { $0 != SIGPIPE }.map { number in
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler {
        let action = self.state.withLock { state in
          state.received = number
          return state.action
        }
        action?()
      }
      registrations.enter()
      source.setRegistrationHandler { self.registrations.leave() }
      source.resume()
      return source
    }
  }

  /// Returns when no signal can be lost any more. It blocks no thread: with one processor it would
  /// be the one that registers.
  func areRegistered() async {
    await withCheckedContinuation { done in
      registrations.notify(queue: .global()) { done.resume() }
    }
  }

  /// Calls `action` at every signal, and at once if one has come already.
  func act(_ action: @escaping @Sendable () -> Void) {
    let received = state.withLock { state in
      state.action = action
      return state.received
    }
    if received != nil { action() }
  }

  /// Lets signals do as before, and says which came.
  func end() -> Int32? {
    for source in sources { source.cancel() }
    before.restore()
    Self.count.withLock { $0 -= 1 }
    return state.withLock { $0.received }
  }
}
