internal import CameraProfiles
internal import ColorScience
internal import WhiteBalance

/// Observes the card at the settings and exposures that a planner requests.
struct CardObserver {
  /// The camera, with everything known about it.
  private(set) var camera: Camera
  let lamp: Int
  /// The control of the exposure, and its value at exposure 1; `nil` if the exposure cannot be set.
  private let exposure: (control: ControlDescription, full: Int)?
  /// The latency of an exposure in frames, once it was observed.
  private var exposureLatency: Int?
  private var values: [ControlValue]
  private var time: Int
  /// `true` if `values` and `time` are the camera's settings; unknown after a failed quick
  /// succession.
  private var isKnown = true
  /// The picture of the last setting that was observed by itself.
  private(set) var shown: PictureWatch.Rest?
  /// The number of frames averaged for an observation.
  private let frames: Int

  /// Creates an observer of a card whose picture has settled.
  ///
  /// - Parameters:
  ///   - camera: The camera, with automatic white balance off.
  ///   - lamp: The lamp on the card.
  ///   - place: The controls' settings and the picture.
  init(_ camera: Camera, lamp: Int, at place: Place) async throws(CameraError) {
    self.camera = camera
    self.lamp = lamp
    exposure = try await camera.learnableExposure()
    (values, shown, time) = (place.values, place.seen, exposure?.full ?? 1)
    let error = try await camera.nextCodes().1.errors.max() ?? 0
    frames =
      camera.flickers
      ? PictureWatch.averagedFrames
      : min(max(Int((error * error / Self.codeVariance).rounded(.up)), 2), 24)
  }

  /// The accepted variance of an observation's mean code due to noise.
  private static let codeVariance = 0.08 * 0.08

  /// The possible exposures relative to the one at the start, the largest first.
  var exposures: [Double] { settable([2, 1, 0.5, 0.25, 0.12]) }

  /// Exposures in steps of an eighth, one of which brings a card close to white.
  var brightExposures: [Double] { settable((1...26).map { power(1.125, Double($0)) }) }

  private func settable(_ factors: [Double]) -> [Double] {
    guard let exposure else { return [1] }
    let times = Set(factors.map { time(of: $0, exposure) })
    return times.map { factor(of: $0, exposure) }.sorted(by: >)
  }

  /// Indicates whether light is stated to be proportional to the exposure, as V4L2 does for its
  /// time.
  var isProportional: Bool { exposure?.control.id == .exposureTime }

  private func time(
    of factor: Double, _ exposure: (control: ControlDescription, full: Int)
  ) -> Int { exposure.control.nearestValue(to: Double(exposure.full) * factor) }

  private func factor(
    of time: Int, _ exposure: (control: ControlDescription, full: Int)
  ) -> Double { Double(time) / Double(max(exposure.full, 1)) }

  /// The exposure relative to the one at the start that a setting has; 1 if it cannot be set.
  func factor(of setting: Int?) -> Double {
    guard let exposure, let setting else { return 1 }
    return factor(of: setting, exposure)
  }

  /// Makes observations.
  mutating func observe(
    _ looks: [LookDesign.Look]
  ) async throws(CameraError) -> [Observation] {
    var found: [Observation] = []
    var rest = looks[...]
    while let first = rest.first {
      let group = rest.prefix { canFollow($0, first) }
      rest = rest.dropFirst(max(group.count, 1))
      if group.count > 1, let quick = try await observe(inSuccession: Array(group)) {
        found += quick
        continue
      }
      for look in group.isEmpty ? [first] : group {
        if let one = try await observe(look) { found.append(one) }
      }
    }
    return found
  }

  /// Indicates whether two observations can be made in succession: a change of the exposure must
  /// have the same latency as one of the balance.
  private func canFollow(_ look: LookDesign.Look, _ first: LookDesign.Look) -> Bool {
    camera.isPrompt
      && (look.exposure == first.exposure || exposureLatency == camera.latency)
  }

  private func controlValues(of look: LookDesign.Look) -> [ControlValue] {
    values.map { ControlValue($0.id, look.settings[$0.id] ?? $0.value) }
  }

  private mutating func observe(
    inSuccession looks: [LookDesign.Look]
  ) async throws(CameraError) -> [Observation]? {
    var settings = looks.map { controlValues(of: $0) }
    if let exposure {
      if exposureLatency == camera.latency {
        settings = zip(settings, looks).map { values, look in
          values + [ControlValue(exposure.control.id, time(of: look.exposure, exposure))]
        }
      } else {
        try await expose(looks[0].exposure)
      }
    }
    let pairs = zip(settings, settings.dropFirst())
    guard pairs.allSatisfy({ $0 != $1 }) else { return nil }
    let (_, seen) = try await camera.readInSuccession(
      settings, latency: camera.latency, count: frames, isSame: { $0.isLike($1) }
    ) { () async throws(CameraError) in try await camera.nextCodes() }
    if seen.contains(where: { $0 == nil }) {
      isKnown = false
      return nil
    }
    values = controlValues(of: looks[looks.count - 1])
    if let exposure { time = time(of: looks[looks.count - 1].exposure, exposure) }
    return zip(looks, seen).compactMap { look, frames in
      frames.flatMap { observation(of: look, $0) }
    }
  }

  /// Makes one observation, after the picture has settled.
  private mutating func observe(
    _ look: LookDesign.Look
  ) async throws(CameraError) -> Observation? {
    try await expose(look.exposure)
    let wanted = controlValues(of: look)
    if wanted != values || !isKnown {
      let seen = try await camera.observe(wanted)
      // Dark colors indicate the latency poorly, and it is usually known.
      if let seen, camera.latency == nil || camera.settlingRate == nil { camera.learn(from: seen) }
      (values, shown, isKnown) = (wanted, seen, true)
    }
    if !camera.flickers {
      for _ in 0..<Self.attempts {
        let last = try await nextFrames(frames)
        if last.allSatisfy({ $0.isLike(last[0]) }) { return observation(of: look, last) }
      }
    }
    // A picture that swings has a mean; one that keeps moving does not.
    let last = try await nextFrames(2 * PictureWatch.averagedFrames)
    let (first, second) = (
      last.prefix(PictureWatch.averagedFrames), last.suffix(PictureWatch.averagedFrames)
    )
    guard let one = observation(of: look, Array(first)),
      let other = observation(of: look, Array(second)),
      (0..<3).allSatisfy({ channel in
        let error = one.errors[channel] + other.errors[channel]
        return abs(one.codes[channel] - other.codes[channel]) < 0.5 + 6 * error
      })
    else { throw .notSettled(frames: Self.attempts * frames + last.count) }
    camera.flickers = true
    return other
  }

  private func nextFrames(_ count: Int) async throws(CameraError) -> [CodeMean] {
    var last: [CodeMean] = []
    for _ in 0..<count { last.append(try await camera.nextCodes().1) }
    return last
  }

  /// The number of times that a picture is read again if it has not settled.
  private static let attempts = 6

  private mutating func expose(_ factor: Double) async throws(CameraError) {
    guard let exposure else { return }
    let wanted = time(of: factor, exposure)
    guard wanted != time || !isKnown else { return }
    let seen = try await camera.expose(wanted, by: exposure.control.id)
    if let seen { exposureLatency = max(exposureLatency ?? 0, seen) }
    time = wanted
  }

  /// Returns the law of the exposure time that observations confirm as V4L2 defines it; `nil` if
  /// the fitted light is not proportional to it, or there were too few exposures.
  func series(of fit: ModelFit) -> ExposureSeries? {
    guard let exposure, isProportional, let exposureLatency,
      fit.floor < ModelFit.doubtfulFloor, fit.trustsExposures, !fit.traits.contains(.exposurePower),
      Set(fit.observations.filter { $0.lamp == lamp }.map(\.exposure)).count >= 3,
      let law = fit.proportionalLaw(of: exposure.control, reference: exposure.full)
    else { return nil }
    return ExposureSeries(
      control: exposure.control.id, transfer: fit.transfer(claimed: .sRGB), law: law,
      latency: exposureLatency)
  }

  /// Marks the settings as unknown, after other code has set the controls.
  mutating func forgetSettings() { isKnown = false }

  /// Observes the card at settings and exposure 1, by itself; `shown` is the picture then.
  mutating func look(at wanted: [ControlValue]) async throws(CameraError) -> Observation? {
    try await expose(1)
    if values == wanted, isKnown { shown = try await camera.rest(after: 0) }
    return try await observe(LookDesign.Look(settings: wanted.byControl, exposure: 1))
  }

  private func observation(
    of look: LookDesign.Look, _ frames: [CodeMean]
  ) -> Observation? {
    let weights =
      frames.count >= PictureWatch.averagedFrames
      ? PictureWatch.window(frames.count)
      : frames.map { _ in 1 / Double(frames.count) }
    return Observation(
      frames, weights: weights, lamp: lamp, settings: controlValues(of: look).byControl,
      exposure: look.exposure)
  }
}

extension Camera {
  /// Returns the control of the exposure time, in any unit proportional to the light, and its
  /// setting; `nil` if it cannot be set manually.
  func learnableExposure() async throws(CameraError) -> (control: ControlDescription, full: Int)? {
    guard try await isOff(.exposureMode) ?? true, let control = await exposureTimeControl,
      control.items.isEmpty,
      try await port.flags(of: control.id).isDisjoint(with: [.readOnly, .inactive]),
      let value = try await value(of: control.id), value > 8
    else { return nil }
    return (control, value)
  }
}
