internal import CameraProfiles
internal import ColorScience
internal import WhiteBalance

extension Camera {
  /// Makes the gray card neutral as nearly as the controls can, and leaves them there.
  ///
  /// Nothing needs to be known of the controls, nor of what stands behind the gains: equal codes
  /// are equal light under any tone curve, and a color matrix leaves gray as it is. Each control is
  /// moved a little to see what it does to the card, and steps follow until none brings it nearer.
  /// What fails leaves the camera as it was before.
  ///
  /// - Parameter progress: called before each step.
  /// - Throws: `CameraError.noWhiteBalance` where there is no control, `noLaw` where the picture
  ///   does not change with one, `nothingToSee` where the card is refused, `automaticReturned` or
  ///   `sceneChanged` where the picture does not stay, `superseded` by a newer operation that
  ///   decides the white balance.
  public func neutralizeCard(
    progress: (NeutralizingStep) -> Void = { _ in }
  ) async throws(CameraError) -> NeutralizedCard {
    try await restoringOnFailure(decidesBalance: true) { camera async throws(CameraError) in
      try await camera.balancedCard(laws: nil, for: .setting, progress)
    }
  }

  /// Makes the card neutral as a part of more, as far as it must be to be computed with, and tells
  /// what was learned of the camera.
  package func neutralizingCard(
    progress: (NeutralizingStep) -> Void = { _ in }
  ) async throws(CameraError) -> Camera {
    let card = try await neutralizeCardOfMany(laws: nil, progress)
    var camera = self
    camera.learn(from: card)
    camera.neutral = card.applied.values
    return camera
  }

  /// Takes over what a card that was made neutral has told.
  mutating func learn(from card: NeutralizedCard) {
    (latency, pace, endurance) = (card.latency, card.pace, card.applied.endurance)
    flickers = flickers || card.flickers
  }

  /// Turns the automatic off for good, and sets the controls to where they are: so they come to
  /// rest while the exposure is found, and the time counts in which the automatic may come back.
  ///
  /// - Returns: the camera that knows of it.
  package func holdingBalance() async throws(CameraError) -> Camera {
    try await restoringOnFailure { camera async throws(CameraError) in
      var held = self
      held.turnsOffOnce = true
      // The start of a stream may turn it on.
      try await camera.skipFrames(1)
      try await camera.turnOffAutomatic()
      do throws(CameraError) {
        try await camera.send(try await camera.usableValues(of: camera.balancingControls()))
      } catch {
        guard case .noWhiteBalance = error else { throw error }
      }
      return held
    }
  }

  func neutralizeCardOfMany(
    laws: ControlLaws?, _ progress: (NeutralizingStep) -> Void
  ) async throws(CameraError) -> NeutralizedCard {
    try await restoringOnFailure(decidesBalance: true) { camera async throws(CameraError) in
      try await camera.balancedCard(laws: laws, for: .shot, progress)
    }
  }

  /// Makes the card neutral by laws, if they are known.
  dynamic func balancedCard(
    laws: ControlLaws?, for purpose: CardBalancing.Purpose,
    _ progress: (NeutralizingStep) -> Void = { _ in }
  ) async throws(CameraError) -> NeutralizedCard {
    var camera = self
    while true {
      var balancing = try await CardBalancing(camera, laws: laws, for: purpose)
      if let card = try await balancing.run(progress) { return card }
      camera = balancing.camera
    }
  }

  /// Whether the light flickers: what a long look has told, or more frames do.
  func tellsFlicker(_ seen: PictureWatch.Rest) async throws(CameraError) -> Bool {
    if let flickers = seen.flickers {
      flickers
    } else {
      try await estimateAndFlicker().flickers
    }
  }

  /// The distance from neutral up to which nobody asks why it is not less.
  static let wellNeutral = 0.6

  /// The controls by which a card is made neutral: red and blue, or one that moves both.
  func balancingControls() async throws(CameraError) -> [ControlDescription] {
    try await learnableControls()[0].descriptions.filter { $0.id != .greenBalance }
  }

  /// Where the controls are; or, if the picture is black or clipped there, where it is not.
  func startingPlace(
    _ controls: [ControlDescription]
  ) async throws(CameraError) -> Place {
    let values = try await usableValues(of: controls)
    if turnsOffOnce, latency == nil, !flickers, let held = await turns.balances,
      held.values == values
    {
      let frames = await framesTaken - held.frame
      if let seen = try await rest(after: max(Self.longestLatency - frames, 0)) {
        return Place(values: values, seen: seen)
      }
    }
    if let seen = try await observe(values) { return Place(values: values, seen: seen) }
    return try await findReference(controls)
  }

  /// What controls are set to, or where that is nothing that can be set, what can.
  func usableValues(
    of controls: [ControlDescription]
  ) async throws(CameraError) -> [ControlValue] {
    var values: [ControlValue] = []
    for control in controls {
      let value = try await port.value(of: control.id)
      let choices = control.choices
      let isFit = control.accepts(value) && (choices.isEmpty || choices.contains(value))
      values.append(
        ControlValue(control.id, isFit ? value : choices.first ?? control.defaultValue))
    }
    return values
  }

  /// What controls are set to now.
  func settings(of values: [ControlValue]) async throws(CameraError) -> [ControlValue] {
    var now: [ControlValue] = []
    for value in values { now.append(ControlValue(value.id, try await port.value(of: value.id))) }
    return now
  }
}

/// What happens while a card is made neutral.
public enum NeutralizingStep: Hashable, Sendable {
  /// The controls are moved, so many settings after the first.
  case looking(settings: Int)
  /// The picture is watched, whether it stays.
  case watching(frame: Int, of: Int)
}

extension ControlDescription {
  /// The nearest value that can be set; of a menu, the nearest that is chosen from.
  func nearest(_ value: Int) -> Int {
    items.isEmpty
      ? snapped(Double(value)) : choices.min { abs($0 - value) < abs($1 - value) } ?? value
  }
}
