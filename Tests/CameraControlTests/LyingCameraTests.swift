import CameraControl
import CameraProfiles
import ColorScience
import SimulatedCamera
import SimulatedScenes
import Testing
import WhiteBalance

/// Cameras whose controls do not do what they report, and scenes that do not stay still.
struct LyingCameraTests {
  private func camera(
    _ lamp: String = "A", balance: SimulatedBalance = .balances, latency: Int = 2,
    faults: SimulatedCamera.Faults
  ) throws -> (camera: Camera, port: SimulatedCamera) {
    var configuration = SimulatedCamera.Configuration(
      sensor: try #require(MeasuredSensor(named: "sony-ilce-7m3")),
      lamp: try #require(MeasuredLamp(named: lamp)), seed: 5, size: (64, 48))
    configuration.balance = balance
    configuration.latency = latency
    configuration.faults = faults
    let port = try SimulatedCamera(configuration)
    return (Camera(port), port)
  }

  private func faults(_ change: (inout SimulatedCamera.Faults) -> Void) -> SimulatedCamera.Faults {
    var faults = SimulatedCamera.Faults()
    change(&faults)
    return faults
  }

  private func left(_ camera: Camera) async throws -> Double {
    try await camera.estimate(frames: 16).response.differenceFromNeutral
  }

  @Test(arguments: [5, 8, 12, 20, 35, 60, 75, 85, 90, 95, 100, 110, 140, 200])
  func anAutomaticThatReturnsIsNotLocked(frames: Int) async throws {
    for lamp in ["A", "FL11"] {
      let (camera, _) = try camera(lamp, faults: faults { $0.returnsAfter = frames })
      let before = try await camera.settings().filter { $0.id == .autoWhiteBalance }
      let errors = [
        await #expect(throws: CameraError.self, "gray \(lamp)") {
          try await camera.balanceOnCard()
        },
        await #expect(throws: CameraError.self, "probed \(lamp)") { try await camera.probe() },
      ]
      for error in errors {
        guard case .automaticReturned = error else {
          Issue.record("\(frames) \(lamp): \(String(describing: error))")
          continue
        }
      }
      let after = try await camera.settings().filter { $0.id == .autoWhiteBalance }
      #expect(before == after)
    }
  }

  /// Automatic white balance that returns at the start of a stream is turned off again once frames
  /// arrive, and the result states that it returns.
  @Test(arguments: ["A", "D65", "FL11"])
  func anAutomaticThatReturnsAtTheStartOfAStreamIsTold(lamp: String) async throws {
    let (camera, port) = try camera(lamp, faults: faults { $0.returnsAtStart = true })
    try await camera.turnOffAutomatic()
    let card = try await camera.balanceOnCard()
    #expect(card.applied.persistence?.isLostOnStreamStart == true)
    #expect(try await left(camera) < 0.35)
    let probed = try await camera.probe()
    #expect(probed.laws.persistence?.isLostOnStreamStart == true)
    #expect(abs(probed.laws.gains(at: [ControlValue(.redBalance, 512)]).red - 2) < 0.03)
    let honest = try self.camera(lamp, faults: faults { _ in }).camera
    #expect(try await honest.balanceOnCard().applied.persistence?.isLostOnStreamStart == false)
    _ = port
  }

  /// Under one light the automatic mode stops where it stopped before; a second light shows the
  /// difference.
  @Test(arguments: ["D65", "FL11", "LED-B3"])
  func gainsOnTopOfTheAutomaticAreNotSet(lamp: String) async throws {
    for isRelative in [false, true] {
      let (camera, port) = try camera("A", faults: faults { $0.isRelative = isRelative })
      _ = try await camera.estimate(frames: 60)
      let probed = try await camera.probe()
      var cards = KnownLawsCalibrator(probed)
      try await cards.add(probed)
      // An automatic mode that wanders would stop elsewhere under the same light and so be noticed;
      // this one does not.
      #expect(cards.laws.persistence?.baseline != .relativeToAutomatic)
      await port.setLamp(try #require(MeasuredLamp(named: lamp)))
      guard isRelative else {
        try await cards.add(probed)
        #expect(cards.laws.persistence?.baseline == .absolute)
        continue
      }
      await #expect(throws: CameraError.relativeToAutomatic(camera: "simulated sony-ilce-7m3")) {
        try await cards.add(probed)
      }
      _ = try await camera.balanceOnCard()
      #expect(try await left(camera) < 0.35)
      var known = camera
      known.persistence = SettingPersistence(
        frames: 240, isLostOnStreamStart: false, baseline: .relativeToAutomatic)
      await #expect(throws: CameraError.relativeToAutomatic(camera: "simulated sony-ilce-7m3")) {
        try await ProbedCamera(known, laws: probed.laws).lock(at: Gains(red: 1.2, blue: 1.4))
      }
    }
  }

  /// Two cards are shot while an automatic mode that was turned off once may return. The error then
  /// states that it returned, and never reports another camera.
  @Test(arguments: [5, 8, 12, 20, 35, 60, 90, 110, 140, 160, 180, 200, 220, 235])
  func anAutomaticThatReturnsIsToldByShots(frames: Int) async throws {
    for lamps in [("A", "D65"), ("D65", "A"), ("FL11", "D50")] {
      let (camera, port) = try camera(lamps.0, faults: faults { $0.returnsAfter = frames })
      let error = await #expect(throws: CameraError.self, "\(lamps)") {
        _ = try await learned(camera, port, under: [lamps.0, lamps.1])
      }
      guard case .automaticReturned = error else {
        Issue.record("\(frames) \(lamps): \(String(describing: error))")
        continue
      }
    }
  }

  /// The persistence of settings is determined with the last card as it is before the first one.
  @Test(arguments: [(false, false), (true, false), (false, true)])
  func shotsTellWhatBecomesOfSettings(isRelative: Bool, returnsAtStart: Bool) async throws {
    let (camera, port) = try camera(
      "A",
      faults: faults {
        ($0.isRelative, $0.returnsAtStart) = (isRelative, returnsAtStart)
      })
    _ = try await camera.estimate(frames: 60)
    guard !isRelative else {
      await #expect(throws: CameraError.relativeToAutomatic(camera: "simulated sony-ilce-7m3")) {
        _ = try await learned(camera, port, under: ["A", "D65"])
      }
      return
    }
    let laws = try #require(try await learned(camera, port, under: ["A", "D65"]).laws())
    #expect(laws.persistence?.isLostOnStreamStart == returnsAtStart)
    #expect(laws.persistence?.baseline == .absolute)
    #expect(abs(laws.gains(at: [ControlValue(.redBalance, 512)]).red - 2) < 0.02)
  }

  /// A card is made neutral in spite of it, and a temperature control has its law: colors are
  /// enough for both.
  @Test(arguments: [SimulatedPipeline.ideal, .webcam, .board], [true, false])
  func anExposureThatIsNotHeldIsTold(pipeline: SimulatedPipeline, hasExposure: Bool) async throws {
    for balance in [SimulatedBalance.balances, .temperature] {
      for stays in [true, false] {
        var configuration = SimulatedCamera.Configuration(
          sensor: try #require(MeasuredSensor(named: "sony-ilce-7m3")),
          lamp: try #require(MeasuredLamp(named: "A")), seed: 5, size: (64, 48))
        configuration.exposure = hasExposure ? SimulatedExposure() : nil
        configuration.pipeline = pipeline
        configuration.balance = balance
        configuration.faults.exposureStays = stays
        let camera = Camera(try SimulatedCamera(configuration))
        try await camera.lockExposure()
        if balance.name == "balances" {
          _ = try await camera.balanceOnCard()
          #expect(try await left(camera) < 0.35)
        }
        guard stays, balance.name == "balances" else {
          var reader = camera
          if !stays, let transfer = try await camera.findTransfer() { reader.transfer = transfer }
          _ = try await reader.probe()
          continue
        }
        let error = CameraError.exposureNotHeld(camera: "simulated sony-ilce-7m3")
        await #expect(throws: error) { try await camera.probe() }
        #expect(try await camera.findTransfer() == nil)
      }
    }
  }

  @Test(arguments: [0.5, 0.1, 0.03, 0.01])
  func slowGainsAreWaitedFor(settlingRate: Double) async throws {
    let (camera, _) = try camera("FL11", faults: faults { $0.settlingRate = settlingRate })
    _ = try await camera.balanceOnCard()
    try await camera.settle(after: 400)
    #expect(try await left(camera) < 0.35)
    guard settlingRate > 0.05 else { return }
    let probed = try await camera.probe()
    for value in [180, 400, 700] {
      let gain = probed.laws.gains(at: [ControlValue(.redBalance, value)]).red
      #expect(abs(gain / (Double(value) / 256) - 1) < 0.02, "\(value)")
    }
  }

  /// Laws that depend on the direction are refused with that reason; a card is made neutral.
  @Test(arguments: [3, 6, 20], ["D65", "FL11", "LED-B3"])
  func hardwareThatStaysBehindIsApproachedFromOneSide(values: Int, lamp: String) async throws {
    let (camera, _) = try camera(lamp, faults: faults { $0.hysteresis = values })
    _ = try await camera.balanceOnCard()
    #expect(try await left(camera) < 0.5)
    let error = try #require(
      await #expect(throws: CameraError.self) { try await camera.probe() })
    #expect("\(error)".contains("direction"))
  }

  @Test(arguments: [9, 14, 20, 30])
  func lateSettingsAreWaitedFor(latency: Int) async throws {
    let (camera, _) = try camera("FL11", latency: latency, faults: faults { _ in })
    _ = try await camera.balanceOnCard()
    #expect(try await left(camera) < 0.35)
    let probed = try await camera.probe()
    #expect(probed.laws.latency == latency)
    #expect(abs(probed.laws.gains(at: [ControlValue(.redBalance, 512)]).red - 2) < 0.03)
  }

  @Test(arguments: [(0.03, 0.003, 7.3), (0.05, 0.002, 3.1), (0.02, 0.004, 19.0)])
  func flickerIsAveraged(level: Double, color: Double, period: Double) async throws {
    let (camera, _) = try camera(
      "FL2",
      faults: faults {
        ($0.flicker, $0.flickerPeriod) = ((level, color), period)
      })
    _ = try await camera.balanceOnCard()
    #expect(try await left(camera) < 0.5)
    let probed = try await camera.probe()
    #expect(abs(probed.laws.gains(at: [ControlValue(.redBalance, 512)]).red - 2) < 0.04)
  }

  /// Probing leaves the controls at the reference, even if it began elsewhere and need not
  /// determine the persistence of settings.
  @Test(arguments: [SimulatedPipeline.ideal, .webcam, .board])
  func probingEndsAtTheReference(pipeline: SimulatedPipeline) async throws {
    var configuration = SimulatedCamera.Configuration(
      sensor: try #require(MeasuredSensor(named: "sony-ilce-7m3")),
      lamp: try #require(MeasuredLamp(named: "A")), seed: 5, size: (64, 48))
    configuration.pipeline = pipeline
    let port = try SimulatedCamera(configuration)
    var camera = Camera(port)
    camera.persistence = try await camera.balanceOnCard().applied.persistence
    let reference = try await camera.probe().laws.reference
    for value in reference { #expect(try await port.value(of: value.id) == value.value) }
  }

  /// A lamp that flickers is not mistaken for a tone curve.
  @Test(arguments: [(0.03, 7.3), (0.05, 3.1), (0.05, 7.3), (0.05, 18)])
  func theToneCurveIsFoundInLightThatFlickers(level: Double, period: Double) async throws {
    var configuration = SimulatedCamera.Configuration(
      sensor: try #require(MeasuredSensor(named: "sony-ilce-7m3")),
      lamp: try #require(MeasuredLamp(named: "D50")), seed: 5, size: (64, 48))
    configuration.exposure = SimulatedExposure()
    configuration.faults.flicker = (level: level, color: 0.001)
    configuration.faults.flickerPeriod = period
    let camera = Camera(try SimulatedCamera(configuration))
    try await camera.lockExposure()
    #expect(try await camera.findTransfer() == .sRGB)
  }

  @Test(arguments: [1, 5, 15])
  func lateReadingsAreNoOtherProgram(frames: Int) async throws {
    let (camera, _) = try camera("FL11", faults: faults { $0.readsLate = frames })
    _ = try await camera.balanceOnCard()
    #expect(try await left(camera) < 0.35)
    let probed = try await camera.probe()
    _ = try await probed.lock(at: Gains(red: 1.3, blue: 1.7))
  }

  @Test(arguments: [3, 8, 25])
  func roundedReadingsAreNoOtherProgram(step: Int) async throws {
    let (camera, _) = try camera("FL11", faults: faults { $0.readsInSteps = step })
    _ = try await camera.balanceOnCard()
    #expect(try await left(camera) < 0.35)
    let probed = try await camera.probe()
    let applied = try await probed.lock(at: Gains(red: 1.3, blue: 1.7))
    #expect(abs((applied.values[.redBalance] ?? 0) - 333) <= 2)
  }

  @Test func oneOfTwoThatIsTakenIsSetAgain() async throws {
    let (camera, _) = try camera("FL11", faults: faults { $0.takesLastOnly = true })
    _ = try await camera.balanceOnCard()
    #expect(try await left(camera) < 0.35)
    let probed = try await camera.probe()
    let applied = try await probed.lock(at: Gains(red: 1.3, blue: 1.7))
    #expect(try await camera.port.value(of: .redBalance) == applied.values[.redBalance])
  }

  /// Cameras whose values are read late, or that accept only one setting at a time, or both, are
  /// restored.
  @Test(arguments: [(0, true), (5, false), (9, false), (5, true), (9, true)])
  func lateAndSingleSettingsAreRestored(late: Int, takesLastOnly: Bool) async throws {
    for lamp in ["A", "FL11", "D65"] {
      let (camera, port) = try camera(
        lamp,
        faults: faults {
          $0.readsLate = late
          $0.takesLastOnly = takesLastOnly
        })
      try await camera.turnOffAutomatic()
      for value in [ControlValue(.redBalance, 301), ControlValue(.blueBalance, 457)] {
        try await port.set([value])
        _ = try await camera.estimate(frames: 12)
      }
      let before = try await camera.settings()
      #expect(before[.redBalance] == 301 && before[.blueBalance] == 457)
      // The operation may be refused, but must not change the camera permanently.
      _ = try? await camera.balanceOnCard()
      try await camera.restore(before)
      for _ in 0..<12 { try await port.withNextFrame { _, _ in } }
      let shown = try #require(await port.settings(ofFrame: await port.frames - 1))
      #expect(shown[.redBalance] == 301 && shown[.blueBalance] == 457, "\(lamp)")
    }
  }

  /// For a lamp that warms up, or one that is exchanged, the error names neither a control nor the
  /// camera.
  @Test(arguments: [0.00004, 0.0002, 0.001])
  func aLightThatDriftsIsBlamed(drift: Double) async throws {
    let (camera, _) = try camera("D65", faults: faults { $0.drift = drift })
    do {
      _ = try await camera.probe()
      #expect(drift < 0.0001)
    } catch {
      guard case .sceneChanged = error else {
        if case .notSettled = error { return }
        Issue.record("\(error)")
        return
      }
    }
  }

  @Test(arguments: [60, 100, 180])
  func aLampThatIsExchangedIsBlamed(frame: Int) async throws {
    let other = try #require(MeasuredLamp(named: "FL2"))
    let (camera, _) = try camera("D65", faults: faults { $0.lampChange = (frame, other) })
    let error = await #expect(throws: CameraError.self) { try await camera.probe() }
    guard case .sceneChanged = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test(arguments: ["falling", "flat", "stairs"])
  func lawsOfAnyMonotoneShape(kind: String) async throws {
    let balance = try #require(SimulatedBalance(named: kind))
    let (camera, _) = try camera("FL2", balance: balance, faults: faults { _ in })
    _ = try await camera.balanceOnCard()
    // A stair is 7 %.
    #expect(try await left(camera) < (kind == "stairs" ? 2.5 : 0.35))
    let probed = try await camera.probe()
    let control = try #require(balance.controls.first { $0.id == .redBalance })
    func truth(_ value: Int) -> Double {
      let value = Double(value)
      return switch kind {
      case "falling": power(0.15, value / 255)
      case "flat": 0.6 + min(max(value, 200), 800) / 300
      default: power(1.07, (value * 24 / 256).rounded(.down))
      }
    }
    for value in stride(from: control.minimum, through: control.maximum, by: control.maximum / 37) {
      let gain = probed.laws.gains(at: [ControlValue(.redBalance, value)]).red
      guard gain.isFinite else { continue }
      let expected = truth(value) / truth(control.defaultValue)
      #expect(abs(gain / expected - 1) < 0.02, "\(value)")
    }
    let applied = try await probed.lock(at: Gains(red: 1.1, blue: 1.2))
    #expect(abs(applied.residualGains.red / applied.residualGains.green - 1) < 0.05)
  }

  @Test func whatCannotBePutBackIsNamed() async throws {
    let (camera, _) = try camera(
      faults: faults {
        $0.intrusions = [3: ControlValue(.redBalance, 400)]
        $0.refusals = [.redBalance: [.busy, .busy, .busy]]
      })
    try await camera.turnOffAutomatic()
    let before = try await camera.settings()
    for _ in 0..<5 { _ = try await camera.nextEstimate() }
    #expect(try await camera.port.value(of: .redBalance) == 400)
    let error = await #expect(throws: CameraError.self) { try await camera.restore(before) }
    guard case .notRestored(let controls, _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(controls.contains(.redBalance))
  }
}
