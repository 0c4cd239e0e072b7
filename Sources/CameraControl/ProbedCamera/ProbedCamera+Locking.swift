internal import CameraProfiles
internal import ColorScience
public import WhiteBalance

extension ProbedCamera {
  /// Locks the white balance at gains and returns when the picture shows it.
  ///
  /// The region may show anything that keeps still: what is checked is the change of its color.
  /// What fails leaves the camera as it was before.
  ///
  /// - Parameters:
  ///   - gains: relative to those at the controls' reference.
  ///   - progress: called while the picture is watched, whether it stays.
  /// - Throws: `CameraError.gainsOutOfRange` before anything is set, and `relativeToAutomatic`;
  ///   `notSet`, `notHeld` or `notSeen` after which of setting, reading back and the picture
  ///   failed; `automaticReturned` or `sceneChanged` where the picture does not stay;
  ///   `superseded` where a newer operation decides the white balance.
  public func lock(
    at gains: Gains, progress: (NeutralizingStep) -> Void = { _ in }
  ) async throws(CameraError) -> AppliedWhiteBalance {
    let setting = try laws.reachableSetting(for: gains)
    return try await camera.restoringOnFailure(decidesBalance: true) {
      camera async throws(CameraError) in
      try await ProbedCamera(camera, laws: laws).apply(setting, progress)
    }
  }

  /// Locks the white balance where it is now, returns when the picture is at rest, and brings the
  /// color back where the camera lost it.
  ///
  /// - Throws: `CameraError.notSeen` where the color jumped and could not be brought back; the
  ///   camera is as before then.
  public func lock() async throws(CameraError) {
    try await camera.restoringOnFailure(decidesBalance: true) { camera async throws(CameraError) in
      try await camera.lock(with: laws)
    }
  }

  /// Sets controls in the course of an operation, and waits until the picture shows it, and stays.
  dynamic func apply(
    _ setting: WhiteBalanceSetting, _ progress: (NeutralizingStep) -> Void = { _ in }
  ) async throws(CameraError) -> AppliedWhiteBalance {
    try await requireAbsoluteGains()
    let still = try await camera.stillPlace { camera async throws(CameraError) in
      try await camera.hold(laws)
      let values = try await valuesInForce()
      return laws.gains(at: values).arePositiveAndFinite ? values : nil
    }
    if let still {
      guard let seen = try await camera.observe(setting.values, from: still.seen) else {
        throw try await camera.unseen()
      }
      // What is too slow to be seen before is seen now.
      if try await !PictureWatch.flickers(camera.means(24)) {
        do throws(CameraError) {
          return try await arrive(at: setting, from: still, seen, progress)
        } catch {
          switch error {
          // Where it started the picture may not have been at rest, or been seen earlier.
          case .notSeen, .sceneChanged: break
          default: throw error
          }
        }
      }
      // A second and longer look, from where it was.
      try await camera.send(still.values)
    }
    let camera = try await camera.takingOver()
    try await camera.hold(laws)
    let careful = ProbedCamera(camera, laws: laws)
    let start = try await careful.startingPoint()
    guard let seen = try await camera.observe(setting.values) else {
      throw try await camera.unseen()
    }
    return try await careful.arrive(at: setting, from: start, seen, progress)
  }

  /// Judges a setting that was made by what the picture shows, and watches whether it stays.
  private dynamic func arrive(
    at setting: WhiteBalanceSetting, from start: Place?, _ seen: PictureWatch.Rest,
    _ progress: (NeutralizingStep) -> Void
  ) async throws(CameraError) -> AppliedWhiteBalance {
    var arrival = Arrival(setting: setting, seen: seen, first: seen.firstFrame)
    if let start {
      try await judge(&arrival, from: start)
    } else {
      guard try await camera.moves(asToldBy: laws, from: setting.values, &arrival.seen) else {
        throw .noLaw(
          laws.controls[0].id,
          reason: "the picture does not move with it as it did when it was probed")
      }
      arrival.first = nil
    }
    let setting = arrival.setting
    var endurance = camera.endurance
    if !arrival.isLarge || arrival.first == nil || endurance == nil {
      let nudged = try await camera.nudge(
        setting.values, laws.controls[0], &arrival.seen, progress)
      (arrival.first, endurance) = (nudged.firstFrame, nudged.camera.endurance)
    }
    try await camera.watch(
      setting.values, seen: arrival.seen, frames: camera.watchedFrames
    ) { progress(.watching(frame: $0, of: $1)) }
    let place = Place(values: setting.values, seen: arrival.seen)
    await camera.turns.noteWatched(place, in: camera.estimator.region)
    let lacking = setting.remainder
    return AppliedWhiteBalance(
      values: setting.values, gains: setting.reached.normalized(),
      covariance: laws.covariance(of: setting.reached), lacking: lacking,
      remainder: laws.mixing?.gains(insteadOf: lacking) ?? lacking,
      brightness: setting.reached.green / setting.wanted.green, firstFrame: arrival.first,
      endurance: endurance)
  }

  /// A setting that was made, and what the picture shows of it.
  private struct Arrival {
    var setting: WhiteBalanceSetting
    var seen: PictureWatch.Rest
    /// The first frame that shows it.
    var first: FrameInfo?
    /// `true` if the change was large enough to be seen.
    var isLarge = false
  }

  /// Sees that the picture has changed as the laws say.
  private func judge(_ arrival: inout Arrival, from start: Place) async throws(CameraError) {
    let old = laws.gains(at: start.values)
    let seen = arrival.seen
    arrival.setting = try await held(arrival.setting, from: old, start.seen, seen)
    let setting = arrival.setting
    let change = setting.change(from: old)
    let size = CardColor.size(change.logRatios)
    let tolerance = max(
      laws.tolerance(
        of: size, max(start.seen.noise, seen.noise), between: [start.values, setting.values]),
      start.seen.darkness + seen.darkness)
    arrival.isLarge = size > max(0.02, tolerance)
    let shown = seen.ratios - start.seen.ratios
    if CardColor.size(shown - change.logRatios) <= tolerance { return }
    if seen.cameBack, let frames = try await camera.framesUntilBack(seenOf: setting.values) {
      throw .automaticReturned(frames: frames)
    }
    // Another program's value is not seen either.
    if let other = try await camera.otherValue(of: setting.values) { throw other }
    let notSeen = CameraError.notSeen(
      expected: change, seen: Gains(red: exponential(shown.x), blue: exponential(shown.y)),
      frames: Camera.frameLimit)
    // A picture that has not moved at all has not moved for another reason.
    if CardColor.size(shown) < 0.05 * size { throw notSeen }
    if let again = try await camera.observe(start.values),
      CardColor.size(again.ratios - start.seen.ratios) > tolerance
    {
      throw try await camera.blame(
        start.values, seen: start.seen, afterFrames: camera.watchedFrames)
    }
    // From where it started, the picture may have had colors that no matrix leads back from.
    guard let again = try await camera.observe(setting.values), camera.isSame(again, seen),
      try await camera.moves(asToldBy: laws, from: setting.values, &arrival.seen)
    else { throw notSeen }
    arrival.first = again.firstFrame ?? arrival.first
  }

  /// Throws where gains are on top of where the automatic stopped.
  func requireAbsoluteGains() async throws(CameraError) {
    if camera.endurance?.isRelative == true {
      throw .relativeToAutomatic(camera: await camera.port.identity.name)
    }
  }

  /// The setting as the camera has taken it: where it reports values near those that were set, the
  /// picture decides which of the two are true.
  private func held(
    _ setting: WhiteBalanceSetting, from old: Gains, _ start: PictureWatch.Rest,
    _ seen: PictureWatch.Rest
  ) async throws(CameraError) -> WhiteBalanceSetting {
    let reported = try await camera.misreported(setting.values)
    guard !reported.isEmpty else { return setting }
    var values = setting.values
    for (value, told) in reported { values = values.replacing(value.id, by: told) }
    let other = WhiteBalanceSetting(
      values: values, wanted: setting.wanted, reached: laws.gains(at: values))
    func miss(_ setting: WhiteBalanceSetting) -> Double {
      CardColor.size(seen.ratios - start.ratios - setting.change(from: old).logRatios)
    }
    return miss(other) < miss(setting) ? other : setting
  }

  /// What the controls are set to, and what the picture shows of it; first they are set to their
  /// reference if the picture is black or clipped, where no change can be measured, or the laws do
  /// not reach. `nil` where nothing can be measured there either.
  private func startingPoint() async throws(CameraError) -> Place? {
    var seen: PictureWatch.Rest?
    // What they read as may be rounded, unless it was set.
    for _ in 0..<2 {
      let values = try await valuesInForce()
      guard laws.gains(at: values).arePositiveAndFinite else { break }
      seen = try await camera.observe(values)
      if let seen, try await valuesInForce() == values { return Place(values: values, seen: seen) }
    }
    return try await camera.observe(laws.reference).map { Place(values: laws.reference, seen: $0) }
  }
}

extension ControlLaws {
  /// How far a change of the picture may be from the one that the laws foretell.
  ///
  /// - Parameters:
  ///   - size: that of the change.
  ///   - values: the settings between which it is.
  func tolerance(
    of size: Double, _ noise: Double, between values: [[ControlValue]]
  ) -> Double {
    let stated =
      errors == nil
      ? []
      : values.map { covariance(of: gains(at: $0)).standardErrors }.map { max($0.red, $0.blue) }
    let error = stated.filter(\.isFinite).reduce(fitError, max)
    // A tone curve that is not quite the one supposed stretches every change, and 8 bits round what
    // is a smooth patch by up to 0.3 %, which undoing a mixing makes larger.
    return max(
      max(0.004, 0.006 * (mixing?.errorGain ?? 0)), 6 * noise, 3 * error,
      (0.03 + 2 * (mixing?.scaleError ?? 0)) * size)
  }
}

extension WhiteBalanceSetting {
  /// What it does to the picture's red and blue beside its green.
  fileprivate func change(from old: Gains) -> Gains {
    Gains(
      red: reached.red / reached.green / (old.red / old.green),
      blue: reached.blue / reached.green / (old.blue / old.green))
  }
}

extension Gains {
  /// ln(red), ln(blue), for gains of green 1.
  fileprivate var logRatios: SIMD2<Double> { SIMD2(logarithm(red), logarithm(blue)) }
}
