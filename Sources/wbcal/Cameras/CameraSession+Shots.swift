import CameraControl
import CameraProfiles
import ColorScience
import SimulatedCamera
import WhiteBalance

/// The way in which the lamp on the card is changed between shots.
struct LightChange: Sendable {
  /// The shell command that changes the lamp; `nil` if the user changes it.
  var command: String?
  /// The number of lamps; a single lamp is on already.
  var count: Int
}

/// Shots taken with a camera, and what they revealed about the camera.
struct CameraShots: Sendable {
  var shots: [CalibrationShot] = []
  var identity: CameraIdentity
  var laws: ControlLaws?
  var exposure: ExposureLaws?
  var transfer: TransferFunction?
  /// The number of frames that were read.
  var frames = 0
}

/// Shots of the card under several lamps in turn.
struct CardSeries: Sendable {
  private(set) var lights: [Light] = []
  private var found: CameraShots
  private var cards: Cards?

  private indirect enum Cards: Sendable {
    /// A camera that is being learned from the cards.
    case learning(CameraLearning)
    /// A camera whose controls are known.
    case known(ProbedCamera, KnownLawsCalibrator)
  }

  /// Creates a series without shots.
  init(of identity: CameraIdentity) { found = CameraShots(identity: identity) }

  /// Takes a shot under the lamp that lights the card. Unknown properties of the camera are learned
  /// from all shots together.
  ///
  /// - Parameter isLast: `true` if no other shot follows or may follow.
  mutating func add(
    _ light: Light, isLast: Bool = true, through session: CameraSession
  ) async throws {
    Progress.shared.show("watching the picture")
    switch cards {
    case .known(let camera, var comparison):
      let probed = camera.moved(to: session.camera.withKnowledge(of: camera.camera))
      try await probed.lockExposure()
      try await comparison.add(probed, isLast: isLast) { Progress.shared.show($0) }
      cards = .known(camera, comparison)
    case .learning(var learning):
      let camera = session.camera.withKnowledge(of: learning.camera)
      try await camera.lockExposure()
      try await learning.add(camera, under: light, isLast: isLast) { Progress.shared.show($0) }
      cards = .learning(learning)
    case nil:
      if let laws = session.profile?.laws {
        let camera = try await session.prepared(
          place: "under \(light.name)", atReference: false)
        let probed = ProbedCamera(camera, laws: laws)
        (found.exposure, found.transfer) = (session.profile?.exposure, camera.transfer)
        var comparison = KnownLawsCalibrator(probed)
        try await comparison.add(probed, isLast: isLast) { Progress.shared.show($0) }
        cards = .known(probed, comparison)
      } else {
        let camera = try await session.camera.holdingBalance()
        let (isSet, picture) = try await camera.lockExposureKeepingPicture()
        session.noteExposure(isSet: isSet)
        var learning = CameraLearning(camera, since: picture)
        try await learning.add(learning.camera, under: light, isLast: isLast) {
          Progress.shared.show($0)
        }
        cards = .learning(learning)
      }
    }
    if isLast, case .learning(var learning) = cards {
      (found.exposure, found.transfer) = try await session.exposure(by: &learning)
      cards = .learning(learning)
    }
    lights.append(light)
  }

  /// Returns the result of all shots.
  ///
  /// - Throws: `Failure` if the controls have shown no effect or a card is out of the controls'
  ///   range.
  func finished() throws -> CameraShots {
    var result = found
    let responses: [LinearRGB?]
    switch cards {
    case nil: return found
    case .known(_, let comparison):
      result.laws = comparison.laws
      responses = comparison.responses
    case .learning(let learning):
      guard let laws = learning.laws() else {
        throw Failure.badData(
          "no law describes the camera's controls: their measured gains neither rise nor fall with "
            + "their values", advice: "; 'wbcal gray' works")
      }
      result.laws = laws
      responses = learning.responses(by: laws)
    }
    for (light, response) in zip(lights, responses) {
      guard let response else {
        throw Failure.badData(
          "neutral under \(light.name) is out of reach of the camera's controls")
      }
      result.shots.append(
        try CalibrationShot(light: light, response: response, source: result.identity.id))
    }
    return result
  }
}

extension CameraSession {
  /// Takes a shot of the card under each lamp.
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

  /// Returns the exposure laws, measured on the card, and the tone curve if it is not the one that
  /// the pictures' format states. There are no laws if the exposure cannot be set or no law could
  /// be determined.
  ///
  /// If linear values are not proportional to the control's values of the exposure time, the model
  /// of the camera is fitted again as if the light of each exposure were unknown.
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
          remark("The effect of the exposure's values could not be determined: \(error).")
        }
      default:
        guard error.leavesExposureUnknown else { throw error }
        remark("The effect of the exposure's values could not be determined: \(error).")
      }
    }
    if let known = learning.camera.transfer { return (laws, known) }
    if learning.transfer == .sRGB { return (laws, nil) }
    remark("The pictures follow \(learning.transfer.summary), not the one that the camera reports.")
    return (laws, learning.transfer)
  }

  private func exposureLaws(
    under learning: CameraLearning
  ) async throws(CameraError) -> ExposureLaws? {
    var camera = learning.camera
    camera.transfer = camera.transfer ?? learning.foundTransfer
    // A saturation changes the lightness of colors, but not that of a neutral card.
    camera.meteringRegion = camera.estimator.region
    return try await Self.withExposureLaws(camera).exposureLaws
  }

  /// Asks the user to keep the exposure fixed if the camera has no control of it.
  fileprivate func noteExposure(isSet: Bool) {
    if isSet || isSimulated { return }
    remark("The camera's exposure cannot be controlled; make sure that it stays fixed.")
  }

  /// Returns the camera with its exposure locked and its transfer function known.
  ///
  /// - Parameter atReference: `true` to leave the controls at their reference.
  fileprivate func prepared(place: String, atReference: Bool = true) async throws -> Camera {
    var camera = atReference ? camera : try await camera.holdingBalance()
    noteExposure(isSet: try await camera.lockExposure())
    func setToReference() async throws {
      if let laws = profile?.laws {
        try await ProbedCamera(camera, laws: laws).setToReference()
      } else {
        try await camera.setToReference()
      }
    }
    let needsTransfer = camera.transfer == nil ? try await camera.hasManualExposure : false
    if !needsTransfer {
      if !atReference, try await camera.estimate(frames: 2).isAccepted { return camera }
      try await setToReference()
      if try await camera.estimate().isAccepted { return camera }
    }
    // Far from neutral, a color matrix makes an even card appear uneven. Only on a neutral card do
    // all channels have the same codes, which belong to one curve.
    do throws(CameraError) {
      camera = try await camera.balancedOnCard { Progress.shared.show($0) }
    } catch {
      switch error {
      // A camera without such controls is always at its reference.
      case .noWhiteBalance: try Calibrate.accept(try await camera.estimate(), place: place)
      case .cardUnreadable(let refusals):
        throw Failure(refusals, at: place)
      default: throw error
      }
    }
    if needsTransfer, let series = try await Self.exposureSeries(of: camera) {
      camera.exposureSeries = series
      if series.transfer != .sRGB {
        camera.transfer = series.transfer
        remark(
          "The pictures follow \(series.transfer.summary), not the one that the camera reports.")
      }
    }
    if atReference { try await setToReference() }
    return camera
  }

  /// Measures the camera's transfer function, and the law and latency of its exposure time, with a
  /// progress line.
  static func exposureSeries(of camera: Camera) async throws(CameraError) -> ExposureSeries? {
    try await camera.exposureSeries { seen in
      Progress.shared.show("measuring the tone curve: exposure \(seen)")
    }
  }

  /// Measures the card at the reference, under the lamp that lights it.
  func cardAtReference(of light: Light, place: String) async throws -> GrayCardEstimate {
    try await changeLight(to: light.name, LightChange(count: 1))
    let estimate = try await prepared(place: place).estimate()
    try Calibrate.accept(estimate, place: place)
    return estimate
  }

  /// Switches the lamp on the card by a command, by asking the user, or directly in the simulated
  /// room. The lamp of the simulated room is changed in each of these cases.
  func changeLight(to name: String, _ change: LightChange) async throws {
    let isRoom = simulated != nil && device.light == nil
    let lamp = isRoom ? try DeviceSpecification.lamp(named: name) : nil
    if let command = change.command {
      try run(command, light: name)
    } else if let recorded {
      if device.light == nil { try await DeviceSpecification.setLight(named: name, of: recorded) }
    } else if simulated == nil || device.asksForLight, change.count > 1 {
      try await Prompt.ask(
        "Switch to lamp \(name), with the gray card in the middle of the picture, and press Return."
      )
    }
    if let lamp { await simulated?.setLamp(lamp) }
    noteLight(name)
  }

  private func run(_ command: String, light: String) throws {
    // The command's output must not mix with a line that is redrawn.
    Progress.shared.show(nil)
    if Progress.shared.isShown { remark("Switching to lamp \(light): \(command)") }
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
  /// `true` if the only effect of the error is that the exposure laws stay unknown.
  fileprivate var leavesExposureUnknown: Bool {
    switch self {
    case .noLaw, .cardUnreadable, .notSettled, .sceneChanged, .exposureNotSeen: true
    default: false
    }
  }
}

extension TransferFunction {
  /// The tone curve of pictures, as a part of a sentence.
  var summary: String {
    if case .curve = self { "a tone curve of their own" } else { "the tone curve \(name)" }
  }
}
