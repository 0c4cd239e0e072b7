import CameraControl
import CameraProfiles
import SimulatedCamera
import SimulatedScenes
import Testing
import WhiteBalance

/// Cameras that refuse, misreport, round, freeze and lose frames, and other programs that
/// interfere.
struct MisbehaviorTests {
  private func configuration(
    _ balance: SimulatedBalance = .balances, latency: Int = 2
  ) throws -> SimulatedCamera.Configuration {
    var configuration = SimulatedCamera.Configuration(
      sensor: try #require(MeasuredSensor(named: "canon-eos-600d")),
      lamp: try #require(MeasuredLamp(named: "D65")), seed: 3, size: (48, 32))
    configuration.balance = balance
    configuration.latency = latency
    return configuration
  }

  /// The laws of a camera that behaves.
  private func laws() async throws -> ControlLaws {
    try await Camera(try SimulatedCamera(configuration())).probe().laws
  }

  private let wanted = Gains(red: 1.4, blue: 1.6)

  @Test(arguments: [
    ControlRefusal.automatic, .busy, .outOfRange, .notAllowed, .unknown, .timedOut,
    .failed(number: 5, text: "Input/output error"),
  ])
  func aRefusalIsNamedAndUndone(refusal: ControlRefusal) async throws {
    let laws = try await laws()
    var configuration = try configuration()
    configuration.faults.refusals = [.blueBalance: [refusal]]
    let camera = Camera(try SimulatedCamera(configuration))
    let before = try await camera.settings()
    let error = await #expect(throws: CameraError.self) {
      try await ProbedCamera(camera, laws: laws).lock(at: wanted)
    }
    guard case .notSet(let value, refusal, let written) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(value.id == .blueBalance)
    #expect(written.map(\.id) == [.redBalance])
    // The automatic mode, which moves the other values, is on again.
    #expect(try await camera.port.value(of: .autoWhiteBalance) == 1)
    #expect(before.contains(ControlValue(.autoWhiteBalance, 1)))
  }

  /// One widespread driver refuses a balance while the automatic mode is on.
  @Test func theAutomaticGoesFirst() async throws {
    var configuration = try configuration()
    configuration.faults.refusesWhileAutomatic = true
    let port = try SimulatedCamera(configuration)
    let camera = Camera(port)
    let probed = try await camera.probe()
    try await port.set([ControlValue(.autoWhiteBalance, 1)])
    let applied = try await probed.lock(at: wanted)
    #expect(applied.firstFrame != nil)
  }

  @Test func silentRoundingIsTold() async throws {
    let laws = try await laws()
    var configuration = try configuration()
    configuration.faults.roundsTo = 16
    let camera = Camera(try SimulatedCamera(configuration))
    let applied = try await ProbedCamera(camera, laws: laws).lock(at: wanted)
    #expect(applied.values[.redBalance] == 352)
    #expect(abs(applied.residualGains.red / applied.residualGains.green - 358.0 / 352) < 0.004)
  }

  @Test func aFrozenPictureIsNoProof() async throws {
    let laws = try await laws()
    var configuration = try configuration()
    // From the moment of the setting.
    configuration.faults.frozenFrames = 7..<1000
    let camera = Camera(try SimulatedCamera(configuration))
    let error = await #expect(throws: CameraError.self) {
      try await ProbedCamera(camera, laws: laws).lock(at: wanted)
    }
    guard case .settingNotVisible(_, let seen, _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(abs(seen.red - 1) < 0.01)
    #expect(try await camera.port.value(of: .autoWhiteBalance) == 1)
  }

  @Test func aStreamThatStopsIsTold() async throws {
    let laws = try await laws()
    var configuration = try configuration()
    configuration.faults.stallsAtFrame = 15
    let camera = Camera(try SimulatedCamera(configuration))
    await #expect(
      throws: CameraError.stalled(camera: "simulated canon-eos-600d", seconds: 3)
    ) { try await ProbedCamera(camera, laws: laws).lock(at: wanted) }
    #expect(try await camera.port.value(of: .autoWhiteBalance) == 1)
  }

  /// With frames lost now and then, the reported first frame is within one frame of the true one
  /// for each of 15 settings at each of 7 latencies.
  @Test(arguments: 0...6)
  func theFirstFrameIsThatOfTheTruth(latency: Int) async throws {
    var configuration = try configuration(latency: latency)
    configuration.faults.lostFrames = Set(stride(from: 400, to: 4000, by: 37))
    let port = try SimulatedCamera(configuration)
    let camera = Camera(port)
    let probed = try await camera.probe()
    #expect(try #require(probed.laws.latency) >= latency)
    var misses = 0
    for step in 0..<15 {
      let gains = Gains(red: 1.1 + 0.05 * Double(step % 7), blue: 1.8 - 0.1 * Double(step % 5))
      let applied = try await probed.lock(at: gains)
      // The last setting of the controls shows `latency` frames of the camera later.
      let truth = await port.lastSettingShows
      guard let first = applied.firstFrame else { continue }
      if abs(first.sequence - truth) > 1 { misses += 1 }
    }
    #expect(misses == 0)
  }

  @Test func anotherProgramIsNoticed() async throws {
    let laws = try await laws()
    var configuration = try configuration()
    configuration.faults.intrusions = [80: ControlValue(.redBalance, 700)]
    let port = try SimulatedCamera(configuration)
    let camera = Camera(port)
    let changes = await port.changes()
    await #expect(throws: CameraError.self) {
      for _ in 0..<3 {
        let applied = try await ProbedCamera(camera, laws: laws).lock(at: wanted)
        #expect(applied.values.count == 2)
        let reported = try await port.value(of: .redBalance)
        if reported == 700 { throw CameraError.cancelled }
      }
    }
    var seen: [ControlValue] = []
    for await change in changes {
      seen.append(change)
      if change == ControlValue(.redBalance, 700) { break }
    }
    #expect(seen.contains(ControlValue(.autoWhiteBalance, 0)))
  }

  @Test func theModesOfACamera() async throws {
    let camera = Camera(try SimulatedCamera(configuration()))
    #expect(await camera.supportedWhiteBalanceModes == [.locked, .automatic, .continuousAutomatic])
    #expect(try await camera.whiteBalanceMode == .continuousAutomatic)
    try await camera.setWhiteBalanceMode(.locked)
    #expect(try await camera.whiteBalanceMode == .locked)
    let locked = try await camera.settings()
    _ = try await camera.estimate(frames: 20)
    #expect(try await camera.settings() == locked)
    try await camera.setWhiteBalanceMode(.continuousAutomatic)
    #expect(try await camera.whiteBalanceMode == .continuousAutomatic)
    try await camera.setWhiteBalanceMode(.automatic)
    #expect(try await camera.whiteBalanceMode == .locked)
    let none = Camera(try SimulatedCamera(configuration(.none)))
    #expect(await none.supportedWhiteBalanceModes == [.locked])
    await #expect(throws: CameraError.noWhiteBalance(camera: "simulated canon-eos-600d")) {
      try await none.setWhiteBalanceMode(.automatic)
    }
    let menu = Camera(try SimulatedCamera(configuration(.presets)))
    #expect(await menu.supportedWhiteBalanceModes == [.locked, .continuousAutomatic])
    await #expect(throws: CameraError.self) { try await menu.setWhiteBalanceMode(.automatic) }
    try await menu.setPreset(.daylight)
    #expect(try await menu.whiteBalanceMode == .locked)
    await #expect(throws: CameraError.self) { try await menu.setPreset(.shade) }
  }

  @Test func readingsTellOfEveryFrame() async throws {
    let port = try SimulatedCamera(configuration())
    let camera = Camera(port)
    let probed = try await camera.probe()
    _ = try await probed.lock(at: wanted)
    var last: WhiteBalanceReading?
    for try await reading in probed.readings() {
      if let last { #expect(reading.frame.sequence == last.frame.sequence + 1) }
      last = reading
      if !reading.isAdjusting { break }
    }
    let reading = try #require(last)
    #expect(!reading.isAutomatic)
    let device = try #require(reading.deviceGains)
    #expect(abs(device.red / device.green - 1.4) < 0.01)
    // The same scene needs the same gains, whatever the device's are.
    _ = try await probed.lock(at: Gains(red: 1, blue: 1))
    var again: WhiteBalanceReading?
    for try await reading in probed.readings() {
      again = reading
      if !reading.isAdjusting { break }
    }
    let (one, two) = (try #require(reading.grayWorldGains), try #require(again?.grayWorldGains))
    #expect(abs(one.red / one.green / (two.red / two.green) - 1) < 0.02)
    #expect(abs(one.blue / one.green / (two.blue / two.green) - 1) < 0.02)
  }

  /// An automatic mode that fluctuates moves the picture and the controls; the estimate of the
  /// light stays the same.
  @Test(arguments: [nil, 10, 2])
  func aMovingAutomaticLeavesTheLight(perSecond: Double?) async throws {
    let camera = Camera(try SimulatedCamera(configuration()))
    let probed = try await camera.probe()
    _ = try await probed.lock(at: Gains(red: 1, blue: 1))
    try await camera.setWhiteBalanceMode(.continuousAutomatic)
    var (red, missing): ([Double], [Double]) = ([], [])
    for try await reading in probed.readings(perSecond: perSecond) {
      if reading.isAutomatic, let gains = reading.grayWorldGains, let more = reading.missingGains {
        red.append(gains.red / gains.green)
        missing.append(more.red / more.green)
      }
      if red.count >= 100 { break }
    }
    func spread(_ values: [Double]) throws -> Double {
      let late = values.suffix(60)
      return try #require(late.max()) / #require(late.min()) - 1
    }
    #expect(try spread(missing) > 0.03)
    #expect(try spread(red) < 0.006)
  }
}
