import CameraControl
import CameraProfiles
import SimulatedCamera
import SimulatedScenes
import Testing
import WhiteBalance

struct FocusTests {
  /// A camera with a lens over 0…250 that is sharp at 100.
  private func configuration(
    seed: UInt64 = 1, _ change: (inout SimulatedLens) -> Void = { _ in }
  ) throws -> SimulatedCamera.Configuration {
    var configuration = SimulatedCamera.Configuration(
      sensor: try #require(MeasuredSensor(named: "canon-eos-600d")),
      lamp: try #require(MeasuredLamp(named: "D65")), seed: seed, size: (160, 120))
    configuration.texture = .text(contrast: 0.6, dot: 1)
    var lens = SimulatedLens(best: 100)
    change(&lens)
    configuration.lens = lens
    return configuration
  }

  private func error(
    of camera: Camera, _ body: (Camera) async throws -> Void
  ) async throws -> CameraError? {
    do { try await body(camera) } catch { return try #require(error as? CameraError) }
    return nil
  }

  private func refusal(
    _ configuration: SimulatedCamera.Configuration, _ change: (inout Camera) -> Void = { _ in }
  ) async throws -> FocusRefusal? {
    let port = try SimulatedCamera(configuration)
    let before = try await port.value(of: .focusPosition)
    var camera = Camera(port, latency: 2)
    change(&camera)
    let error = try await error(of: camera) { _ = try await $0.sweepFocus() }
    #expect(try await port.value(of: .focusPosition) == before)
    guard case .notFocused(let refusal)? = error else {
      Issue.record("\(String(describing: error)) is not a refusal")
      return nil
    }
    return refusal
  }

  @Test func rangeAndStabilizationAreToldAndSet() async throws {
    var configuration = try configuration()
    let plain = Camera(try SimulatedCamera(configuration))
    #expect(await plain.canSetLensPosition)
    #expect(await plain.supportedFocusRanges.isEmpty)
    #expect(try await plain.focusRange == nil)
    #expect(try await plain.stabilization == .unavailable)
    for body in [
      { (camera: Camera) in try await camera.setFocusRange(.macro) },
      { (camera: Camera) in try await camera.setStabilization(isActive: true) },
    ] {
      guard case .noControl? = try await error(of: plain, body) else {
        Issue.record("there is no such control")
        continue
      }
    }
    configuration.otherControls = [
      ControlDescription(
        id: .autoFocusRange, minimum: 0, maximum: 2, defaultValue: 0,
        kind: .menu([
          ControlKind.Item(value: 0, name: "Auto"), ControlKind.Item(value: 2, name: "Macro"),
        ])),
      ControlDescription(
        id: .imageStabilization, minimum: 0, maximum: 1, defaultValue: 0, kind: .boolean),
    ]
    let camera = Camera(try SimulatedCamera(configuration))
    #expect(await camera.supportedFocusRanges == [.automatic, .macro])
    try await camera.setFocusRange(.macro)
    #expect(try await camera.focusRange == .macro)
    guard
      case .valueOutOfRange? = try await error(of: camera, { try await $0.setFocusRange(.normal) })
    else {
      Issue.record("it lacks that range")
      return
    }
    #expect(try await camera.focusRange == .macro)
    #expect(try await camera.stabilization == .off)
    try await camera.setStabilization(isActive: true)
    var states: [Stabilization] = []
    try await camera.capture(.burst(2)) { states.append($0.stabilization) }
    #expect(states == [.active, .active])
  }

  @Test func aSceneWithoutTextureIsRefused() async throws {
    for seed in 1...2 {
      for iso in [100.0, 800, 3200] {
        var configuration = try configuration(seed: UInt64(seed)) { $0.backlash = 10 }
        configuration.texture = .none
        configuration.iso = iso
        switch try await refusal(configuration) {
        case .noTexture, .unchanged, .notFinest, .bestAtEnd, .uncertain: break
        case let other: Issue.record("\(String(describing: other)), seed \(seed), ISO \(iso)")
        }
      }
    }
  }

  @Test func aClippedSceneIsRefused() async throws {
    var configuration = try configuration()
    configuration.faults.exposure = 1e3
    #expect(try await refusal(configuration) == .noLight)
  }

  @Test(arguments: [-25.0, -5, 255, 275], [0.0, 15])
  func theEndBeforeTheBestPlaceIsNamed(best: Double, backlash: Double) async throws {
    for isNearAtMaximum in [true, false] {
      let configuration = try configuration {
        $0.best = best
        $0.backlash = backlash
      }
      let refusal = try await refusal(configuration) { $0.isNearAtMaximum = isNearAtMaximum }
      #expect(refusal == .bestAtEnd(position: (best > 125) == isNearAtMaximum ? 0 : 1))
    }
  }

  @Test func aLensThatStaysIsTold() async throws {
    guard case .unchanged(let ratio)? = try await refusal(configuration { $0.isStuck = true })
    else {
      Issue.record("not told")
      return
    }
    #expect(abs(ratio - 1) < 0.2)
  }

  /// No position is reported that the lens does not stay at, whatever the frame from which the
  /// camera's autofocus is on again.
  @Test(arguments: [1, 40, 200, 400, 500, 560, 600])
  func anAutomaticThatReturnsIsNoBestPlace(after: Int) async throws {
    let port = try SimulatedCamera(
      configuration {
        $0.automatic = .continuous
        $0.returnsAfter = after
        $0.best = 137
      })
    let error = try await error(of: Camera(port, latency: 2)) { camera in
      let sweep = try await camera.sweepFocus()
      #expect(abs(await port.lensPlace - 137) <= 5, "\(sweep.value)")
      #expect(abs(sweep.value - 137) <= 5)
    }
    guard let error else { return }
    guard case .notFocused = error else {
      Issue.record("\(error)")
      return
    }
  }

  @Test(arguments: [0, 3, 50, 200, 400, 520])
  func aCameraThatVanishesClaimsNothing(frame: Int) async throws {
    var configuration = try configuration()
    configuration.faults.vanishesAtFrame = frame
    let port = try SimulatedCamera(configuration)
    let error = try await error(of: Camera(port, latency: 2)) { _ = try await $0.sweepFocus() }
    #expect(error == .vanished(camera: "simulated canon-eos-600d"))
  }

  @Test func aRefusedPlaceIsAnErrorAndPutBack() async throws {
    var configuration = try configuration()
    configuration.settings = [ControlValue(.focusPosition, 61)]
    configuration.faults.refusals = [.focusPosition: [.busy]]
    let port = try SimulatedCamera(configuration)
    let error = try await error(of: Camera(port)) { _ = try await $0.sweepFocus() }
    guard case .notSet(_, .busy, written: _)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(try await port.value(of: .focusPosition) == 61)
  }

  @Test func modesAreThoseOfTheControls() async throws {
    func modes(_ automatic: SimulatedLens.Automatic) async throws -> [FocusMode] {
      let port = try SimulatedCamera(configuration { $0.automatic = automatic })
      return await Camera(port).supportedFocusModes
    }
    #expect(try await modes(.none) == [.locked])
    #expect(try await modes(.continuous) == FocusMode.allCases)
    #expect(try await modes(.continuousAndOnce) == FocusMode.allCases)
    let name = "simulated canon-eos-600d"
    let manual = Camera(try SimulatedCamera(configuration()))
    await #expect(
      throws: CameraError.noFocusMode(.continuousAutomatic, camera: name, modes: [.locked])
    ) { try await manual.setFocusMode(.continuousAutomatic) }
    var fixed = try configuration()
    fixed.lens = nil
    let camera = Camera(try SimulatedCamera(fixed))
    await #expect(throws: CameraError.noFocus(camera: name)) {
      try await camera.setFocusMode(.locked)
    }
    await #expect(throws: CameraError.noControl(.focusPosition, camera: name)) {
      try await camera.sweepFocus()
    }
  }

  @Test(arguments: [SimulatedLens.Automatic.continuous, .continuousAndOnce])
  func focusingOnceEndsAtTheBestPlace(_ automatic: SimulatedLens.Automatic) async throws {
    let port = try SimulatedCamera(
      configuration {
        $0.automatic = automatic
        $0.best = 190
        $0.speed = 4
      })
    let camera = Camera(port)
    try await camera.setFocusMode(.automatic)
    #expect(abs(await port.lensPlace - 190) <= 2)
    #expect(try await camera.focusMode == .locked)
    try await camera.setFocusMode(.continuousAutomatic)
    #expect(try await camera.focusMode == .continuousAutomatic)
    try await camera.setFocusMode(.locked)
    #expect(try await camera.focusMode == .locked)
  }

  /// A lens that falls back to its manual position is returned to the position that the camera
  /// found.
  @Test(arguments: [FocusMode.locked, .automatic], [20, 125, 240])
  func lockedKeepsTheFocus(mode: FocusMode, byHand: Int) async throws {
    var configuration = try configuration {
      $0.automatic = .continuous
      $0.best = 190
      $0.speed = 8
      $0.fallsBack = true
    }
    configuration.settings = [ControlValue(.focusPosition, byHand)]
    let port = try SimulatedCamera(configuration)
    let camera = Camera(port)
    try await camera.setFocusMode(.continuousAutomatic)
    _ = try await camera.focusMeasure(frames: 60)
    try await camera.setFocusMode(mode)
    #expect(try await camera.focusMode == .locked)
    #expect(abs(await port.lensPlace - 190) <= 6)
  }

  @Test func focusingThatFailsOrDoesNotEndIsTold() async throws {
    var blank = try configuration { $0.automatic = .continuousAndOnce }
    blank.texture = .none
    let failing = Camera(try SimulatedCamera(blank))
    await #expect(throws: CameraError.notFocused(.cameraFailed)) {
      try await failing.setFocusMode(.automatic)
    }
    let deaf = Camera(
      try SimulatedCamera(
        configuration {
          $0.automatic = .continuousAndOnce
          $0.ignoresAutomatic = true
        }))
    await #expect(throws: CameraError.notFocused(.notEnded(frames: 404))) {
      try await deaf.setFocusMode(.automatic)
    }
  }

  @Test func placesAreSharesFromTheNearest() async throws {
    let port = try SimulatedCamera(configuration { $0.automatic = .continuous })
    var camera = Camera(port)
    try await camera.setFocusMode(.continuousAutomatic)
    let near = try await camera.setLensPosition(0)
    #expect(near.value == 250 && near.position == 0 && near.wasSeen)
    #expect(try await camera.focusMode == .locked)
    #expect(await port.lensPlace == 250)
    camera.isNearAtMaximum = false
    #expect(try await camera.setLensPosition(0.2).value == 50)
    #expect(try await camera.lensPosition == 0.2)
  }

  @Test func whatIsNotSeenIsTold() async throws {
    let stuck = Camera(try SimulatedCamera(configuration { $0.isStuck = true }))
    #expect(try await stuck.setLensPosition(1).wasSeen == false)
    // No edge outside the region reaches into it.
    var blank = try configuration {
      $0.speed = 5
      $0.blur = 1
    }
    blank.texture = .none
    let port = try SimulatedCamera(blank)
    #expect(try await Camera(port).setLensPosition(1).wasSeen == false)
    // The lens had enough time to move.
    #expect(await port.lensPlace == 0)
    // Equally sharp at both ends, but not between them.
    var even = try configuration { $0.speed = 5 }
    even.settings = [ControlValue(.focusPosition, 60)]
    let camera = Camera(try SimulatedCamera(even))
    #expect(try await camera.setLensPosition(1 - 140.0 / 250).wasSeen)
  }

  @Test func aPullTakesItsTimeInEvenSteps() async throws {
    var configuration = try configuration()
    configuration.settings = [ControlValue(.focusPosition, 200)]
    let port = try SimulatedCamera(configuration)
    let changes = await port.changes()
    // 60 frames at 30 per second.
    try await Camera(port).setLensPosition(0.8, over: .seconds(2))
    var values: [Int] = []
    for await change in changes where change.id == .focusPosition {
      values.append(change.value)
      if change.value == 50 { break }
    }
    #expect((59...61).contains(values.count))
    let steps = zip(values, values.dropFirst()).map { $0 - $1 }
    #expect(steps.allSatisfy { (2...3).contains($0) }, "\(steps)")
  }
}
