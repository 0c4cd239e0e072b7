public import CameraProfiles
public import ColorScience
internal import WhiteBalance

/// Gray cards under several lights, one after the other, and what they say together of the camera's
/// laws.
///
/// A camera that mixes its channels behind the gains tells only under a second light how strong its
/// gains are, so the responses of all cards are computed at the end.
public struct LightComparison: Sendable {
  /// A card that was made neutral.
  private struct Card: Sendable {
    var values: [ControlValue]
    /// The linear picture of it.
    var picture: LinearRGB
    /// What the first card's value of one control makes of it.
    var moved: [(control: ControlID, sample: ChannelProbe.Sample)]
  }

  private let probe: ChannelProbe?
  private let first: ControlLaws
  private var cards: [Card] = []
  /// What becomes of settings, as far as it was found out.
  private var endurance: Endurance?

  /// No card yet, before a camera that was probed.
  public init(_ camera: ProbedCamera) {
    (probe, first) = (camera.probe, camera.laws)
    endurance = camera.camera.endurance ?? camera.laws.endurance
  }

  /// Makes the card neutral, and keeps what it looks like; where the laws leave something open, the
  /// controls are moved to where the first card was neutral, and back.
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
    if endurance == nil, isLast {
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
    var card = Card(values: neutral.applied.values, picture: neutral.estimate.response, moved: [])
    if neutral.response == nil {
      // Where the laws do not reach they tell of their reference all the same.
      try await camera.setToReference()
      let estimate = try await camera.camera.estimate()
      guard estimate.isAccepted else { throw .nothingToSee(estimate.refusals) }
      card = Card(values: first.reference, picture: estimate.response, moved: [])
    } else if probe != nil, first.mixing != nil {
      let (here, first) = (card.values, cards.first?.values ?? [])
      card.moved = try await camera.camera.restoringOnFailure { camera async throws(CameraError) in
        try await camera.move(from: here, to: first)
      }
    }
    cards.append(card)
  }

  /// The laws, as well as all cards together tell them.
  ///
  /// - Throws: `noLaw` for a control whose gains follow none.
  public func laws() throws(CameraError) -> ControlLaws {
    var laws = first
    if let probe, first.mixing != nil, let lengths = probe.lengths(from: swaps) {
      laws = try probe.laws(latency: first.latency ?? 0, lengths: lengths)
      (laws.held, laws.pace) = (first.held, first.pace)
    }
    laws.endurance = endurance
    return laws
  }

  /// The camera's response to each card at the laws' reference, green 1: calibration shots. `nil`
  /// where the laws do not reach.
  public func responses(by laws: ControlLaws) -> [LinearRGB?] {
    cards.map { card in
      let gains = laws.gains(at: card.values)
      let light = laws.mixing.map { $0.unmixed(card.picture) } ?? card.picture
      guard gains.arePositiveAndFinite, let missing = Gains(neutralizing: light) else { return nil }
      let wanted = gains.vector * missing.vector
      return LinearRGB(wanted.y / wanted)
    }
  }

  /// What the first card, under whose light the controls were probed, and each other one say of a
  /// control that is moved to and fro between their values.
  private var swaps: [ChannelProbe.Swap] {
    cards.flatMap { card in
      card.moved.compactMap { moved in
        guard let there = cards.first?.values[moved.control],
          let here = card.values[moved.control], there != here
        else { return nil }
        return ChannelProbe.Swap(
          control: moved.control,
          other: ChannelProbe.light(of: card.picture, without: probe?.saturation),
          moved: ChannelProbe.light(
            of: moved.sample.mean, exposure: moved.sample.exposure, without: probe?.saturation),
          values: (there, here, moved.sample.value))
      }
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

  /// What each of the channels' controls makes of the picture at another value or on the way there,
  /// the others left as they are; at the end all are.
  fileprivate func move(
    from here: [ControlValue], to others: [ControlValue]
  ) async throws(CameraError) -> [(control: ControlID, sample: ChannelProbe.Sample)] {
    var moved: [(control: ControlID, sample: ChannelProbe.Sample)] = []
    guard let rest = try await rest(after: 0) else { throw try await unseen() }
    var ways: [(id: ControlID, values: [[ControlValue]])] = []
    for value in others {
      guard let start = here[value.id], start != value.value,
        let control = await port.description(of: value.id)
      else { continue }
      // All the way the card may leave the picture.
      let targets = [1, 0.6, 0.35].map {
        control.snapped(Double(start) + $0 * Double(value.value - start))
      }
      ways.append(
        (value.id, targets.filter { $0 != start }.map { here.replacing(value.id, by: $0) }))
    }
    ways.removeAll(where: \.values.isEmpty)
    let quick = try await look(inSuccession: ways.map { $0.values[0] }, like: rest)
    for (way, quick) in zip(ways, quick) {
      for (index, values) in way.values.enumerated() {
        let found =
          if index == 0, let quick = quick.picture { quick } else { try await look(at: values) }
        guard let seen = found else { continue }
        moved.append(
          (
            way.id,
            ChannelProbe.Sample(
              value: values[way.id] ?? 0, mean: seen.mean, exposure: seen.exposure)
          ))
        break
      }
    }
    if !ways.isEmpty { _ = try await observe(here) }
    return moved
  }
}
