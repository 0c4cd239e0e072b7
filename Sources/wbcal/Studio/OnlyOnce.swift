import Synchronization

/// Tells the first who asks from all others.
final class OnlyOnce: Sendable {
  private let hasBeen = Mutex(false)

  func isNow() -> Bool {
    hasBeen.withLock { hasBeen in
      defer { hasBeen = true }
      return !hasBeen
    }
  }
}
