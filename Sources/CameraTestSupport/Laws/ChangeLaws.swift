import CameraControl
import CameraProfiles
import Synchronization

// Laws of the changes of controls.

extension CameraLaw {
  static let changes: [CameraLaw] = [
    CameraLaw("changes", "a change that this program makes is reported", .settings) {
      try await $0.changesAreReported()
    },
    CameraLaw(
      "other listeners", "when one listener ends, others still get changes", .settings
    ) { try await $0.otherListenersStay() },
  ]
}

/// A task that collects the changes of a port.
final class ChangeListener: Sendable {
  private let seen = Mutex<(changes: [ControlValue], hasEnded: Bool)>(([], false))
  private let task = Mutex<Task<Void, Never>?>(nil)

  init(_ changes: AsyncStream<ControlValue>) {
    let running = Task {
      for await change in changes { self.seen.withLock { $0.changes.append(change) } }
      self.seen.withLock { $0.hasEnded = true }
    }
    task.withLock { $0 = running }
  }

  var changes: [ControlValue] { seen.withLock(\.changes) }
  var hasEnded: Bool { seen.withLock(\.hasEnded) }
  func cancel() { task.withLock { $0 }?.cancel() }
}

extension CameraSession {
  /// Starts to listen to the changes of controls.
  func listener() async throws -> ChangeListener {
    let listener = ChangeListener(try await call("changes") { await $0.changes() }.get())
    // A port may have to read the present values first.
    try? await Task.sleep(for: .milliseconds(300))
    return listener
  }

  /// Waits until something happens; returns `false` if it does not in time.
  func wait(for limit: Duration, until isDone: () -> Bool) async -> Bool {
    let end = ContinuousClock.now + limit
    while !isDone() {
      if ContinuousClock.now >= end { return false }
      try? await Task.sleep(for: .milliseconds(20))
    }
    return true
  }

  private func change() async throws -> ControlValue? {
    for control in try await settable() {
      guard let now = try? await value(of: control.id).get(),
        let other = Self.other(than: now, of: control)
      else { continue }
      let value = ControlValue(control.id, other)
      guard case .success = await set([value]) else { continue }
      try await set([ControlValue(control.id, now)]).get()
      return value
    }
    return nil
  }

  fileprivate func reportFault(
    _ listener: ChangeListener, _ value: ControlValue
  ) async throws -> String? {
    try await set([value]).get()
    let limit = camera.limits.change
    if await wait(for: limit, until: { listener.changes.contains(value) }) { return nil }
    return "within \(limit) after `set([\(value)])` it was not reported, only "
      + "\(listener.changes)" + (listener.hasEnded ? ", and the sequence ended" : "")
  }

  fileprivate func changesAreReported() async throws -> CameraLaw.Outcome {
    guard let value = try await change() else {
      return .notApplicable("there is no control whose value can be changed")
    }
    let listener = try await listener()
    defer { listener.cancel() }
    return try await reportFault(listener, value).map { .broken($0) } ?? .kept("\(value)")
  }

  fileprivate func otherListenersStay() async throws -> CameraLaw.Outcome {
    guard let value = try await change() else {
      return .notApplicable("there is no control whose value can be changed")
    }
    let (first, second) = (try await listener(), try await listener())
    defer { second.cancel() }
    first.cancel()
    guard await wait(for: camera.limits.change, until: { first.hasEnded }) else {
      return .broken("the sequence did not end within \(camera.limits.change) after its task did")
    }
    return try await reportFault(second, value).map { .broken($0) } ?? .kept("\(value)")
  }
}
