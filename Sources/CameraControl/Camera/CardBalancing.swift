internal import CameraProfiles
internal import ColorScience
internal import WhiteBalance

/// Neutralizes a gray card, and learns about the camera on the way.
struct CardBalancing {
  /// The use of the neutral card.
  enum Purpose {
    /// The setting is kept: as near to neutral as the controls allow, with its persistence
    /// determined.
    case setting
    /// The card is used for computations in a longer operation: as near as these need, without
    /// persistence.
    case shot
  }

  /// The camera as it was given.
  private let given: Camera
  /// The camera with everything learned so far.
  private(set) var camera: Camera
  private let laws: ControlLaws?
  private let purpose: Purpose
  private let controls: [ControlDescription]
  /// `true` if the picture was known to be settled at the start.
  private let isStill: Bool
  /// `true` if nothing was known of the camera: the first observation, or the first move, is then
  /// long enough to detect flicker.
  private let (looksLong, firstMoveShowsFlicker): (Bool, Bool)
  private var search: NeutralSearch
  private var best: ObservedSetting
  /// The picture from which the next observation may start.
  private var shown: SettledPicture?
  private var looks = 0
  private var seenFirst: FrameInfo?

  /// The number of steps of a search for a shot, after which the search starts again.
  private static let stepsForAShot = 5

  /// Starts from the current settings.
  init(
    _ given: Camera, laws: ControlLaws?, for purpose: Purpose
  ) async throws(CameraError) {
    (self.given, self.laws, self.purpose) = (given, laws, purpose)
    var still: ObservedSetting?
    if !given.flickers, let laws {
      still = try await given.currentSettingIfSettled { camera async throws(CameraError) in
        try await camera.hold(laws)
        return try await camera.usableValues(of: camera.balancingControls())
      }
    }
    isStill = still != nil
    // A shot starts with the automatic off, and flicker would have been detected.
    let isTaken = isStill || purpose == .shot && given.latency != nil
    looksLong = purpose == .shot && !isTaken
    camera = isTaken || purpose == .shot ? given : try await given.takingOver()
    if looksLong, given.automaticOffPolicy == .beforeEachSetting {
      try await given.skipFrames(1)
      try await given.turnOffAutomatic()
    }
    if !isStill, let laws { try await given.hold(laws) }
    controls = try await given.balancingControls()
    search = NeutralSearch(controls: controls)
    shown = still?.picture
    best = if let still { still } else { try await camera.startingSetting(controls) }
    firstMoveShowsFlicker = looksLong && !given.flickers && controls.first?.items.isEmpty == true
    if looksLong, !given.flickers, !firstMoveShowsFlicker {
      camera.flickers = try await given.showsFlicker(best.picture)
      if camera.flickers { best = try await camera.startingSetting(controls) }
    }
  }

  /// Returns the neutral card; `nil` if everything must be repeated with `camera`, which was found
  /// to need another way of observing.
  mutating func run(
    _ progress: (NeutralizingStep) -> Void
  ) async throws(CameraError) -> CardBalance? {
    if let menu = controls.first, !menu.items.isEmpty {
      try await lookAtChoices(of: menu, progress)
    } else if try await !approach(progress) {
      return nil
    }
    return try await finish(progress)
  }

  /// Observes every light of a menu, since they are unrelated.
  private mutating func lookAtChoices(
    of menu: ControlDescription, _ progress: (NeutralizingStep) -> Void
  ) async throws(CameraError) {
    var last: ObservedSetting?
    for value in menu.choices {
      let values = [ControlValue(menu.id, value)]
      guard let seen = try await look(at: values, progress) else { continue }
      last = ObservedSetting(values: values, picture: seen)
      take(ObservedSetting(values: values, picture: seen))
    }
    if let last { try await examine(last, progress) }
  }

  /// Moves controls until no step brings the card nearer; `false` if everything must be repeated.
  private mutating func approach(
    _ progress: (NeutralizingStep) -> Void
  ) async throws(CameraError) -> Bool {
    search.add(best.values, best.picture.ratios)
    search.slopes = laws.flatMap { $0.slopes(at: best.values) } ?? []
    let areSlopesKnown = !search.slopes.isEmpty
    if try await !moveEach(areSlopesKnown: areSlopesKnown, progress) {
      forgetAllButFlicker()
      return false
    }
    try await takeFirstSteps(areSlopesKnown: areSlopesKnown, progress)
    for _ in 0..<4 {
      let before = best.distance
      try await takeSteps(progress)
      guard best.distance > Camera.wellNeutral, best.distance < 0.9 * before, controls.count > 1
      else { break }
      // Far from neutral a matrix misleads a search, so it starts again where it ended.
      try await restartSearch()
    }
    guard try await showsHysteresis() else { return true }
    camera.approachesFromBelow = true
    return false
  }

  /// Moves each control to measure its effect, unless that is known; `false` if the light flickers.
  private mutating func moveEach(
    areSlopesKnown: Bool, _ progress: (NeutralizingStep) -> Void
  ) async throws(CameraError) -> Bool {
    for (index, control) in controls.enumerated() where !areSlopesKnown || index == 0 {
      if areSlopesKnown && (purpose == .shot || camera.persistence != nil) { break }
      progress(.looking(settings: looks))
      looks += 1
      let observed = try await camera.moved(control, from: best)
      search.learn(
        moveOf: control.id, from: best.look, to: observed.look, areSlopesKnown: areSlopesKnown)
      shown = nil
      guard index == 0 else {
        take(observed)
        continue
      }
      if firstMoveShowsFlicker, try await given.showsFlicker(observed.picture) { return false }
      try await examine(observed, progress)
      take(observed)
      if camera.persistence?.baseline == .relativeToAutomatic,
        let seen = try await camera.observe(best.values)
      {
        // The automatic has stopped at another place since.
        best.picture = seen
      }
    }
    return true
  }

  /// Takes the step to neutral that the laws, or a proportion, predict.
  private mutating func takeFirstSteps(
    areSlopesKnown: Bool, _ progress: (NeutralizingStep) -> Void
  ) async throws(CameraError) {
    if let laws, purpose == .setting || best.distance > Camera.wellNeutral,
      let values = laws.values(neutralizing: best.picture.ratios, at: best.values),
      values != best.values, let seen = try await look(at: values, progress)
    {
      search.learn(from: best.values, best.picture.ratios, to: values, seen.ratios)
      take(ObservedSetting(values: values, picture: seen))
    }
    if !areSlopesKnown, best.distance > Camera.wellNeutral,
      let values = search.first(after: best.values, best.picture.ratios),
      let seen = try await look(at: values, progress)
    {
      search.learnProportion(from: best.values, best.picture.ratios, to: values, seen.ratios)
      take(ObservedSetting(values: values, picture: seen))
    }
  }

  private mutating func takeSteps(
    _ progress: (NeutralizingStep) -> Void
  ) async throws(CameraError) {
    var steps = 0
    while purpose == .setting
      || best.distance > Camera.wellNeutral && steps < Self.stepsForAShot,
      let values = search.next(after: best.values, best.picture.ratios)
    {
      steps += 1
      guard let seen = try await look(at: values, progress) else {
        search.shorten()
        continue
      }
      search.learn(from: best.values, best.picture.ratios, to: values, seen.ratios)
      take(ObservedSetting(values: values, picture: seen))
    }
  }

  private mutating func restartSearch() async throws(CameraError) {
    search = NeutralSearch(controls: controls)
    let start = best
    for control in controls {
      let observed = try await camera.moved(control, from: start)
      search.learn(moveOf: control.id, from: start.look, to: observed.look)
      take(observed)
    }
    shown = nil
  }

  /// `true` if hysteresis keeps the card from being nearer to neutral.
  private func showsHysteresis() async throws(CameraError) -> Bool {
    if camera.approachesFromBelow || best.distance <= Camera.wellNeutral { return false }
    // A tint needs no other explanation at the setting that is nearest by the laws, or if there is
    // a single control.
    let isNearest =
      laws.map { $0.values(neutralizing: best.picture.ratios, at: best.values) == best.values }
      ?? false
    guard purpose == .setting || !isNearest && controls.count > 1 else { return false }
    return try await camera.hysteresis(of: best.values) != nil
  }

  /// Returns the card where it is nearest to neutral.
  private mutating func finish(
    _ progress: (NeutralizingStep) -> Void
  ) async throws(CameraError) -> CardBalance? {
    // The last steps may be too small to show in one frame.
    var first = best.picture.firstFrame ?? seenFirst
    if try await camera.settings(of: best.values) != best.values {
      guard let seen = try await camera.observe(best.values) else {
        throw try await camera.unseen()
      }
      // The hardware has hysteresis, so values are set from one side only.
      if !camera.approachesFromBelow, !camera.isSame(seen, best.picture) {
        camera.approachesFromBelow = true
        return nil
      }
      best.picture = seen
      first = seen.firstFrame ?? first
    }
    if first == nil, purpose == .setting {
      first = try await camera.nudge(best.values, controls[0], &best.picture).firstFrame
    }
    guard let estimate = try await estimate(progress) else {
      forgetAllButFlicker()
      return nil
    }
    guard estimate.isAccepted else { throw .cardUnreadable(estimate.refusals) }
    // Green may have any value, and is not moved.
    let still = (laws?.reference ?? []).filter { best.values[$0.id] == nil }
    let values = best.values + (try await camera.settings(of: still))
    var card = CardBalance(
      values: values, estimate: estimate, firstFrame: first, gains: laws?.gains(at: values),
      laws: laws, persistence: camera.persistence)
    (card.latency, card.settlingRate) = (camera.latency, camera.settlingRate)
    card.flickers = camera.flickers
    return card
  }

  /// Returns the estimate of the card now; `nil` if the light turns out to flicker.
  private func estimate(
    _ progress: (NeutralizingStep) -> Void
  ) async throws(CameraError) -> GrayCardEstimate? {
    if looksLong, laws == nil { return try await camera.estimate(frames: 2) }
    guard purpose == .setting else {
      if !given.neutral.isEmpty, !camera.flickers { return try await camera.estimate() }
      let (read, flickers) = try await given.estimateAndFlicker()
      return flickers && !camera.flickers ? nil : read
    }
    if isStill, try await PictureWatch.flickers(camera.means(PictureWatch.flickeringFrames)) {
      return nil
    }
    try await camera.watch(best.values, seen: best.picture, frames: camera.verificationFrames) {
      progress(.watching(frame: $0, of: $1))
    }
    return try await given.estimate()
  }

  // MARK: Looks

  private mutating func look(
    at values: [ControlValue], _ progress: (NeutralizingStep) -> Void
  ) async throws(CameraError) -> SettledPicture? {
    progress(.looking(settings: looks))
    looks += 1
    let seen = try await camera.observe(values, from: shown)
    if isStill { shown = seen }
    return seen
  }

  private mutating func take(_ observed: ObservedSetting) {
    seenFirst = observed.picture.firstFrame ?? seenFirst
    if observed.distance < best.distance { best = observed }
  }

  /// Learns the latency of a move and, for a setting, its persistence.
  private mutating func examine(
    _ observed: ObservedSetting, _ progress: (NeutralizingStep) -> Void
  ) async throws(CameraError) {
    var observed = observed
    camera.learn(from: observed.picture)
    guard purpose == .setting, camera.persistence == nil else { return }
    // Moves that were tried later may have changed nothing.
    if try await camera.settings(of: observed.values) != observed.values {
      guard let seen = try await camera.observe(observed.values) else {
        throw try await camera.unseen()
      }
      observed.picture = seen
    }
    camera.persistence = try await camera.examinePersistence(
      of: observed.values, seen: observed.picture
    ) {
      progress(.watching(frame: $0, of: $1))
    }
  }

  /// Forgets everything learned except that the light flickers.
  private mutating func forgetAllButFlicker() {
    camera = given
    camera.flickers = true
  }
}
