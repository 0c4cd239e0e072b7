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
      try await camera.searchForNeutral(laws: nil, progress)
    }
  }

  /// Makes the card neutral as a part of more, as far as it must be to be computed with, and tells
  /// what was learned of the camera.
  package func neutralizingCard(
    progress: (NeutralizingStep) -> Void = { _ in }
  ) async throws(CameraError) -> Camera {
    let card = try await neutralizeCardOfMany(laws: nil, progress)
    var camera = self
    (camera.latency, camera.pace) = (card.latency, card.pace)
    camera.endurance = card.applied.endurance
    camera.flickers = camera.flickers || card.flickers
    camera.neutral = card.applied.values
    return camera
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
      try await camera.searchForNeutral(laws: laws, isPart: true, progress)
    }
  }

  /// - Parameters:
  ///   - isStill: whether the light may be taken for steady until it is seen to flicker.
  ///   - isPart: whether others find out whether settings stay, and the card need not be more
  ///     neutral than can be computed with.
  dynamic func searchForNeutral(
    laws: ControlLaws?, isStill: Bool = true, isPart: Bool = false,
    _ progress: (NeutralizingStep) -> Void = { _ in }
  ) async throws(CameraError) -> NeutralizedCard {
    let start: Place? =
      if isStill, let laws {
        try await stillPlace { camera async throws(CameraError) in
          try await camera.hold(laws)
          return try await camera.usableValues(of: camera.balancingControls())
        }
      } else { nil }
    // A part begins where the automatic is off, and flicker would have been seen.
    let isTaken = start != nil || isPart && latency != nil
    // While nothing is known of the camera, the first look is so long that it tells of flicker.
    let looksLong = isPart && !isTaken
    var camera = isTaken || isPart ? self : try await takingOver()
    if looksLong, !turnsOffOnce {
      try await skipFrames(1)
      try await turnOffAutomatic()
    }
    var looks = 0
    // A careful look begins with the picture before it.
    var shown = start?.seen
    func lookAt(
      _ values: [ControlValue], _ camera: Camera
    ) async throws(CameraError) -> PictureWatch.Rest? {
      progress(.looking(settings: looks))
      looks += 1
      let seen = try await camera.observe(values, from: shown)
      if start != nil { shown = seen }
      return seen
    }
    func examine(_ place: Place) async throws(CameraError) {
      var place = place
      camera.learn(from: place.seen)
      guard !isPart, camera.endurance == nil else { return }
      // What was tried after it may have shown nothing.
      if try await settings(of: place.values) != place.values {
        guard let seen = try await camera.observe(place.values) else { throw try await unseen() }
        place.seen = seen
      }
      camera.endurance = try await camera.examineEndurance(
        of: place.values, seen: place.seen
      ) { progress(.watching(frame: $0, of: $1)) }
    }
    if start == nil, let laws { try await hold(laws) }
    let controls = try await balancingControls()
    var search = NeutralSearch(controls: controls)
    var best = if let start { start } else { try await camera.startingPlace(controls) }
    // The first move takes so many frames that it tells.
    let moveTells = looksLong && !flickers && controls.first?.items.isEmpty == true
    if looksLong, !flickers, !moveTells {
      camera.flickers = try await tellsFlicker(best.seen)
      if camera.flickers { best = try await camera.startingPlace(controls) }
    }
    var seenFirst: FrameInfo?
    func take(_ place: Place) {
      seenFirst = place.seen.firstFrame ?? seenFirst
      if place.distance < best.distance { best = place }
    }
    if let first = controls.first, !first.items.isEmpty {
      // Lights of a menu say nothing of each other.
      var places: [Place] = []
      for value in first.choices {
        let values = [ControlValue(first.id, value)]
        guard let seen = try await lookAt(values, camera) else { continue }
        places.append(Place(values: values, seen: seen))
        take(places[places.count - 1])
      }
      if let last = places.last { try await examine(last) }
    } else {
      search.add(best.values, best.seen.ratios)
      search.slopes = laws.flatMap { $0.slopes(at: best.values) } ?? []
      let isTold = !search.slopes.isEmpty
      for (index, control) in controls.enumerated() where !isTold || index == 0 {
        if isTold && (isPart || camera.endurance != nil) { break }
        progress(.looking(settings: looks))
        looks += 1
        let place = try await camera.moved(control, from: best)
        search.learn(moveOf: control.id, from: best, to: place, isTold: isTold)
        shown = nil
        if moveTells, index == 0, try await tellsFlicker(place.seen) {
          var careful = self
          careful.flickers = true
          return try await careful.searchForNeutral(
            laws: laws, isStill: false, isPart: isPart, progress)
        }
        if index == 0 { try await examine(place) }
        take(place)
        if index == 0, camera.endurance?.isRelative == true,
          let seen = try await camera.observe(best.values)
        {
          // The automatic has stopped elsewhere since.
          best.seen = seen
        }
      }
      if let laws, !isPart || best.distance > Self.wellNeutral,
        let values = laws.values(neutralizing: best.seen.ratios, at: best.values),
        values != best.values,
        let seen = try await lookAt(values, camera)
      {
        search.learn(from: best.values, best.seen.ratios, to: values, seen.ratios)
        take(Place(values: values, seen: seen))
      }
      if !isTold, best.distance > Self.wellNeutral,
        let values = search.first(after: best.values, best.seen.ratios),
        let seen = try await lookAt(values, camera)
      {
        search.learnProportion(from: best.values, best.seen.ratios, to: values, seen.ratios)
        take(Place(values: values, seen: seen))
      }
      for _ in 0..<4 {
        let before = best.distance
        var steps = 0
        while !isPart || best.distance > Self.wellNeutral && steps < Self.stepsOfAPart,
          let values = search.next(after: best.values, best.seen.ratios)
        {
          steps += 1
          guard let seen = try await lookAt(values, camera) else {
            search.shorten()
            continue
          }
          search.learn(from: best.values, best.seen.ratios, to: values, seen.ratios)
          take(Place(values: values, seen: seen))
        }
        guard best.distance > Self.wellNeutral, best.distance < 0.9 * before, controls.count > 1
        else { break }
        // Far from neutral a matrix leads a search astray; it is begun anew where it ended.
        search = NeutralSearch(controls: controls)
        let start = best
        for control in controls {
          let place = try await camera.moved(control, from: start)
          search.learn(moveOf: control.id, from: start, to: place)
          take(place)
        }
        shown = nil
      }
      // What is nearest by the laws needs no other reason for not being nearer.
      let isNearest =
        laws.map { $0.values(neutralizing: best.seen.ratios, at: best.values) == best.values }
        ?? false
      // One control leaves a tint as a rule.
      if !camera.comesFromBelow, best.distance > Self.wellNeutral,
        !isPart || !isNearest && controls.count > 1,
        try await camera.hysteresis(of: best.values) != nil
      {
        camera.comesFromBelow = true
        return try await camera.searchForNeutral(
          laws: laws, isStill: isStill, isPart: isPart, progress)
      }
    }
    // The last steps may be too small to be seen in one frame.
    var first = best.seen.firstFrame ?? seenFirst
    if try await settings(of: best.values) != best.values {
      guard let seen = try await camera.observe(best.values) else { throw try await unseen() }
      if !camera.comesFromBelow, !camera.isSame(seen, best.seen) {
        // Hardware that stays behind, from whichever side it comes: so it comes from one.
        camera.comesFromBelow = true
        return try await camera.searchForNeutral(
          laws: laws, isStill: isStill, isPart: isPart, progress)
      }
      best.seen = seen
      first = seen.firstFrame ?? first
    }
    if first == nil, !isPart {
      first = try await camera.nudge(best.values, controls[0], &best.seen).firstFrame
    }
    let estimate: GrayCardEstimate
    if looksLong, laws == nil {
      estimate = try await camera.estimate(frames: 2)
    } else if isPart, !neutral.isEmpty, !camera.flickers {
      estimate = try await camera.estimate()
    } else if isPart {
      let (read, flickers) = try await estimateAndFlicker()
      if flickers, !camera.flickers {
        var careful = self
        careful.flickers = true
        return try await careful.searchForNeutral(
          laws: laws, isStill: false, isPart: true, progress)
      }
      estimate = read
    } else {
      if start != nil,
        try await PictureWatch.flickers(camera.means(PictureWatch.flickeringFrames))
      {
        return try await searchForNeutral(laws: laws, isStill: false, progress)
      }
      try await camera.watch(best.values, seen: best.seen, frames: watchedFrames) {
        progress(.watching(frame: $0, of: $1))
      }
      estimate = try await self.estimate()
    }
    guard estimate.isAccepted else { throw .nothingToSee(estimate.refusals) }
    // Green may stand anywhere, and is not moved.
    let still = (laws?.reference ?? []).filter { best.values[$0.id] == nil }
    let values = best.values + (try await settings(of: still))
    var card = NeutralizedCard(
      values: values, estimate: estimate, firstFrame: first, gains: laws?.gains(at: values),
      laws: laws, endurance: camera.endurance)
    (card.latency, card.pace) = (camera.latency, camera.pace)
    card.flickers = camera.flickers
    return card
  }

  /// Whether the light flickers: what a long look has told, or more frames do.
  private func tellsFlicker(_ seen: PictureWatch.Rest) async throws(CameraError) -> Bool {
    if let flickers = seen.flickers {
      flickers
    } else {
      try await estimateAndFlicker().flickers
    }
  }

  /// The steps of a search after which it is begun anew, where it is a part of more.
  private static let stepsOfAPart = 5
  /// The distance from neutral up to which nobody asks why it is not less.
  static let wellNeutral = 0.6

  /// The controls by which a card is made neutral: red and blue, or one that moves both.
  func balancingControls() async throws(CameraError) -> [ControlDescription] {
    let all = await port.controls
    func usable(_ id: ControlID) async throws(CameraError) -> ControlDescription? {
      guard let control = all.first(where: { $0.id == id }),
        try await port.flags(of: id).isDisjoint(with: [.readOnly, .inactive])
      else { return nil }
      return control
    }
    if let red = try await usable(.redBalance), let blue = try await usable(.blueBalance) {
      return [red, blue]
    }
    for id in [ControlID.whiteBalanceTemperature, .whiteBalancePreset] {
      if let control = try await usable(id), control.items.isEmpty || control.choices.count >= 2 {
        return [control]
      }
    }
    throw .noWhiteBalance(camera: await port.identity.name)
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
  private func usableValues(
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

extension CardColor {
  /// The distance of a picture's color, and for colors that have almost nothing of a channel by how
  /// much that channel lacks, which CIELAB no longer tells.
  ///
  /// - Parameter ratios: ln(red/green), ln(blue/green).
  static func distance(_ ratios: SIMD2<Double>) -> Double {
    max(
      distance(LinearRGB(red: exponential(ratios.x), green: 1, blue: exponential(ratios.y))),
      25 * PictureWatch.size(ratios))
  }
}

extension ControlDescription {
  /// The nearest value that can be set; of a menu, the nearest that is chosen from.
  func nearest(_ value: Int) -> Int {
    items.isEmpty
      ? snapped(Double(value)) : choices.min { abs($0 - value) < abs($1 - value) } ?? value
  }
}

extension [ControlValue] {
  func replacing(_ id: ControlID, by value: Int) -> [ControlValue] {
    map { $0.id == id ? ControlValue(id, value) : $0 }
  }

  func replacing(with others: [ControlValue]) -> [ControlValue] {
    map { ControlValue($0.id, others[$0.id] ?? $0.value) }
  }
}
