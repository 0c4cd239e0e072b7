import CameraControl
import CameraProfiles
import ColorScience
import SimulatedCamera
import SimulatedScenes
import Testing
import WhiteBalance

struct CameraTests {
  private func camera(
    _ lamp: String, sensor: String = "canon-eos-600d", latency: Int = 2,
    faults: SimulatedCamera.Faults = .init()
  ) throws -> Camera {
    var configuration = SimulatedCamera.Configuration(
      sensor: try #require(MeasuredSensor(named: sensor)),
      lamp: try #require(MeasuredLamp(named: lamp)), seed: 3, size: (96, 64))
    configuration.faults = faults
    configuration.latency = latency
    return Camera(try SimulatedCamera(configuration))
  }

  /// The card's level is within half a step of the exposure time for any stated tone curve. The
  /// call returns `nil` if there is no exposure time to set.
  @Test func aCardIsAsBrightAsIsWanted() async throws {
    var configuration = SimulatedCamera.Configuration(
      sensor: try #require(MeasuredSensor(named: "canon-eos-600d")),
      lamp: try #require(MeasuredLamp(named: "A")), seed: 3, size: (96, 64))
    configuration.exposure = SimulatedExposure()
    configuration.transfer = .gamma(2.6)
    for transfer in [TransferFunction.gamma(2.6), .sRGB] {
      var camera = Camera(try SimulatedCamera(configuration))
      camera.transfer = transfer
      try await camera.lockExposure()
      for level in [0.05, 0.3, 0.12] {
        let seen = try #require(try await camera.adjustExposure(toCardLevel: level))
        let time = try await camera.port.value(of: .exposureTime)
        let bound: Double = 0.6 / Double(time) + 0.002
        #expect(abs(seen / level - 1) < bound, "\(level) \(seen) at \(time)")
        #expect(abs(try await camera.estimate().response.green / seen - 1) < 0.002)
      }
      // A level that would clip the card is refused, and the settings are restored.
      let before = try await camera.settings()
      await #expect(throws: CameraError.self) { try await camera.adjustExposure(toCardLevel: 1.5) }
      #expect(try await camera.settings() == before)
    }
    #expect(try await self.camera("A").adjustExposure(toCardLevel: 0.2) == nil)
  }

  @Test func probingFindsTheLaw() async throws {
    let laws = try await camera("D65").probe().laws
    for law in laws.channelLaws {
      #expect(law.reference == 256)
      #expect(law.fitError < 0.01)
      for value in [128, 256, 512, 900] {
        #expect(abs(law.gain(at: value) / (Double(value) / 256) - 1) < 0.01, "\(value)")
      }
    }
  }

  /// Few settings determine a simple law, and a setting without a watching period ends once it is
  /// seen.
  @Test func framesThatAreSaved() async throws {
    let unknown = try camera("A", latency: 2)
    let port = try #require(unknown.port as? SimulatedCamera)
    let first = await port.frames
    let law = try await unknown.probe().laws.channelLaws[0]
    #expect(await port.frames - first < 400)
    for value in stride(from: 100, through: 1000, by: 100) {
      let truth = Double(value) / Double(law.reference)
      #expect(abs(law.gain(at: value) / truth - 1) < 0.004, "\(value)")
    }
    var took: [Int] = []
    for watched in [60, 0] {
      var camera = try camera("A", latency: 2)
      let port = try #require(camera.port as? SimulatedCamera)
      let laws = try await camera.probe().laws
      camera.verificationFrames = watched
      let first = await port.frames
      let applied = try await ProbedCamera(camera, laws: laws).lock(at: Gains(red: 0.9, blue: 2.2))
      #expect(applied.firstFrame != nil)
      took.append(await port.frames - first)
    }
    #expect(took[0] - took[1] == 60, "\(took)")
  }

  @Test(arguments: [0, 2, 6])
  func lockingNamesTheFirstFrameThatShowsIt(latency: Int) async throws {
    let camera = try camera("A", latency: latency)
    let probed = try await camera.probe()
    let (info, _) = try await camera.nextEstimate()
    #expect(probed.laws.latency == latency)
    // One frame to start; the latency and 4 frames that show the current settings; and after the
    // settings are written again, the first frame after the latency.
    let applied = try await probed.lock(at: Gains(red: 0.9, blue: 2.2))
    let values = applied.values.map(\.value)
    #expect(abs(values[0] - 230) <= 2 && abs(values[1] - 563) <= 5, "\(values)")
    let first = try #require(applied.firstFrame)
    #expect(first.sequence - info.sequence == 1 + (latency + 4) + (latency + 1))
    let gains = try #require(applied.gains)
    #expect(abs(gains.blue / gains.red / (2.2 / 0.9) - 1) < 0.02)
    #expect(try await camera.port.value(of: .redBalance) == values[0])
    let (_, after) = try await camera.nextEstimate()
    try await camera.setToReference()
    let (_, plain) = try await camera.nextEstimate()
    #expect(abs(after.response.blue / plain.response.blue / 2.2 - 1) < 0.01)
  }

  /// A setting that this camera wrote and watched itself is not verified again, and a change of
  /// light in between is no confirmation.
  @Test(arguments: [0, 2, 6]) func aSecondSettingIsSeenAtOnce(latency: Int) async throws {
    let probed = try await camera("A", latency: latency).probe()
    _ = try await probed.lock(at: Gains(red: 0.9, blue: 2.2))
    let (info, _) = try await probed.camera.nextEstimate()
    let second = try await probed.lock(at: Gains(red: 1.4, blue: 1.6))
    #expect(try #require(second.firstFrame).sequence - info.sequence == latency + 1)
    let port = try #require(probed.camera.port as? SimulatedCamera)
    await port.setLamp(try #require(MeasuredLamp(named: "FL11")))
    let third = try await probed.lock(at: Gains(red: 1, blue: 2))
    #expect(third.firstFrame != nil)
    let gains = try #require(third.gains)
    #expect(abs(gains.blue / gains.red - 2) < 0.02)
  }

  @Test func gainsOutOfReachAreRefusedBeforeAnythingIsSet() async throws {
    let camera = try camera("D65")
    let probed = try await camera.probe()
    let before = try await camera.settings()
    let error = try #require(
      await #expect(throws: CameraError.self) {
        try await probed.lock(at: Gains(red: 9, blue: 1))
      })
    guard case .gainsOutOfRange(let range) = error else {
      Issue.record("\(error)")
      return
    }
    #expect(range.violations.map(\.channel) == [.red])
    #expect(range.nearest == nil)
    #expect("\(error)".contains("red gain 9"))
    #expect(try await camera.settings() == before)
  }

  @Test func aSettingThatThePictureDoesNotShowIsNotApplied() async throws {
    let laws = try await camera("D65").probe().laws
    var faults = SimulatedCamera.Faults()
    faults.ignoresSettings = true
    let deaf = try camera("D65", faults: faults)
    let error = try #require(
      await #expect(throws: CameraError.self) {
        try await ProbedCamera(deaf, laws: laws).lock(at: Gains(red: 2, blue: 2))
      })
    guard case .settingNotVisible(let expected, let seen, _) = error else {
      Issue.record("\(error)")
      return
    }
    #expect(abs(seen.red - 1) < 0.01)
    #expect(expected.red > 1.1)
    #expect(
      await #expect(throws: CameraError.self) { try await deaf.probe() }
        == .noLaw(.redBalance, reason: "the picture does not change with it"))
  }

  /// Any still scene can be used, and its colors are not mistaken for noise that would hide a
  /// missing change.
  @Test(arguments: [1.05, 1.4])
  func aColoredSceneHidesNothing(factor: Double) async throws {
    let laws = try await camera("D65", latency: 6).probe().laws
    var faults = SimulatedCamera.Faults()
    for deaf in [false, true] {
      faults.ignoresSettings = deaf
      var camera = try camera("D65", latency: 6, faults: faults)
      camera.estimator = GrayCardEstimator(region: .center(1))
      try await camera.setToReference()
      let gains = Gains(red: factor, blue: 1)
      if deaf {
        await #expect(throws: CameraError.self) {
          try await ProbedCamera(camera, laws: laws).lock(at: gains)
        }
      } else {
        let (info, _) = try await camera.nextEstimate()
        let applied = try await ProbedCamera(camera, laws: laws).lock(at: gains)
        #expect(
          try #require(applied.firstFrame).sequence - info.sequence == 1 + (6 + 4) + (6 + 1))
      }
    }
  }

  /// A control is moved away and back, so that the picture shows it.
  @Test func aChangeTooSmallToSeeIsMadeVisible() async throws {
    let camera = try camera("D65")
    let probed = try await camera.probe()
    let applied = try await probed.lock(at: Gains(red: 1.001, blue: 1))
    let truth = await (camera.port as? SimulatedCamera)?.lastSettingShows
    #expect(applied.firstFrame?.sequence == truth)
    #expect(truth != nil)
  }

  @Test func aBlackChannelIsNoDeadEnd() async throws {
    let camera = try camera("D65")
    let probed = try await camera.probe()
    try await camera.port.set([ControlValue(.redBalance, 0)])
    let applied = try await probed.lock(at: Gains(red: 1.5, blue: 1.2))
    #expect(applied.values.first == ControlValue(.redBalance, 384))
  }

  /// Gains that the laws give for the ends of the controls are accepted as input.
  @Test func theEndsOfTheControls() async throws {
    let laws = try await camera("D65").probe().laws
    for red in [128, 1023] {
      for blue in [128, 1023] {
        let ends = [ControlValue(.redBalance, red), ControlValue(.blueBalance, blue)]
        #expect(
          try laws.setting(for: laws.gains(at: ends).normalized(to: .smallest)).values == ends)
      }
    }
  }

  /// A difference of one is rounding, and the picture shows which value is true; a large difference
  /// is another program.
  @Test func aReadBackThatDisagreesIsJudgedByThePicture() async throws {
    var faults = SimulatedCamera.Faults()
    faults.misreports = true
    let probed = try await camera("D65", faults: faults).probe()
    #expect(abs(probed.laws.gains(at: [ControlValue(.redBalance, 512)]).red - 2) < 0.02)
    faults.misreports = false
    faults.roundsTo = 300
    let error = await #expect(throws: CameraError.self) {
      try await camera("D65", faults: faults).probe()
    }
    guard case .settingNotKept = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test func aCameraThatVanishesIsNamed() async throws {
    var faults = SimulatedCamera.Faults()
    faults.vanishesAtFrame = 20
    let camera = try camera("D65", faults: faults)
    #expect(
      await #expect(throws: CameraError.self) { try await camera.probe() }
        == .vanished(camera: "simulated canon-eos-600d"))
  }

  @Test func cancellationEndsAWaitAndSettingsComeBack() async throws {
    let camera = try camera("D65")
    for _ in 0..<20 { _ = try await camera.nextEstimate() }
    try await camera.turnOffAutomatic()
    try await camera.port.set([ControlValue(.redBalance, 400), ControlValue(.blueBalance, 300)])
    let before = try await camera.settings()
    let work = Task { () async -> CameraError? in
      do throws(CameraError) {
        while true { _ = try await camera.probe() }
      } catch { return error }
    }
    work.cancel()
    #expect(await work.value == .cancelled)
    try await camera.restore(before)
    #expect(try await camera.settings() == before)
    #expect(before.contains(ControlValue(.redBalance, 400)))
  }

  @Test func anAutomaticThatWasOnComesBackOn() async throws {
    let camera = try camera("D65")
    let before = try await camera.settings()
    _ = try await camera.probe()
    #expect(try await camera.port.value(of: .autoWhiteBalance) == 0)
    try await camera.restore(before)
    #expect(try await camera.port.value(of: .autoWhiteBalance) == 1)
  }

  /// The whole path: two shots, a calibration, and a lamp that was not among them; the card is
  /// gray.
  @Test func aCalibratedCameraIsNeutralUnderAThirdLight() async throws {
    let port = try SimulatedCamera(
      .init(
        sensor: try #require(MeasuredSensor(named: "sony-ilce-7m3")),
        lamp: try #require(MeasuredLamp(named: "A")), seed: 5, size: (96, 64)))
    let camera = Camera(port)
    let probed = try await camera.probe()
    var shots: [CalibrationShot] = []
    for name in ["A", "D65"] {
      await port.setLamp(try #require(MeasuredLamp(named: name)))
      try await camera.setToReference()
      shots.append(
        try CalibrationShot(
          light: Light(named: name), response: try await camera.estimate().response))
    }
    let calibration = try Calibration(fitting: shots)
    await port.setLamp(try #require(MeasuredLamp(named: "5000K")))
    let light = TemperatureAndTint(temperature: 5000, tint: 0)
    let gains = try #require(calibration.model.gains(for: light, lightClass: .thermal))
    _ = try await probed.lock(at: gains)
    let card = try await camera.estimate().response
    #expect(abs(card.red / card.green - 1) < 0.02)
    #expect(abs(card.blue / card.green - 1) < 0.02)
  }
}
