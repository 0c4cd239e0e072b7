import Dispatch
import Synchronization
import WbcalFoundation

/// Reports SIGINT, SIGQUIT, SIGTERM and SIGHUP instead of terminating, except those that are
/// ignored already. A closed pipe does not terminate the program either.
final class Interrupts: @unchecked Sendable {
  private let state = Mutex<(received: Int32?, action: (@Sendable () -> Void)?)>((nil, nil))
  private let before = SignalActions(of: [SIGINT, SIGQUIT, SIGTERM, SIGHUP])
  private let pipe = SignalActions(ignoring: [SIGPIPE])
  /// Set once, by `register`.
  private var sources: [any DispatchSourceSignal] = []

  private static let count = Mutex(0)

  /// `true` while signals are reported, so that nothing needs to ignore them.
  static var areReported: Bool { count.withLock { $0 > 0 } }

  private init() {}

  /// Starts to report signals. Until it returns, they terminate the program, so that none is lost.
  static func begin() async -> Interrupts {
    let interrupts = Interrupts()
    await interrupts.register()
    return interrupts
  }

  private func register() async {
    let registrations = DispatchGroup()
    sources = before.notIgnored.map { number in
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler {
        let action = self.state.withLock { state in
          state.received = number
          return state.action
        }
        action?()
      }
      registrations.enter()
      source.setRegistrationHandler { registrations.leave() }
      source.resume()
      return source
    }
    // No thread is blocked, since with one processor it would be the one that registers the
    // handlers.
    await withCheckedContinuation { done in
      registrations.notify(queue: .global()) { done.resume() }
    }
    Self.count.withLock { $0 += 1 }
  }

  /// Calls `action` at every signal, and at once if one has come already.
  func act(_ action: @escaping @Sendable () -> Void) {
    let received = state.withLock { state in
      state.action = action
      return state.received
    }
    if received != nil { action() }
  }

  /// Restores the former actions of the signals, and returns the last signal that came.
  func end() -> Int32? {
    for source in sources { source.cancel() }
    before.restore()
    pipe.restore()
    Self.count.withLock { $0 -= 1 }
    return state.withLock { $0.received }
  }
}
