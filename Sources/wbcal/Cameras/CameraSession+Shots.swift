import CameraControl
import CameraProfiles
import ColorScience
import SimulatedCamera
import WhiteBalance

/// How the light on the card is changed between shots.
struct LightChange: Sendable {
  /// The shell command that changes it; `nil` where a person does.
  var command: String?
  /// The number of lights; a single one is on already.
  var count: Int
}

/// The shots that a camera took, and what was found out about it for them.
struct CameraShots: Sendable {
  var shots: [CalibrationShot] = []
  var identity: CameraIdentity
  var laws: ControlLaws?
  var exposure: ExposureLaws?
  var transfer: TransferFunction?
  /// The number of frames that were looked at.
  var frames = 0
}

/// Shots of the card, under one light after another.
struct CardSeries: Sendable {
  private(set) var lights: [Light] = []
  private var found: CameraShots
  private var probed: ProbedCamera?
  private var comparison: LightComparison?

  /// No shot yet, of a camera.
  init(of identity: CameraIdentity) { found = CameraShots(identity: identity) }

  /// Takes a shot under the light that is on the card. The first one finds the exposure, the
  /// transfer function and the laws of the controls.
  ///
  /// - Parameter isLast: whether no other one follows, or may follow.
  mutating func add(
    _ light: Light, isLast: Bool = true, through session: CameraSession
  ) async throws {
    Progress.shared.show("watching the picture")
    if let known = probed {
      let probed = known.moved(to: known.camera.reading(like: session.camera))
      try await probed.lockExposure()
      try await comparison?.add(probed, isLast: isLast) { Progress.shared.show($0) }
    } else {
      var camera = try await session.prepared(place: "under \(light.name)", atReference: false)
      found.exposure = try await session.exposureLaws(of: &camera)
      let probed =
        if let laws = session.profile?.laws { ProbedCamera(camera, laws: laws) } else {
          try await CameraSession.probe(camera, isPart: true)
        }
      found.transfer = camera.transfer
      var cards = LightComparison(probed)
      try await cards.add(probed, isLast: isLast) { Progress.shared.show($0) }
      (self.probed, comparison) = (probed, cards)
    }
    lights.append(light)
  }

  /// What all shots together tell.
  ///
  /// - Throws: `Failure` for a card that is out of reach.
  func finished() throws -> CameraShots {
    guard let comparison else { return found }
    var result = found
    let laws = try comparison.laws()
    result.laws = laws
    for (light, response) in zip(lights, comparison.responses(by: laws)) {
      guard let response else {
        throw Failure.badData("the card under \(light.name) is out of reach")
      }
      result.shots.append(
        try CalibrationShot(light: light, response: response, source: result.identity.id))
    }
    return result
  }
}

extension Camera {
  /// Whether its tone curve is one that exposures have shown.
  fileprivate var hasOwnCurve: Bool {
    if case .curve = transfer { exposureSeries != nil } else { false }
  }

  /// What is known of this camera, with the port and the card of another one.
  fileprivate func reading(like other: Camera) -> Camera {
    var camera = other
    (camera.transfer, camera.latency, camera.pace) = (transfer, latency, pace)
    (camera.endurance, camera.turnsOffOnce) = (endurance, turnsOffOnce)
    return camera
  }
}

extension CameraSession {
  /// Takes a shot of the card under each light.
  func shoot(_ lights: [Light], _ change: LightChange) async throws -> CameraShots {
    var series = CardSeries(of: identity)
    defer { Progress.shared.setSubject(nil) }
    for (index, light) in lights.enumerated() {
      try await changeLight(to: light.name, change)
      Progress.shared.setSubject("under \(light.name), light \(index + 1) of \(lights.count)")
      try await series.add(light, isLast: index == lights.count - 1, through: self)
    }
    var shots = try series.finished()
    shots.frames = await camera.framesTaken
    return shots
  }

  /// The laws of the exposure, by the light of the card; `nil` where it cannot be set, or they
  /// cannot be told. The camera takes back a tone curve that its exposure has made up.
  fileprivate func exposureLaws(of camera: inout Camera) async throws -> ExposureLaws? {
    // A saturation makes colors lighter or darker than they are, and leaves a neutral card alone.
    var metering = camera
    metering.meteringRegion = camera.estimator.region
    do { return try await Self.withExposureLaws(metering).exposureLaws } catch let error
      as CameraError
    {
      switch error {
      case .noControl: return nil
      case .noLaw(.exposureTime, let reason) where camera.hasOwnCurve:
        // Numbers of which light is a line that does not begin at 0 seem to bend the curve.
        metering.transfer = nil
        metering.exposureSeries = nil
        let found: Camera?
        do { found = try await Self.withExposureLaws(metering) } catch let other as CameraError {
          guard case .noLaw = other else { throw other }
          found = nil
        }
        guard let found, found.transfer == nil, let laws = found.exposureLaws, laws.gain != nil,
          case .line = laws.time?.form
        else {
          throw Failure.badData(
            "the camera's tone curve was not found, for what its exposures show contradicts itself: "
              + "\(reason). Name the curve with --transfer, such as sRGB, if you know it; "
              + CameraError.adviceWithoutProfile)
        }
        camera.transfer = nil
        camera.exposureSeries = nil
        remark(
          "Light is in no proportion to the numbers of the exposure, so the pictures do follow the "
            + "tone curve that they claim.")
        return laws
      case .noLaw, .nothingToSee, .notSettled, .sceneChanged:
        remark("What the numbers of the exposure mean was not found out: \(error).")
        return nil
      default: throw error
      }
    }
  }

  /// The camera with its exposure locked and with its transfer function found.
  ///
  /// - Parameter atReference: whether its controls are to be at their reference in the end.
  fileprivate func prepared(place: String, atReference: Bool = true) async throws -> Camera {
    var camera = atReference ? camera : try await camera.holdingBalance()
    if try await camera.lockExposure() == false, !isSimulated {
      remark("The camera's exposure cannot be controlled; make sure that it stays fixed.")
    }
    func setToReference() async throws {
      if let laws = profile?.laws {
        try await ProbedCamera(camera, laws: laws).setToReference()
      } else {
        try await camera.setToReference()
      }
    }
    let needsTransfer = camera.transfer == nil ? try await camera.canExpose() : false
    if !needsTransfer {
      if !atReference, try await camera.estimate(frames: 2).isAccepted { return camera }
      try await setToReference()
      if try await camera.estimate().isAccepted { return camera }
    }
    // Away from neutral a matrix makes of an even card one that varies, and only on a neutral one
    // do all channels have the same codes, which tell of one curve.
    do throws(CameraError) {
      camera = try await camera.neutralizingCard { Progress.shared.show($0) }
    } catch {
      switch error {
      // What cannot be set is at its reference.
      case .noWhiteBalance: try Calibrate.accept(try await camera.estimate(), place: place)
      case .nothingToSee(let refusals):
        throw Failure.badData("\(place): \(refusals.sentenceWithAdvice)")
      default: throw error
      }
    }
    if needsTransfer, let series = try await Self.exposureSeries(of: camera) {
      camera.exposureSeries = series
      if series.transfer != .sRGB {
        camera.transfer = series.transfer
        remark("The pictures follow \(series.transfer.summary), not the one that they claim.")
      }
    }
    if atReference { try await setToReference() }
    return camera
  }

  /// The camera's transfer function and what else exposures tell, with a progress line.
  static func exposureSeries(of camera: Camera) async throws(CameraError) -> ExposureSeries? {
    try await camera.exposureSeries { seen in
      Progress.shared.show("measuring the tone curve: \(seen) exposures seen")
    }
  }

  /// The card at the reference, under the light that is on it.
  func cardAtReference(of light: Light, place: String) async throws -> GrayCardEstimate {
    try await changeLight(to: light.name, LightChange(count: 1))
    let estimate = try await prepared(place: place).estimate()
    try Calibrate.accept(estimate, place: place)
    return estimate
  }

  /// Makes the named light shine on the card: by a command, by the person's hands, or by itself in
  /// the simulated room, where the light follows the command and the person too.
  func changeLight(to name: String, _ change: LightChange) async throws {
    let isRoom = simulated != nil && device.light == nil
    let lamp = isRoom ? try DeviceSpecification.lamp(named: name) : nil
    if let command = change.command {
      try run(command, light: name)
    } else if simulated == nil || device.asksForLight, change.count > 1 {
      try await Prompt.ask(
        "Put the light \(name) on the gray card, the card in the middle of the picture, and press Return."
      )
    }
    if let lamp { await simulated?.setLamp(lamp) }
    noteLight(name)
  }

  private func run(_ command: String, light: String) throws {
    // What it prints must not meet a line that is redrawn.
    Progress.shared.show(nil)
    if Progress.shared.isShown { remark("Putting up the light \(light): \(command)") }
    let status = try ShellCommand.run(command, environment: ["WBCAL_LIGHT": light])
    guard status == 0 else {
      throw Failure(
        message:
          "the command that changes the light to \(light) failed (status \(status)): \(command)",
        code: .inputOutput)
    }
  }
}

extension TransferFunction {
  /// What pictures follow, as a part of a sentence.
  var summary: String {
    guard case .curve(let curve) = self else { return "the tone curve \(name)" }
    return "a tone curve of their own, measured at \(curve.points.count - 1) exposures"
  }
}
