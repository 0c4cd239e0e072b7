public import CameraProfiles
public import ColorScience
internal import WhiteBalance

/// Gray cards under several lights, one after the other, in front of a camera with known laws.
public struct KnownLawsCalibrator: Sendable {
  /// A neutralized card.
  private struct Card: Sendable {
    var values: [ControlValue]
    /// The card's linear color in the picture.
    var picture: LinearRGB
  }

  private let first: ControlLaws
  private var cards: [Card] = []
  /// The persistence of settings, as far as it was determined.
  private var persistence: SettingPersistence?

  /// Creates a comparison without cards, for a camera that was probed.
  public init(_ camera: ProbedCamera) {
    first = camera.laws
    persistence = camera.camera.persistence ?? camera.laws.persistence
  }

  /// Neutralizes the card and records its picture.
  ///
  /// - Parameters:
  ///   - camera: The camera that was probed.
  ///   - progress: A closure that is called before each step.
  /// - Throws: The errors of `ProbedCamera.balanceOnCard()`; `cardUnreadable` if the card is
  ///   refused; `relativeToAutomatic` if another light shows that gains are relative to where
  ///   automatic white balance stopped.
  public mutating func add(
    _ camera: ProbedCamera, progress: (NeutralizingStep) -> Void = { _ in }
  ) async throws(CameraError) {
    try await add(camera, isLast: true, progress: progress)
  }

  /// Neutralizes the card; the persistence of settings is determined with the last card, since much
  /// of the time in which they may be lost has passed by then.
  package mutating func add(
    _ added: ProbedCamera, isLast: Bool, progress: (NeutralizingStep) -> Void = { _ in }
  ) async throws(CameraError) {
    let camera = added.knowing(persistence)
    if !cards.isEmpty { await camera.camera.turns.forgetWatched() }
    let neutral = try await camera.camera.balanceOnCardOfMany(laws: camera.laws, progress)
    if persistence == nil, isLast, camera.camera.verificationFrames > 0 {
      let seen = try await camera.examinePersistence(
        of: neutral, isOtherLight: !cards.isEmpty, progress)
      if !cards.isEmpty, seen.baseline == .relativeToAutomatic {
        throw .relativeToAutomatic(camera: await camera.camera.port.identity.name)
      }
      persistence = seen
    } else if !cards.isEmpty, let known = persistence, known.baseline != .relativeToAutomatic {
      // Under one light, the automatic may stop at the same place each time.
      persistence?.baseline = .init(
        isRelative: try await camera.camera.isRelative(neutral.applied.values))
      if persistence?.baseline == .relativeToAutomatic {
        throw .relativeToAutomatic(camera: await camera.camera.port.identity.name)
      }
    }
    var card = Card(values: neutral.applied.values, picture: neutral.estimate.response)
    if neutral.response == nil {
      // Beyond the range of the laws, the card at their reference can still be measured.
      try await camera.setToReference()
      let estimate = try await camera.camera.estimate()
      guard estimate.isAccepted else { throw .cardUnreadable(estimate.refusals) }
      card = Card(values: first.reference, picture: estimate.response)
    }
    cards.append(card)
  }

  /// The laws, with the persistence that was determined.
  public var laws: ControlLaws {
    var laws = first
    laws.persistence = persistence
    return laws
  }

  /// Calibration shots: the camera's response to each card at the laws' reference, with green 1.
  /// `nil` outside the range of the laws.
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
  /// Returns this camera with a persistence, unless it already has one.
  fileprivate func knowing(_ persistence: SettingPersistence?) -> ProbedCamera {
    var camera = camera
    camera.persistence = camera.persistence ?? persistence
    if camera.persistence != nil { camera.automaticOffPolicy = .beforeEachSetting }
    return moved(to: camera)
  }

  /// Determines the persistence of settings at which the card is not neutral.
  fileprivate func examinePersistence(
    of neutral: CardBalance, isOtherLight: Bool, _ progress: (NeutralizingStep) -> Void
  ) async throws(CameraError) -> SettingPersistence {
    try await camera.performing { camera async throws(CameraError) in
      guard let seen = try await camera.settledPicture(after: 0) else {
        throw try await camera.unseen()
      }
      let observed = try await camera.moved(
        laws.controls[0], from: ObservedSetting(values: neutral.applied.values, picture: seen))
      return try await camera.examinePersistence(
        of: observed.values, seen: observed.picture, isOtherLight: isOtherLight
      ) { progress(.watching(frame: $0, of: $1)) }
    }
  }
}

extension Camera {
  /// Indicates whether settings have another effect after the automatic has had time to settle.
  fileprivate func isRelative(_ values: [ControlValue]) async throws(CameraError) -> Bool? {
    try await performing { camera async throws(CameraError) in
      guard let seen = try await camera.settledPicture() else { return nil }
      return try await camera.isRelative(values, seen: seen, after: Self.frameLimit)
    }
  }
}
