import Synchronization

/// Returns `true` to the first caller only.
final class OnceFlag: Sendable {
  private let hasBeen = Mutex(false)

  func isNow() -> Bool {
    hasBeen.withLock { hasBeen in
      defer { hasBeen = true }
      return !hasBeen
    }
  }
}
