internal import CameraProfiles
internal import ColorScience
public import WhiteBalance

extension ProbedCamera {
  /// Locks the white balance at gains and returns when the picture shows them.
  ///
  /// The region may show any still scene: the change of its color is verified. On failure the
  /// previous settings are restored.
  ///
  /// - Parameters:
  ///   - gains: Gains relative to those at the controls' reference.
  ///   - progress: A closure that is called while the picture is observed for stability.
  /// - Throws: `CameraError.gainsOutOfRange` and `relativeToAutomatic` before anything is set;
  ///   `notSet`, `settingNotKept` or `settingNotVisible` if setting, reading back or the picture
  ///   fails; `automaticReturned` or `sceneChanged` if the picture does not stay; `superseded` if a
  ///   newer operation sets the white balance.
  public func lock(
    at gains: Gains, progress: (NeutralizingStep) -> Void = { _ in }
  ) async throws(CameraError) -> AppliedWhiteBalance {
    let setting = try laws.reachableSetting(for: gains)
    return try await camera.restoringOnFailure(decidesBalance: true) {
      camera async throws(CameraError) in
      try await ProbedCamera(camera, laws: laws).apply(setting, progress)
    }
  }

  /// Locks the current white balance, returns when the picture has settled, and restores the color
  /// if the camera lost it.
  ///
  /// - Throws: `CameraError.settingNotVisible` if the color jumped and could not be restored; the
  ///   previous settings are restored.
  public func lock() async throws(CameraError) {
    try await camera.restoringOnFailure(decidesBalance: true) { camera async throws(CameraError) in
      try await camera.lock(with: laws)
    }
  }

  /// Sets controls as part of an operation, waits until the picture shows the setting, and verifies
  /// that it stays.
  dynamic func apply(
    _ setting: WhiteBalanceSetting, _ progress: (NeutralizingStep) -> Void = { _ in }
  ) async throws(CameraError) -> AppliedWhiteBalance {
    try await requireAbsoluteGains()
    let still = try await camera.currentSettingIfSettled { camera async throws(CameraError) in
      try await camera.hold(laws)
      let values = try await valuesInForce()
      return laws.gains(at: values).arePositiveAndFinite ? values : nil
    }
    if let still {
      guard let seen = try await camera.observe(setting.values, from: still.picture) else {
        throw try await camera.unseen()
      }
      // Flicker that was too slow to be seen before shows now.
      if try await !PictureWatch.flickers(camera.means(24)) {
        do throws(CameraError) {
          return try await arrive(at: setting, from: still, seen, progress)
        } catch {
          switch error {
          // At the start the picture may not have been settled.
          case .settingNotVisible, .sceneChanged: break
          default: throw error
          }
        }
      }
      // Measures again, for longer, from the same start.
      try await camera.send(still.values)
    }
    let camera = try await camera.takingOver()
    try await camera.hold(laws)
    let careful = ProbedCamera(camera, laws: laws)
    let start = try await careful.startingSetting()
    guard let seen = try await camera.observe(setting.values) else {
      throw try await camera.unseen()
    }
    return try await careful.arrive(at: setting, from: start, seen, progress)
  }

  /// Verifies a setting in the picture, and that it stays.
  private dynamic func arrive(
    at setting: WhiteBalanceSetting, from start: ObservedSetting?,
    _ seen: SettledPicture, _ progress: (NeutralizingStep) -> Void
  ) async throws(CameraError) -> AppliedWhiteBalance {
    var arrival = Arrival(setting: setting, seen: seen, first: seen.firstFrame)
    if let start {
      try await judge(&arrival, from: start)
    } else {
      guard try await camera.moves(asPredictedBy: laws, from: setting.values, &arrival.seen) else {
        throw .noLaw(
          laws.controls[0].id,
          reason: "the picture does not follow it as it did when it was probed")
      }
      arrival.first = nil
    }
    let setting = arrival.setting
    var persistence = camera.persistence
    if !arrival.isLarge || arrival.first == nil || persistence == nil {
      let nudged = try await camera.nudge(
        setting.values, laws.controls[0], &arrival.seen, progress)
      (arrival.first, persistence) = (nudged.firstFrame, nudged.camera.persistence)
    }
    try await camera.watch(
      setting.values, seen: arrival.seen, frames: camera.verificationFrames
    ) { progress(.watching(frame: $0, of: $1)) }
    let observed = ObservedSetting(values: setting.values, picture: arrival.seen)
    await camera.turns.noteWatched(observed, in: camera.estimator.region)
    let residual = setting.residualGains
    return AppliedWhiteBalance(
      values: setting.values, gains: setting.reached.normalized(to: .smallest),
      covariance: laws.covariance(of: setting.reached), hardwareResidualGains: residual,
      residualGains: laws.mixing?.gains(insteadOf: residual) ?? residual,
      brightness: setting.reached.green / setting.wanted.green, firstFrame: arrival.first,
      persistence: persistence)
  }

  /// A setting, and the picture that shows it.
  private struct Arrival {
    var setting: WhiteBalanceSetting
    var seen: SettledPicture
    /// The first frame that shows the setting.
    var first: FrameInfo?
    /// `true` if the change was large enough to be measured.
    var isLarge = false
  }

  /// Verifies that the picture has changed as the laws predict.
  private func judge(_ arrival: inout Arrival, from start: ObservedSetting)
    async throws(CameraError)
  {
    let old = laws.gains(at: start.values)
    let seen = arrival.seen
    arrival.setting = try await settingInForce(arrival.setting, from: old, start.picture, seen)
    let setting = arrival.setting
    let change = setting.change(from: old)
    let size = CardColor.size(change.logRatios)
    let tolerance = max(
      laws.tolerance(
        of: size, max(start.picture.noise, seen.noise), between: [start.values, setting.values]),
      start.picture.darkness + seen.darkness)
    arrival.isLarge = size > max(0.02, tolerance)
    let shown = seen.ratios - start.picture.ratios
    if CardColor.size(shown - change.logRatios) <= tolerance { return }
    if seen.cameBack, let frames = try await camera.framesUntilBack(seenOf: setting.values) {
      throw .automaticReturned(frames: frames)
    }
    // Another program's value would also hide the setting.
    if let other = try await camera.otherValue(of: setting.values) { throw other }
    let notVisible = CameraError.settingNotVisible(
      expected: change, seen: Gains(red: exponential(shown.x), blue: exponential(shown.y)),
      frames: Camera.frameLimit)
    // If the picture has not changed at all, no other diagnosis applies.
    if CardColor.size(shown) < 0.05 * size { throw notVisible }
    if let again = try await camera.observe(start.values),
      CardColor.size(again.ratios - start.picture.ratios) > tolerance
    {
      throw try await camera.blame(
        start.values, seen: start.picture, afterFrames: camera.verificationFrames)
    }
    // At the start, the picture may have had colors for which no matrix can be inverted.
    guard let again = try await camera.observe(setting.values), camera.isSame(again, seen),
      try await camera.moves(asPredictedBy: laws, from: setting.values, &arrival.seen)
    else { throw notVisible }
    arrival.first = again.firstFrame ?? arrival.first
  }

  /// Throws an error if gains are relative to where automatic white balance stopped.
  func requireAbsoluteGains() async throws(CameraError) {
    if camera.persistence?.baseline == .relativeToAutomatic {
      throw .relativeToAutomatic(camera: await camera.port.identity.name)
    }
  }

  /// Returns the setting that is in effect: if the camera reports values near those that were set,
  /// the picture determines which of the two are true.
  private func settingInForce(
    _ setting: WhiteBalanceSetting, from old: Gains, _ start: SettledPicture, _ seen: SettledPicture
  ) async throws(CameraError) -> WhiteBalanceSetting {
    let reported = try await camera.misreported(setting.values)
    guard !reported.isEmpty else { return setting }
    var values = setting.values
    for (value, actual) in reported { values = values.replacing(value.id, by: actual) }
    let other = WhiteBalanceSetting(
      values: values, wanted: setting.wanted, reached: laws.gains(at: values))
    func miss(_ setting: WhiteBalanceSetting) -> Double {
      CardColor.size(seen.ratios - start.ratios - setting.change(from: old).logRatios)
    }
    return miss(other) < miss(setting) ? other : setting
  }

  /// Returns the current settings and the picture. If the picture is black or clipped, so that no
  /// change can be measured, or the laws do not include the settings, the controls are set to their
  /// reference first. `nil` if nothing can be measured there either.
  private func startingSetting() async throws(CameraError) -> ObservedSetting? {
    var seen: SettledPicture?
    // Values that were not set here may be reported rounded.
    for _ in 0..<2 {
      let values = try await valuesInForce()
      guard laws.gains(at: values).arePositiveAndFinite else { break }
      seen = try await camera.observe(values)
      if let seen, try await valuesInForce() == values {
        return ObservedSetting(values: values, picture: seen)
      }
    }
    return try await camera.observedSetting(laws.reference)
  }
}
