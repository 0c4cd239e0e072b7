import CameraControl
import CameraProfiles
import WhiteBalance

// Laws of the end of a port, the last ones of a report.

extension CameraLaw {
  static let endings: [CameraLaw] = [
    CameraLaw(
      "settings put back", "settings that were read can be set again, and read as before", .settings
    ) { session in
      let left = await session.before.restore(on: session.port, limit: session.camera.limits.call)
      return left.isEmpty
        ? .kept("\(session.before.values.count) controls")
        : .broken("not as before: \(text(left.map(\.description)))")
    },
    CameraLaw(
      "opens again", "a camera that was closed opens again, with the same identity and controls"
    ) { try await $0.opensAgain() },
    CameraLaw(
      "stalled", "if no frame comes, a call for one throws `stalled`, and the camera still answers",
      .port
    ) { try await $0.stallIsNamed() },
    CameraLaw(
      "stalled wait cancelled", "a call that waits for a frame ends soon after it was cancelled",
      .port
    ) { try await $0.stalledWaitIsCancelled() },
    CameraLaw(
      "vanished wait", "a call that waits for a frame throws `vanished` if the camera disconnects"
    ) { try await judged($0) { $0.wait } },
    CameraLaw(
      "vanished calls",
      "after that each call for a value, flags, a setting or a frame throws it too"
    ) { try await judged($0) { $0.calls } },
    CameraLaw(
      "vanished changes", "the sequence of changes ends when the camera disconnects"
    ) { try await judged($0) { $0.changes } },
    CameraLaw(
      "vanished cleanup", "calls that end a stream or a reservation return after the camera is gone"
    ) { try await judged($0) { $0.cleanup } },
    CameraLaw(
      "returned", "a camera that is connected again opens with the same identity and controls"
    ) { try await judged($0) { $0.returned } },
  ]

  private static func judged(
    _ session: isolated CameraSession, _ outcome: (VanishingEvidence) -> Outcome
  ) async throws -> Outcome {
    guard let unplug = session.camera.unplug else {
      return .notApplicable("the test has no function `unplug`")
    }
    return outcome(try await session.vanished(unplug))
  }
}

/// The outcomes of all laws of a camera that disconnects, from one disconnection.
struct VanishingEvidence: Sendable {
  var wait: CameraLaw.Outcome
  var calls: CameraLaw.Outcome
  var changes: CameraLaw.Outcome
  var cleanup: CameraLaw.Outcome
  var returned: CameraLaw.Outcome
}

extension CameraSession {
  fileprivate func opensAgain() async throws -> CameraLaw.Outcome {
    guard camera.close != nil else { return .notApplicable("the test has no function `close`") }
    do { try await reopen() } catch { return .broken("it could not be opened again: \(error)") }
    return try await sameCamera()
  }

  /// Compares the identity and the controls with those at the beginning.
  private func sameCamera() async throws -> CameraLaw.Outcome {
    let now = try await call("identity") { await $0.identity }.get()
    if now != identity { return .broken("the identity was \(identity), and is \(now)") }
    let controls = try await controls()
    return controls.map(\.id) == firstControls.map(\.id)
      ? .kept("\(controls.count) controls")
      : .broken(CameraLaw.difference(firstControls, controls))
  }

  /// Makes the frames stop; returns `false` if the test cannot.
  private func stopFrames() async throws -> Bool {
    guard let stop = camera.stopFrames else { return false }
    let port = port
    do { try await camera.run("stopFrames") { try await stop(port) } } catch {
      throw Unchecked("\(error)")
    }
    return true
  }

  /// Requests frames until a call fails.
  private func waiter() -> RunningCall<Void> {
    let port = port
    return RunningCall("withNextFrame") {
      while true { try await port.withNextFrame { _, _ in } }
    }
  }

  fileprivate func stallIsNamed() async throws -> CameraLaw.Outcome {
    guard try await stopFrames() else {
      return .notApplicable("the test has no function `stopFrames`")
    }
    let result = await finish(waiter(), within: camera.limits.frame)
    guard case .failure(let failure) = result, case .stalled = failure.error else {
      return .broken(text(result))
    }
    guard let control = before.values.first else { return .kept("\(failure)") }
    _ = try await value(of: control.id).get()
    return .kept("\(failure)")
  }

  fileprivate func stalledWaitIsCancelled() async throws -> CameraLaw.Outcome {
    guard try await stopFrames() else {
      return .notApplicable("the test has no function `stopFrames`")
    }
    let waiter = waiter()
    try? await Task.sleep(for: .milliseconds(100))
    waiter.cancel()
    let result = await finish(waiter, within: camera.limits.cancellation)
    switch result {
    case .failure(let failure):
      // The port's own limit may be shorter.
      if case .stalled = failure.error { return .kept("it stalled before it was cancelled") }
      return failure.error == .cancelled ? .kept("it threw `cancelled`") : .broken("\(failure)")
    case .success: return .broken(text(result))
    }
  }

  private func text<Value>(_ result: Result<Value, CallFailure>) -> String {
    switch result {
    case .success(let value): "it returned \(value)"
    case .failure(let failure): "\(failure)"
    }
  }

  /// Disconnects the camera once, and collects the outcomes for all laws about that.
  fileprivate func vanished(
    _ unplug: @escaping @Sendable (any CameraPort) async throws -> Void
  ) async throws -> VanishingEvidence {
    if let vanishing { return vanishing }
    guard case .success = await frame({ _, _ in }) else {
      throw Unchecked("the law “frames come” is broken")
    }
    await putBackForGood()
    let listener = try await listener()
    defer { listener.cancel() }
    let waiter = waiter()
    let port = port
    do { try await camera.run("unplug") { try await unplug(port) } } catch {
      throw Unchecked("\(error)")
    }
    let limit = camera.limits.vanishing
    let wait = vanishedFault(await finish(waiter, within: limit))
    let calls = await vanishedCalls()
    let hasEnded = await self.wait(for: limit) { listener.hasEnded }
    let cleanup = await vanishedCleanup()
    let evidence = VanishingEvidence(
      wait: wait.map { .broken($0) } ?? .kept("it threw `vanished`"),
      calls: calls,
      changes: hasEnded
        ? .kept("it ended") : .broken("the sequence did not end within \(limit)"),
      cleanup: cleanup, returned: await comesBack())
    vanishing = evidence
    return evidence
  }

  /// Describes a result other than the documented error of a camera that is gone; returns `nil` for
  /// that error.
  private func vanishedFault<Value>(_ result: Result<Value, CallFailure>) -> String? {
    if case .failure(let failure) = result, case .vanished = failure.error { return nil }
    return text(result)
  }

  private func vanishedCalls() async -> CameraLaw.Outcome {
    guard let first = before.values.first else {
      return .notApplicable("there is no control to read and set")
    }
    // In two rounds, because a port must not forget that its camera is gone.
    for _ in 0..<2 {
      let faults = [
        vanishedFault(await value(of: first.id)).map { "`value(of:)`: \($0)" },
        vanishedFault(await flags(of: first.id)).map { "`flags(of:)`: \($0)" },
        vanishedFault(await set([first])).map { "`set`: \($0)" },
        vanishedFault(await frame { info, _ in info.sequence }).map { "`withNextFrame`: \($0)" },
      ].compactMap { $0 }
      if !faults.isEmpty { return .broken(faults.joined(separator: "; ")) }
    }
    return .kept("values, flags, settings and frames, twice")
  }

  private func vanishedCleanup() async -> CameraLaw.Outcome {
    for result in [
      await call("stopStreaming", { await $0.stopStreaming() }),
      await call("endConfiguration", { await $0.endConfiguration() }),
    ] {
      if case .failure(let failure) = result { return .broken("\(failure)") }
    }
    return .kept("`stopStreaming` and `endConfiguration`")
  }

  private func comesBack() async -> CameraLaw.Outcome {
    guard let plugIn = camera.plugIn else {
      return .notApplicable("the test has no function `plugIn`")
    }
    do {
      try await camera.run("plugIn", plugIn)
      try await reopenAfterReturn()
      return try await sameCamera()
    } catch { return .broken("\(error)") }
  }
}
