public import CameraProfiles
public import ColorScience
internal import WhiteBalance

/// Gray cards under several lights, one after the other, before a camera whose laws are known.
public struct LightComparison: Sendable {
  /// A card that was made neutral.
  private struct Card: Sendable {
    var values: [ControlValue]
    /// The linear picture of it.
    var picture: LinearRGB
  }

  private let first: ControlLaws
  private var cards: [Card] = []
  /// What becomes of settings, as far as it was found out.
  private var endurance: Endurance?

  /// No card yet, before a camera that was probed.
  public init(_ camera: ProbedCamera) {
    first = camera.laws
    endurance = camera.camera.endurance ?? camera.laws.endurance
  }

  /// Makes the card neutral, and keeps what it looks like.
  ///
  /// - Parameters:
  ///   - camera: the one that was probed.
  ///   - progress: as `Camera.neutralizeCard(progress:)` calls it.
  /// - Throws: as `ProbedCamera.neutralizeCard()`; `nothingToSee` where the card is refused;
  ///   `relativeToAutomatic` where another light shows that gains start from where the automatic
  ///   stopped.
  public mutating func add(
    _ camera: ProbedCamera, progress: (NeutralizingStep) -> Void = { _ in }
  ) async throws(CameraError) {
    try await add(camera, isLast: true, progress: progress)
  }

  /// The same; what is to be found out of settings only once is found out with the last card, when
  /// much of the time has passed in which they may be lost.
  package mutating func add(
    _ added: ProbedCamera, isLast: Bool, progress: (NeutralizingStep) -> Void = { _ in }
  ) async throws(CameraError) {
    let camera = added.knowing(endurance)
    if !cards.isEmpty { await camera.camera.turns.forgetWatched() }
    let neutral = try await camera.camera.neutralizeCardOfMany(laws: camera.laws, progress)
    if endurance == nil, isLast, camera.camera.watchedFrames > 0 {
      let seen = try await camera.examineEndurance(
        of: neutral, isOtherLight: !cards.isEmpty, progress)
      if !cards.isEmpty, seen.isRelative == true {
        throw .relativeToAutomatic(camera: await camera.camera.port.identity.name)
      }
      endurance = seen
    } else if !cards.isEmpty, let known = endurance, known.isRelative != true {
      // Under one light the automatic may stop at the same place each time.
      endurance?.isRelative = try await camera.camera.isRelative(neutral.applied.values)
      if endurance?.isRelative == true {
        throw .relativeToAutomatic(camera: await camera.camera.port.identity.name)
      }
    }
    var card = Card(values: neutral.applied.values, picture: neutral.estimate.response)
    if neutral.response == nil {
      // Where the laws do not reach they tell of their reference all the same.
      try await camera.setToReference()
      let estimate = try await camera.camera.estimate()
      guard estimate.isAccepted else { throw .nothingToSee(estimate.refusals) }
      card = Card(values: first.reference, picture: estimate.response)
    }
    cards.append(card)
  }

  /// The laws, with what was found out of what becomes of settings.
  public var laws: ControlLaws {
    var laws = first
    laws.endurance = endurance
    return laws
  }

  /// The camera's response to each card at the laws' reference, green 1: calibration shots. `nil`
  /// where the laws do not reach.
  public var responses: [LinearRGB?] {
    cards.map { card in
      let gains = first.gains(at: card.values)
      let light = first.mixing.map { $0.unmixed(card.picture) } ?? card.picture
      guard gains.arePositiveAndFinite, let missing = Gains(neutralizing: light) else { return nil }
      let wanted = gains.vector * missing.vector
      return LinearRGB(wanted.y / wanted)
    }
  }
}

extension ProbedCamera {
  /// The same camera, of which more is known.
  fileprivate func knowing(_ endurance: Endurance?) -> ProbedCamera {
    var camera = camera
    camera.endurance = camera.endurance ?? endurance
    if camera.endurance != nil { camera.turnsOffOnce = false }
    return moved(to: camera)
  }

  /// What becomes of settings, away from where a card is neutral.
  fileprivate func examineEndurance(
    of neutral: NeutralizedCard, isOtherLight: Bool, _ progress: (NeutralizingStep) -> Void
  ) async throws(CameraError) -> Endurance {
    try await camera.performing { camera async throws(CameraError) in
      guard let seen = try await camera.rest(after: 0) else { throw try await camera.unseen() }
      let place = try await camera.moved(
        laws.controls[0], from: Place(values: neutral.applied.values, seen: seen))
      return try await camera.examineEndurance(
        of: place.values, seen: place.seen, isOtherLight: isOtherLight
      ) { progress(.watching(frame: $0, of: $1)) }
    }
  }
}

extension Camera {
  /// Whether settings look otherwise after the automatic has had the time to come to rest.
  fileprivate func isRelative(_ values: [ControlValue]) async throws(CameraError) -> Bool? {
    try await performing { camera async throws(CameraError) in
      guard let seen = try await camera.rest() else { return nil }
      return try await camera.isRelative(values, seen: seen, after: Self.frameLimit)
    }
  }
}
