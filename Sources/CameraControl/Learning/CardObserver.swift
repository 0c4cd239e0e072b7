internal import CameraProfiles
internal import ColorScience
internal import WhiteBalance

/// Observes the card at the settings and exposures that a planner requests.
struct CardObserver {
  /// The camera, with everything known about it.
  private(set) var camera: Camera
  let lamp: Int
  /// The exposures that can be set; `nil` if there is no control for them.
  private let exposure: ExposureScale?
  private(set) var values: [ControlValue]
  private var time: Int
  /// `true` if `values` and `time` are the camera's settings; unknown after a failed quick
  /// succession.
  private var isKnown = true
  /// The picture of the last setting that was observed by itself.
  private(set) var shown: SettledPicture?
  /// The number of frames averaged for an observation.
  private let frames: Int

  /// Creates an observer of a card whose picture has settled.
  ///
  /// - Parameters:
  ///   - camera: The camera, with automatic white balance off.
  ///   - lamp: The index of the lamp that lights the card.
  ///   - observed: The controls' settings and the picture.
  init(_ camera: Camera, lamp: Int, at observed: ObservedSetting) async throws(CameraError) {
    self.camera = camera
    self.lamp = lamp
    exposure = try await camera.learnableExposure()
    (values, shown, time) = (observed.values, observed.picture, exposure?.full ?? 1)
    let error = try await camera.nextCodes().1.errors.max() ?? 0
    frames =
      camera.flickers
      ? PictureWatch.averagedFrames
      : min(max(Int((error * error / Self.codeVariance).rounded(.up)), 2), 24)
  }

  /// The accepted variance of an observation's mean code due to noise.
  private static let codeVariance = 0.08 * 0.08

  /// The possible exposures relative to the one at the start, the largest first.
  var exposures: [Double] { exposure?.learnable ?? [1] }

  /// Exposures in steps of an eighth, one of which brings a card close to white.
  var brightExposures: [Double] { exposure?.bright ?? [1] }

  /// Indicates whether light is stated to be proportional to the exposure, as V4L2 does for its
  /// time.
  var isProportional: Bool { exposure?.control.id == .exposureTime }

  /// The exposure of a setting, relative to the one at the start; 1 if it cannot be set.
  func factor(of setting: Int?) -> Double {
    guard let exposure, let setting else { return 1 }
    return exposure.exposure(of: setting)
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
      && (look.exposure == first.exposure || camera.exposureLatency == camera.latency)
  }

  private func controlValues(of look: LookDesign.Look) -> [ControlValue] {
    values.map { ControlValue($0.id, look.settings[$0.id] ?? $0.value) }
  }

  private mutating func observe(
    inSuccession looks: [LookDesign.Look]
  ) async throws(CameraError) -> [Observation]? {
    var settings = looks.map { controlValues(of: $0) }
    if let exposure {
      if camera.exposureLatency == camera.latency {
        settings = zip(settings, looks).map { values, look in
          values + [ControlValue(exposure.control.id, exposure.setting(of: look.exposure))]
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
    if let exposure { time = exposure.setting(of: looks[looks.count - 1].exposure) }
    return zip(looks, seen).compactMap { look, frames in
      frames.flatMap { observation(of: look, $0) }
    }
  }

  /// Makes one observation, after the picture has settled.
  private mutating func observe(
    _ look: LookDesign.Look
  ) async throws(CameraError) -> Observation? {
    let wanted = controlValues(of: look)
    let sent = wanted == values ? nil : try await sendExposure(look.exposure)
    if sent == nil { try await expose(look.exposure) }
    // The comparison of two halves below also shows whether flickering pictures have settled.
    if camera.flickers, wanted != values, isKnown, try await camera.setAndSkip(wanted) {
      (values, shown) = (wanted, nil)
    } else if wanted != values || !isKnown {
      let seen = try await camera.observe(wanted)
      // The latency is usually known already, and dark pictures show it poorly.
      if let seen, camera.latency == nil || camera.settlingRate == nil { camera.learn(from: seen) }
      (values, shown, isKnown) = (wanted, seen, true)
    }
    if let sent, try await !camera.misreportedAtLast([sent]).isEmpty {
      isKnown = false
      try await expose(look.exposure)
    }
    if !camera.flickers {
      for _ in 0..<Self.attempts {
        let last = try await nextFrames(frames)
        if last.allSatisfy({ $0.isLike(last[0]) }) { return observation(of: look, last) }
      }
    }
    // A picture that swings has a mean; one that keeps moving does not.
    let last = try await nextFrames((camera.flickers ? 1 : 2) * PictureWatch.averagedFrames)
    let halves = [last.prefix(last.count / 2), last.suffix(last.count / 2)]
    let observed = halves.compactMap { observation(of: look, $0) }
    guard observed.count == 2,
      (0..<3).allSatisfy({ channel in
        let error = observed[0].errors[channel] + observed[1].errors[channel]
        return abs(observed[0].codes[channel] - observed[1].codes[channel]) < 0.5 + 6 * error
      })
    else { throw .notSettled(frames: Self.attempts * frames + last.count) }
    camera.flickers = true
    return observation(of: look, last.suffix(PictureWatch.averagedFrames))
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
    let wanted = exposure.setting(of: factor)
    guard wanted != time || !isKnown else { return }
    let seen = try await camera.expose(wanted, by: exposure.control.id)
    if let seen { camera.exposureLatency = max(camera.exposureLatency ?? 0, seen) }
    time = wanted
  }

  /// Sends another exposure just before the next balance; `nil` if it might show later than that.
  private mutating func sendExposure(_ factor: Double) async throws(CameraError) -> ControlValue? {
    guard let exposure, let latency = camera.latency, isKnown, exposure.setting(of: factor) != time,
      let exposureLatency = camera.exposureLatency, exposureLatency <= latency
    else { return nil }
    time = exposure.setting(of: factor)
    let value = ControlValue(exposure.control.id, time)
    try await camera.send([value])
    return value
  }

  /// Returns the law of the exposure time that observations confirm as V4L2 defines it; `nil` if
  /// the fitted light is not proportional to it, or there were too few exposures.
  func series(of fit: ModelFit) -> ExposureSeries? {
    guard let exposure, isProportional, let latency = camera.exposureLatency,
      fit.floor < ModelFit.doubtfulFloor, fit.trustsExposures, !fit.traits.contains(.exposurePower),
      Set(fit.observations.filter { $0.lamp == lamp }.map(\.exposure)).count >= 3,
      let law = fit.proportionalLaw(of: exposure.control, reference: exposure.full)
    else { return nil }
    return ExposureSeries(
      control: exposure.control.id, transfer: fit.transfer(claimed: .sRGB), law: law,
      latency: latency)
  }

  /// Marks the settings as unknown, after other code has set the controls.
  mutating func forgetSettings() { isKnown = false }

  /// Observes the card at settings and exposure 1, by itself; `shown` is the picture then.
  mutating func look(at wanted: [ControlValue]) async throws(CameraError) -> Observation? {
    shown = nil
    let look = try await observe(LookDesign.Look(settings: wanted.byControl, exposure: 1))
    if shown == nil { shown = try await camera.settledPicture(after: 0) }
    return look
  }

  private func observation(
    of look: LookDesign.Look, _ frames: some Collection<CodeMean>
  ) -> Observation? {
    let frames = Array(frames)
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
  /// Turns automatic white balance off, sets controls and skips the frames in which the picture
  /// changes; `false` if their number is unknown, or the camera does not report the settings.
  fileprivate func setAndSkip(_ values: [ControlValue]) async throws(CameraError) -> Bool {
    if latency == nil || settlingRate == nil || approachesFromBelow { return false }
    try await turnOffAutomatic()
    try await send(values)
    try await skipFrames(delay)
    return try await misreportedAtLast(values).isEmpty
  }

  /// Returns the scale of the exposure time, in any unit proportional to the light, with 1 at its
  /// setting; `nil` if it cannot be set manually.
  func learnableExposure() async throws(CameraError) -> ExposureScale? {
    guard try await isOff(.exposureMode) ?? true, let control = await exposureTimeControl,
      control.items.isEmpty,
      try await port.flags(of: control.id).isDisjoint(with: [.readOnly, .inactive]),
      let value = try await value(of: control.id), value > 8
    else { return nil }
    return ExposureScale(control: control, full: value)
  }
}
