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
  private var cards: Cards?

  private enum Cards: Sendable {
    /// A camera that is learned from the cards.
    case learning(CameraLearning)
    /// A camera whose controls are known.
    case known(ProbedCamera, LightComparison)
  }

  /// No shot yet, of a camera.
  init(of identity: CameraIdentity) { found = CameraShots(identity: identity) }

  /// Takes a shot under the light that is on the card. What is not known of the camera is learned
  /// from all of them.
  ///
  /// - Parameter isLast: whether no other one follows, or may follow.
  mutating func add(
    _ light: Light, isLast: Bool = true, through session: CameraSession
  ) async throws {
    Progress.shared.show("watching the picture")
    switch cards {
    case .known(let camera, var comparison):
      let probed = camera.moved(to: camera.camera.reading(like: session.camera))
      try await probed.lockExposure()
      try await comparison.add(probed, isLast: isLast) { Progress.shared.show($0) }
      cards = .known(camera, comparison)
    case .learning(var learning):
      let camera = learning.camera.reading(like: session.camera)
      try await camera.lockExposure()
      try await learning.add(camera, isLast: isLast) { Progress.shared.show($0) }
      cards = .learning(learning)
    case nil:
      if let laws = session.profile?.laws {
        let camera = try await session.prepared(
          place: "under \(light.name)", atReference: false)
        let probed = ProbedCamera(camera, laws: laws)
        (found.exposure, found.transfer) = (session.profile?.exposure, camera.transfer)
        var comparison = LightComparison(probed)
        try await comparison.add(probed, isLast: isLast) { Progress.shared.show($0) }
        cards = .known(probed, comparison)
      } else {
        var learning = CameraLearning(try await session.locked())
        try await learning.add(learning.camera, isLast: isLast) { Progress.shared.show($0) }
        cards = .learning(learning)
      }
    }
    if isLast, case .learning(var learning) = cards {
      (found.exposure, found.transfer) = try await session.exposure(by: &learning)
      cards = .learning(learning)
    }
    lights.append(light)
  }

  /// What all shots together tell.
  ///
  /// - Throws: `Failure` for a card that is out of reach.
  func finished() throws -> CameraShots {
    var result = found
    let shots: [(response: LinearRGB?, error: Double)]
    switch cards {
    case nil: return found
    case .known(_, let comparison):
      result.laws = comparison.laws
      shots = comparison.responses.map { ($0, 0) }
    case .learning(let learning):
      guard let laws = learning.laws() else {
        throw Failure.badData("the camera's controls have not shown what they do")
      }
      result.laws = laws
      shots = learning.responses(by: laws).map { ($0.response, $0.error) }
    }
    // What laws leave open to this size they state themselves.
    let smallError = 4 * CalibrationShot.defaultNoise
    for (light, shot) in zip(lights, shots) {
      guard let response = shot.response else {
        throw Failure.badData("the card under \(light.name) is out of reach")
      }
      result.shots.append(
        try CalibrationShot(
          light: light, response: response,
          noise: shot.error > smallError ? shot.error : CalibrationShot.defaultNoise,
          source: result.identity.id))
    }
    return result
  }
}

extension Camera {
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

  /// The laws of the exposure, by the light of the card, and the tone curve if it is another than
  /// the pictures claim; no laws where the exposure cannot be set, or they cannot be told.
  ///
  /// Where light is in no proportion to the exposure's numbers, what was learned by them is learned
  /// anew without that.
  fileprivate func exposure(
    by learning: inout CameraLearning
  ) async throws -> (laws: ExposureLaws?, transfer: TransferFunction?) {
    var laws: ExposureLaws?
    do { laws = try await exposureLaws(under: learning) } catch {
      switch error {
      case .noControl: break
      case .noLaw(.exposureTime, _):
        learning.distrustExposures()
        do throws(CameraError) { laws = try await exposureLaws(under: learning) } catch {
          guard error.leavesExposureUnknown else { throw error }
          remark("What the numbers of the exposure mean was not found out: \(error).")
        }
      default:
        guard error.leavesExposureUnknown else { throw error }
        remark("What the numbers of the exposure mean was not found out: \(error).")
      }
    }
    if let known = learning.camera.transfer { return (laws, known) }
    if learning.transfer == .sRGB { return (laws, nil) }
    remark("The pictures follow \(learning.transfer.summary), not the one that they claim.")
    return (laws, learning.transfer)
  }

  private func exposureLaws(
    under learning: CameraLearning
  ) async throws(CameraError) -> ExposureLaws? {
    var camera = learning.camera
    camera.transfer = camera.transfer ?? learning.transfer
    // A saturation makes colors lighter or darker than they are, and leaves a neutral card alone.
    camera.meteringRegion = camera.estimator.region
    return try await Self.withExposureLaws(camera).exposureLaws
  }

  /// The camera with its exposure locked, and its controls held where they are.
  ///
  /// - Parameter holdingBalance: whether the automatic is turned off for good.
  fileprivate func locked(holdingBalance: Bool = true) async throws -> Camera {
    let camera = holdingBalance ? try await camera.holdingBalance() : camera
    if try await camera.lockExposure() == false, !isSimulated {
      remark("The camera's exposure cannot be controlled; make sure that it stays fixed.")
    }
    return camera
  }

  /// The camera with its exposure locked and with its transfer function found.
  ///
  /// - Parameter atReference: whether its controls are to be at their reference in the end.
  fileprivate func prepared(place: String, atReference: Bool = true) async throws -> Camera {
    var camera = try await locked(holdingBalance: !atReference)
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
    } else if let recorded {
      if device.light == nil { try await DeviceSpecification.setLight(named: name, of: recorded) }
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

extension CameraError {
  /// Whether nothing is wrong but that an exposure's numbers were not found out.
  fileprivate var leavesExposureUnknown: Bool {
    switch self {
    case .noLaw, .nothingToSee, .notSettled, .sceneChanged, .exposureNotSeen: true
    default: false
    }
  }
}

extension TransferFunction {
  /// What pictures follow, as a part of a sentence.
  var summary: String {
    if case .curve = self { "a tone curve of their own" } else { "the tone curve \(name)" }
  }
}
