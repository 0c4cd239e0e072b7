import Dispatch
import Synchronization
import WbcalFoundation

/// Detects that the process continues after it was stopped, when a shell has written below the
/// drawing.
final class Resumption: @unchecked Sendable {
  private let came = Mutex(false)
  private let source = DispatchSource.makeSignalSource(signal: SIGCONT, queue: .global())

  init() {
    source.setEventHandler { [weak self] in self?.came.withLock { $0 = true } }
    source.resume()
  }

  deinit { source.cancel() }

  /// Returns `true` if the process has continued since the last call.
  func hasCome() -> Bool {
    came.withLock { came in
      defer { came = false }
      return came
    }
  }
}
