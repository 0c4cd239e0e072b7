import CameraControl
import CameraProfiles
import SimulatedCamera
import WhiteBalance

/// A port in front of a simulated camera that delivers its frames in real time, and breaks a law on
/// purpose; without a sabotage it keeps all.
actor SabotagedPort: CameraPort {
  let bench: Bench
  let camera: SimulatedCamera
  let number: Int
  let sabotage: Sabotage?
  private let returns: Int
  private let isReopened: Bool
  private var reads = 0
  private var settings = 0
  private var wasOn = false
  private var firstValues: [ControlID: Int] = [:]
  private var listeners: [Int: AsyncStream<ControlValue>.Continuation] = [:]
  var frames = FrameState()

  /// The state of the stream of frames.
  struct FrameState {
    var delivered = 0
    var base = 0
    var last: (number: Int, at: ContinuousClock.Instant)?
    var shared: Task<CameraFrame, any Error>?
    var damaged = 0
    var hasFailed = false
  }

  init(_ bench: Bench, _ camera: SimulatedCamera, number: Int, returns: Int, closings: Int) {
    (self.bench, self.camera, self.number, self.returns) = (bench, camera, number, returns)
    sabotage = bench.sabotage
    isReopened = closings > 0
  }

  func close() async {
    endListeners()
    await bench.noteClosing(number)
  }

  // MARK: - Description

  var identity: CameraIdentity {
    var identity = camera.identity
    if sabotage == .hasNoDriver { identity.driver = "" }
    if sabotage == .renamesItself, isReopened { identity.id += "-again" }
    return identity
  }

  var controls: [ControlDescription] {
    reads += 1
    let all = camera.controls.map(described)
    return switch sabotage {
    case .repeatsControl: all + [all[all.count - 1]]
    case .losesControl where returns > 0: all.dropLast()
    default: all
    }
  }

  private func described(_ control: ControlDescription) -> ControlDescription {
    var (value, kind, unit) = (control.defaultValue, control.kind, control.secondsPerUnit)
    var automatic = control.automatic
    switch (sabotage, control.id) {
    case (.movesDefault, .brightness): value = 10 * (reads % 2)
    case (.hasOddDefault, .brightness): value = 55
    case (.hasWideBoolean, .brightness): kind = .boolean
    case (.repeatsItem, .powerLineFrequency): kind = .menu(control.items + [control.items[0]])
    case (.hasOneModeValue, .imageStabilization): automatic = .init(off: 0, on: 0)
    case (.hasNegativeUnit, .exposureTime): unit = -1e-4
    case (.changesUnit, .exposureTime) where settings > 0: unit = 1e-3
    default: return control
    }
    return ControlDescription(
      id: control.id, minimum: control.minimum, maximum: control.maximum, step: control.step,
      defaultValue: value, kind: kind, automatic: automatic, secondsPerUnit: unit)
  }

  func flags(of control: ControlID) async throws(CameraError) -> ControlFlags {
    switch control {
    case .autoFocusOnce: [.writeOnly]
    case Bench.sensorVersion: [.readOnly]
    default: try await camera.flags(of: control)
    }
  }

  // MARK: - Values

  func value(of control: ControlID) async throws(CameraError) -> Int {
    reads += 1
    if sabotage == .readsUnknown, description(of: control) == nil { return 0 }
    if sabotage == .failsToRead, control == .autoFocusStatus {
      throw .notReadable(control, .timedOut)
    }
    if control == .autoFocusOnce, sabotage != .readsButton {
      throw .notReadable(control, .notAllowed)
    }
    if sabotage == .remembersValues, let value = firstValues[control] {
      do { _ = try await camera.value(of: control) } catch { return value }
    }
    let value = try await camera.value(of: control)
    if firstValues[control] == nil { firstValues[control] = value }
    if control == Bench.sensorVersion {
      if sabotage == .readsOutside { return 0 }
      if sabotage == .readsUnsteadily { return 3 + reads % 2 }
    }
    return value
  }

  func set(_ values: [ControlValue]) async throws(CameraError) {
    if sabotage == .refusesHolder, await bench.isReserved(by: number) {
      throw .busy(camera: identity.name)
    }
    for value in values where value.id == Bench.sensorVersion {
      if sabotage == .acceptsReadOnly { return }
      throw .notSet(value, .notAllowed, written: [])
    }
    let first = ControlValue(.brightness, 50)
    if sabotage == .refusesFirstValue, values.contains(first) {
      throw .notSet(first, .outOfRange, written: [])
    }
    let tampered = try await tampered(values)
    settings += 1
    do { for list in tampered { try await camera.set(list) } } catch {
      if sabotage == .hidesWritten, case .notSet(let value, let refusal, written: _) = error {
        throw .notSet(value, refusal, written: [])
      }
      throw error
    }
  }

  /// The lists that are set instead of a list.
  private func tampered(_ values: [ControlValue]) async throws(CameraError) -> [[ControlValue]] {
    if values.count == 1, let control = description(of: values[0].id) {
      return [try await tampered(values[0], of: control)]
    }
    let known = values.filter { description(of: $0.id) != nil }
    let valid = known.filter { description(of: $0.id)?.isValid($0.value) == true }
    switch sabotage {
    case .resetsForNothing where values.isEmpty: return [[ControlValue(.brightness, 0)]]
    case .setsLastOnly where values.map(\.id) == [.redBalance, .blueBalance]: return [[values[1]]]
    case .setsUpToBad where valid.count < known.count: return [valid, values]
    case .setsUpToUnknown where known.count < values.count: return [known, values]
    case .turnsOffInOrder where turns(values, { $0.off }),
      .turnsOnInOrder where turns(values, { $0.on }):
      return values.map { [$0] }
    default: return [values]
    }
  }

  private func turns(
    _ values: [ControlValue], _ target: (ControlDescription.Automatic) -> Int?
  ) -> Bool {
    values.contains { value in
      description(of: value.id)?.automatic.flatMap(target) == value.value
    }
  }

  private func tampered(
    _ value: ControlValue, of control: ControlDescription
  ) async throws(CameraError) -> [ControlValue] {
    func other(_ number: Int) -> [ControlValue] { [ControlValue(value.id, number)] }
    switch (sabotage, value.id) {
    case (.clampsBelow, _) where value.value < control.minimum: return other(control.minimum)
    case (.clampsAbove, _) where value.value > control.largest: return other(control.largest)
    case (.rounds, .brightness): return other(value.value / 10 * 10)
    case (.choosesItem, .powerLineFrequency) where value.value == 2: return other(1)
    case (.losesMaximum, .brightness) where value.value == 100: return other(90)
    case (.resetsOther, .brightness) where try await camera.value(of: .brightness) == value.value:
      return [value, ControlValue(.imageStabilization, 1)]
    case (.staysOff, .autoFocus) where value.value == 1: return []
    case (.staysLocked, .autoFocus):
      wasOn = wasOn || value.value == 1
      return [value]
    case (.staysLocked, .focusPosition) where wasOn && value.value != control.defaultValue:
      throw .notSet(value, .automatic, written: [])
    default: return [value]
    }
  }

  // MARK: - Reservation and changes

  func beginConfiguration() async throws(CameraError) {
    if await !bench.reserve(number) { throw .busy(camera: identity.name) }
  }

  func endConfiguration() async { await bench.release(number) }

  func stopStreaming() async {
    if sabotage == .restartsNumbers { frames.base = (frames.last?.number ?? 0) + 1 }
    if sabotage == .hangsAtCleanup, (try? await camera.value(of: .brightness)) == nil {
      try? await Task.sleep(for: .seconds(60))
    }
  }

  func changes() -> AsyncStream<ControlValue> {
    let (stream, continuation) = AsyncStream.makeStream(of: ControlValue.self)
    let (camera, sabotage, key) = (camera, sabotage, listeners.count)
    let task = Task {
      for await change in await camera.changes() where sabotage != .reportsNothing {
        continuation.yield(change)
      }
      if sabotage != .reportsForever { continuation.finish() }
    }
    listeners[key] = continuation
    continuation.onTermination = { _ in
      task.cancel()
      if sabotage == .endsAllListeners { Task { await self.endListeners() } }
    }
    return stream
  }

  private func endListeners() {
    for listener in listeners.values { listener.finish() }
  }
}
