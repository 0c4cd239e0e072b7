import CameraProfiles

/// The consumers of a camera's changes.
struct ChangeListeners {
  private var continuations: [Int: AsyncStream<ControlValue>.Continuation] = [:]
  private var next = 0
  /// `true` after the camera was disconnected.
  private var hasEnded = false

  /// Adds a consumer, and returns its changes; `onEnd` gets its key when it ends.
  mutating func add(
    onEnd: @escaping @Sendable (Int) -> Void
  ) -> AsyncStream<ControlValue> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: ControlValue.self, bufferingPolicy: .bufferingNewest(64))
    guard !hasEnded else {
      continuation.finish()
      return stream
    }
    let key = next
    next += 1
    continuations[key] = continuation
    continuation.onTermination = { _ in onEnd(key) }
    return stream
  }

  mutating func remove(_ key: Int) { continuations[key] = nil }

  /// Reports a change to all.
  func announce(_ value: ControlValue) {
    for continuation in continuations.values { continuation.yield(value) }
  }

  /// Ends the changes of all, and of all to come.
  mutating func end() {
    hasEnded = true
    for continuation in continuations.values { continuation.finish() }
    continuations = [:]
  }
}
