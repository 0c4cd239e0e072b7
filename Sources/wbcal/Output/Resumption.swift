import Dispatch
import Synchronization
import WbcalFoundation

/// Notices that the process goes on after it was stopped, when a shell has written below what was
/// drawn.
final class Resumption: @unchecked Sendable {
  private let came = Mutex(false)
  private let source = DispatchSource.makeSignalSource(signal: SIGCONT, queue: .global())

  init() {
    source.setEventHandler { [weak self] in self?.came.withLock { $0 = true } }
    source.resume()
  }

  deinit { source.cancel() }

  /// Whether it has since it was asked last.
  func hasCome() -> Bool {
    came.withLock { came in
      defer { came = false }
      return came
    }
  }
}
