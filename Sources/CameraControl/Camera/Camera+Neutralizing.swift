internal import CameraProfiles
internal import ColorScience
internal import WhiteBalance

extension Camera {
  /// Makes the gray card as neutral as the controls can, and leaves them there.
  ///
  /// Neither the controls' laws nor the processing after the gains need to be known: equal codes
  /// are equal light with any tone curve, and a color matrix keeps gray. Each control is moved a
  /// little to measure its effect on the card; further steps follow until none brings the card
  /// nearer to neutral. On failure the previous settings are restored.
  ///
  /// - Parameter progress: A closure that is called before each step.
  /// - Throws: `CameraError.noWhiteBalance` if there is no control, `noLaw` if a control does not
  ///   change the picture, `cardUnreadable` if the card is refused, `automaticReturned` or
  ///   `sceneChanged` if the picture does not stay, `superseded` if a newer operation sets the
  ///   white balance.
  public func balanceOnCard(
    progress: (NeutralizingStep) -> Void = { _ in }
  ) async throws(CameraError) -> CardBalance {
    try await restoringOnFailure(decidesBalance: true) { camera async throws(CameraError) in
      try await camera.balancedCard(laws: nil, for: .setting, progress)
    }
  }

  /// Neutralizes the card as one step of a longer operation, as accurately as computations need,
  /// and returns the camera with what was learned.
  package func balancedOnCard(
    progress: (NeutralizingStep) -> Void = { _ in }
  ) async throws(CameraError) -> Camera {
    let card = try await balanceOnCardOfMany(laws: nil, progress)
    var camera = self
    camera.learn(from: card)
    camera.neutral = card.applied.values
    return camera
  }

  /// Updates the camera's properties from a neutralized card.
  mutating func learn(from card: CardBalance) {
    (latency, settlingRate, persistence) = (
      card.latency, card.settlingRate, card.applied.persistence
    )
    flickers = flickers || card.flickers
  }

  /// Turns automatic white balance off once and keeps the current settings, so that they settle
  /// while the exposure is found, and this time counts towards their persistence.
  ///
  /// - Returns: The camera with this information.
  package func holdingBalance() async throws(CameraError) -> Camera {
    try await restoringOnFailure { camera async throws(CameraError) in
      var held = self
      held.automaticOffPolicy = .once
      // The start of a stream may turn the automatic on.
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

  func balanceOnCardOfMany(
    laws: ControlLaws?, _ progress: (NeutralizingStep) -> Void
  ) async throws(CameraError) -> CardBalance {
    try await restoringOnFailure(decidesBalance: true) { camera async throws(CameraError) in
      try await camera.balancedCard(laws: laws, for: .shot, progress)
    }
  }

  /// Neutralizes the card, by laws if they are known.
  dynamic func balancedCard(
    laws: ControlLaws?, for purpose: CardBalancing.Purpose,
    _ progress: (NeutralizingStep) -> Void = { _ in }
  ) async throws(CameraError) -> CardBalance {
    var camera = self
    while true {
      var balancing = try await CardBalancing(camera, laws: laws, for: purpose)
      if let card = try await balancing.run(progress) { return card }
      camera = balancing.camera
    }
  }

  /// Determines whether the light flickers, from a long observation or from more frames.
  func showsFlicker(_ picture: SettledPicture) async throws(CameraError) -> Bool {
    if let flickers = picture.flickers {
      flickers
    } else {
      try await estimateAndFlicker().flickers
    }
  }

  /// The distance from neutral that is accepted without looking for a cause.
  static let wellNeutral = 0.6

  /// Returns the controls that neutralize a card: red and blue, or one that changes both.
  func balancingControls() async throws(CameraError) -> [ControlDescription] {
    try await learnableControls()[0].descriptions.filter { $0.id != .greenBalance }
  }

  /// Returns the current settings with their picture or, if that is black or clipped, settings at
  /// which it is not.
  func startingSetting(
    _ controls: [ControlDescription]
  ) async throws(CameraError) -> ObservedSetting {
    let values = try await usableValues(of: controls)
    if automaticOffPolicy == .once, latency == nil, !flickers, let held = await turns.balances,
      held.values == values
    {
      let frames = await framesTaken - held.frame
      if let seen = try await settledPicture(after: max(Self.longestLatency - frames, 0)) {
        return ObservedSetting(values: values, picture: seen)
      }
    }
    if let observed = try await observedSetting(values) { return observed }
    return try await findReference(controls)
  }

  /// Returns the controls' current settings, each replaced by a valid value if it cannot be set.
  func usableValues(
    of controls: [ControlDescription]
  ) async throws(CameraError) -> [ControlValue] {
    var values: [ControlValue] = []
    for control in controls {
      let value = try await port.value(of: control.id)
      let choices = control.choices
      let isFit = control.isValid(value) && (choices.isEmpty || choices.contains(value))
      values.append(
        ControlValue(control.id, isFit ? value : choices.first ?? control.defaultValue))
    }
    return values
  }

  /// Returns the current settings of the controls in `values`.
  func settings(of values: [ControlValue]) async throws(CameraError) -> [ControlValue] {
    var now: [ControlValue] = []
    for value in values { now.append(ControlValue(value.id, try await port.value(of: value.id))) }
    return now
  }
}

/// A step of neutralizing a card.
public enum NeutralizingStep: Hashable, Sendable {
  /// The controls are moved; `settings` counts the settings after the first.
  case looking(settings: Int)
  /// The picture is observed for stability.
  case watching(frame: Int, of: Int)
}

extension ControlDescription {
  /// Returns the nearest valid value; for a menu, the nearest choice.
  func nearest(_ value: Int) -> Int {
    items.isEmpty
      ? nearestValue(to: Double(value)) : choices.min { abs($0 - value) < abs($1 - value) } ?? value
  }
}
