import CameraControl
import CameraProfiles
import WhiteBalance

/// The check of one camera: its port, its settings at the beginning, and evidence that several laws
/// share.
actor CameraSession {
  let camera: CameraUnderTest
  let identity: CameraIdentity
  private(set) var port: any CameraPort
  /// The controls at the beginning.
  let firstControls: [ControlDescription]
  /// The settings at the beginning.
  let before: SettingsRecord
  /// The reason that the port is not used any more.
  private var ending: String?
  /// The settings that were not put back before the camera was disconnected; `nil` while it is
  /// connected.
  private var unrestored: [ControlValue]?
  var frames: FrameEvidence?
  var vanishing: VanishingEvidence?

  init(_ camera: CameraUnderTest) async throws {
    precondition(camera.limits.frames >= 2, "`frames` must be at least 2")
    self.camera = camera
    let port = try await camera.run("open", camera.open)
    self.port = port
    let limit = camera.limits.call
    identity = try await RunningCall("identity") { await port.identity }.result(within: limit).get()
    firstControls = try await RunningCall("controls") { await port.controls }
      .result(within: limit).get()
    before = await SettingsRecord(of: port, limit: camera.limits.call)
  }

  // MARK: - Calls

  /// Calls the port, which is not used any more if the call does not return in time.
  func call<Value: Sendable>(
    _ name: String, within limit: Duration? = nil,
    _ body: @escaping @Sendable (any CameraPort) async throws -> Value
  ) async -> Result<Value, CallFailure> {
    let port = port
    return await finish(
      RunningCall(name) { try await body(port) },
      within: limit ?? camera.limits.call)
  }

  /// Waits for a call of the port.
  func finish<Value: Sendable>(
    _ call: RunningCall<Value>, within limit: Duration
  ) async -> Result<Value, CallFailure> {
    let result = await call.result(within: limit)
    if case .failure(let failure) = result, failure.isLate { ending = "\(failure)" }
    return result
  }

  func controls() async throws -> [ControlDescription] {
    try await call("controls") { await $0.controls }.get()
  }

  func value(of id: ControlID) async -> Result<Int, CallFailure> {
    await call("value(of: \(id))") { port async throws in try await port.value(of: id)
    }
  }

  func flags(of id: ControlID) async -> Result<ControlFlags, CallFailure> {
    await call("flags(of: \(id))") { port async throws in try await port.flags(of: id)
    }
  }

  func set(_ values: [ControlValue]) async -> Result<Void, CallFailure> {
    await call("set(\(values))") { port async throws in try await port.set(values) }
  }

  /// Waits for a frame.
  func frame<Value: Sendable>(
    _ body: @escaping @Sendable (FrameInfo, Span<UInt8>) -> Value
  ) async -> Result<Value, CallFailure> {
    await call("withNextFrame", within: camera.limits.frame) { port async throws in
      try await port.withNextFrame(body)
    }
  }

  // MARK: - Laws

  /// Checks a law, and restores the settings that it may have changed.
  func outcome(of law: CameraLaw) async -> CameraLaw.Outcome {
    if let outcome = await renewed() { return outcome }
    var outcome: CameraLaw.Outcome
    do { outcome = try await law.check(self) } catch {
      switch error {
      case let error as BrokenLaw: outcome = .broken(error.evidence)
      case let error as Unchecked: outcome = .notChecked(error.reason)
      case let error as CallFailure: outcome = .broken("\(error)")
      default: outcome = .notChecked("\(error)")
      }
    }
    switch law.effect {
    case .none: break
    case .settings:
      if ending == nil { _ = await before.restore(on: port, limit: camera.limits.call) }
    case .port:
      if case .notApplicable = outcome { break }
      ending = ending ?? "the law “\(law.name)” ended the use of the port"
    }
    return outcome
  }

  /// Opens the camera again if its port cannot be used any more; returns an outcome if that fails.
  private func renewed() async -> CameraLaw.Outcome? {
    guard let reason = ending, unrestored == nil else { return nil }
    do {
      try await reopen()
      return nil
    } catch {
      return .notChecked("\(reason), and the camera could not be opened again: \(error)")
    }
  }

  /// Closes the port and opens the camera again.
  func reopen() async throws {
    let port = port
    if let close = camera.close {
      _ = try await RunningCall("close") { await close(port) }.result(within: camera.limits.call)
        .get()
    }
    self.port = try await camera.open()
    ending = nil
    _ = await before.restore(on: self.port, limit: camera.limits.call)
  }

  /// Puts the settings back before the camera is disconnected.
  func putBackForGood() async {
    unrestored = await before.restore(on: port, limit: camera.limits.call)
  }

  /// Opens the camera again after it was disconnected.
  func reopenAfterReturn() async throws {
    try await reopen()
    unrestored = nil
  }

  /// Restores the settings, closes the port, and returns the settings that could not be restored.
  func end() async -> [ControlValue] {
    if let unrestored { return unrestored }
    if await renewed() != nil { return before.values }
    let unrestored = await before.restore(on: port, limit: camera.limits.call)
    let port = port
    try? await camera.run("close") { await self.camera.close?(port) }
    return unrestored
  }
}

extension CameraUnderTest {
  /// Runs a function of the test within its limit of time.
  func run<Value: Sendable>(
    _ name: String, _ body: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    try await RunningCall(name, body).result(within: limits.function).get()
  }
}
