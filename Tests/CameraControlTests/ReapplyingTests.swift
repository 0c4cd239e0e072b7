import CameraControl
import CameraProfiles
import ColorScience
import SimulatedCamera
import SimulatedScenes
import Testing
import WhiteBalance

/// Cameras that lose their settings, with or without their driver's knowledge.
struct ReapplyingTests {
  private func port(
    _ balance: SimulatedBalance = .balances, hasExposure: Bool = false,
    faults: SimulatedCamera.Faults = .init()
  ) throws -> SimulatedCamera {
    var configuration = SimulatedCamera.Configuration(
      sensor: try #require(MeasuredSensor(named: "canon-eos-600d")),
      lamp: try #require(MeasuredLamp(named: "A")), seed: 3, size: (48, 32))
    configuration.balance = balance
    configuration.exposure = hasExposure ? SimulatedExposure() : nil
    configuration.faults = faults
    return try SimulatedCamera(configuration)
  }

  /// The color of the camera's picture: red and blue relative to green.
  private func color(_ camera: Camera) async throws -> SIMD2<Double> {
    _ = try await camera.estimate(frames: 4)
    let response = try await camera.estimate(frames: 4).response
    return SIMD2(response.red / response.green, response.blue / response.green)
  }

  private func isSame(_ one: SIMD2<Double>, _ other: SIMD2<Double>) -> Bool {
    let change = one / other
    return abs(change.x - 1) < 0.01 && abs(change.y - 1) < 0.01
  }

  /// The driver reports the value that it sent before, and drops an equal one: only a neighboring
  /// value is transmitted to the camera.
  @Test(arguments: [
    (SimulatedBalance.balances, [ControlValue(.redBalance, 200), ControlValue(.blueBalance, 700)]),
    (.additive, [ControlValue(.redBalance, -20), ControlValue(.blueBalance, 300)]),
    (.temperature, [ControlValue(.whiteBalanceTemperature, 2000)]),
    (.presets, [ControlValue(.whiteBalancePreset, 6)]),
    (
      .guarded,
      [
        ControlValue(.whiteBalancePreset, 0), ControlValue(.redBalance, 1800),
        ControlValue(.blueBalance, 1300),
      ]
    ),
  ])
  func aLossThatTheDriverDoesNotNotice(
    balance: SimulatedBalance, wanted: [ControlValue]
  ) async throws {
    var faults = SimulatedCamera.Faults()
    faults.dropsUnchanged = true
    faults.forgetsAtFrame = 20
    faults.refusesWhileAutomatic = true
    let camera = Camera(try port(balance, faults: faults))
    let isMenu = wanted[0].id == .whiteBalancePreset
    let settings = (isMenu ? [] : [ControlValue(.autoWhiteBalance, 0)]) + wanted
    for setting in settings { try await camera.port.set([setting]) }
    let before = try await color(camera)
    _ = try await camera.estimate(frames: 12)
    #expect(try await !isSame(color(camera), before))
    #expect(try await Set(camera.settings()).isSuperset(of: settings))

    try await camera.port.set(settings)
    try await camera.restore(settings)
    #expect(try await !isSame(color(camera), before))
    try await camera.reapply(settings)
    #expect(try await isSame(color(camera), before))
    #expect(try await Set(camera.settings()).isSuperset(of: settings))
  }

  /// All settings of a camera are restored on another one of its kind, automatic modes included.
  @Test func aFreshCameraBecomesTheOldOne() async throws {
    let old = Camera(try port(.coupled, hasExposure: true))
    for value in [
      ControlValue(.autoWhiteBalance, 0), ControlValue(.exposureMode, 1),
      ControlValue(.exposureTime, 70), ControlValue(.gain, 30), ControlValue(.redBalance, 300),
      ControlValue(.blueBalance, 400),
    ] { try await old.port.set([value]) }
    let settings = try await old.settings()
    let new = Camera(try port(.coupled, hasExposure: true))
    try await new.reapply(settings)
    #expect(try await new.settings() == settings)
    #expect(try await isSame(color(new), color(old)))
    try await new.reapply([ControlValue(.exposureMode, 3), ControlValue(.autoWhiteBalance, 1)])
    #expect(try await new.port.value(of: .exposureMode) == 3)
    #expect(try await new.isAutomatic)
  }

  /// One control's refusal does not prevent the others from being restored.
  @Test func aRefusalIsToldAfterTheRest() async throws {
    var faults = SimulatedCamera.Faults()
    faults.refusals = [.gain: [.busy, .timedOut]]
    let camera = Camera(try port(.coupled, faults: faults))
    let gain = ControlValue(.gain, 30)
    let balances = [ControlValue(.redBalance, 300), ControlValue(.blueBalance, 400)]
    await #expect(throws: CameraError.notSet(gain, .timedOut, written: [])) {
      try await camera.reapply([ControlValue(.autoWhiteBalance, 0), gain] + balances)
    }
    #expect(try await Set(camera.settings()).isSuperset(of: balances))
  }

  @Test func whatIsReportedOtherwiseIsTold() async throws {
    var faults = SimulatedCamera.Faults()
    faults.roundsTo = 16
    let camera = Camera(try port(faults: faults))
    await #expect(throws: CameraError.settingNotKept(ControlValue(.redBalance, 300), reported: 288))
    {
      try await camera.reapply([
        ControlValue(.autoWhiteBalance, 0), ControlValue(.redBalance, 300),
      ])
    }
    await #expect(
      throws: CameraError.valueOutOfRange(
        ControlValue(.redBalance, 5000), allowed: 0...1023, step: 1)
    ) { try await camera.reapply([ControlValue(.redBalance, 5000)]) }
  }

  /// The settings to keep: the balances, those that they depend on, and an exposure that was set
  /// manually.
  @Test func whatTheColorDependsOn() async throws {
    let camera = Camera(try port(.coupled, hasExposure: true))
    let probed = try await camera.probe()
    _ = try await probed.lock(at: Gains(red: 1.2, blue: 1.5))
    let kept = try await probed.colorSettings()
    #expect(
      kept.map(\.id) == [.autoWhiteBalance, .gain, .redBalance, .blueBalance, .exposureMode])
    #expect(try await Set(camera.settings()).isSuperset(of: kept))
    try await camera.port.set([ControlValue(.exposureMode, 1)])
    #expect(try await probed.colorSettings().map(\.id).contains(.exposureTime))
    // Values that the automatic mode moves are not the user's.
    try await camera.port.set([ControlValue(.autoWhiteBalance, 1)])
    #expect(try await !probed.colorSettings().map(\.id).contains(.redBalance))
  }
}
