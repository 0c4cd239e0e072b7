internal import CameraProfiles
internal import ColorScience
internal import WhiteBalance

extension Camera {
  /// The number of frames for which a setting is observed if the camera's persistence is unknown; 0
  /// if settings are not observed at all.
  private var examinedFrames: Int { verificationFrames > 0 ? Self.examinedFrames : 0 }
  private static let examinedFrames = 240
  /// The number of frames after which an automatic has settled far enough for another balance to
  /// show.
  private static let framesOn = 20
  /// The uncertainty of the ratios due to dark pixels above which a change may go unnoticed.
  static let hidingDarkness = 0.03

  /// The camera, prepared for diagnosing an unexpected picture.
  var forDiagnosis: Camera {
    var camera = self
    camera.automaticOffPolicy = .beforeEachSetting
    return camera
  }

  /// Determines whether settings persist: for some seconds, when a new stream starts, and after the
  /// automatic has been on. They are in effect again at the end.
  ///
  /// - Parameters:
  ///   - values: Settings away from those that the automatic would choose.
  ///   - seen: The picture at these settings.
  ///   - isOtherLight: `true` if the light differs from that under which the automatic stopped
  ///     last. Under the same light it stops there again, which takes few frames and proves little.
  ///   - progress: A closure that is called with the number of frames observed and their total.
  /// - Throws: `automaticReturned`, `settingNotKept` or `sceneChanged` if the settings do not
  ///   persist.
  dynamic func examinePersistence(
    of values: [ControlValue], seen: SettledPicture, isOtherLight: Bool = false,
    _ progress: (Int, Int) -> Void = { _, _ in }
  ) async throws(CameraError) -> SettingPersistence {
    // If changes showed at once since the automatic was turned off, that time counts too.
    let seenFrames = automaticOffPolicy == .once && settlingRate == 1 ? await framesSinceOff : 0
    let left = max(examinedFrames - seenFrames, 0)
    try await watch(values, seen: seen, frames: left, progress)
    // The observed mean does not include a change in the last frames yet.
    let last = try await settledPicture(after: 0)
    guard isSame(last, seen) else {
      throw try await blame(values, seen: seen, afterFrames: examinedFrames)
    }
    await stopStreaming()
    var persistence = SettingPersistence(
      frames: examinedFrames, isLostOnStreamStart: false, baseline: .unknown)
    let restarted = try await settledPicture(after: Self.latencyBound)
    if !isSame(restarted, seen) {
      persistence.isLostOnStreamStart = true
      if let again = try await observe(values), !isSame(again, seen),
        try await hysteresis(of: values) == nil
      {
        // Either gains are relative to where the automatic stopped just now, or the scene changed.
        // In the second case, the picture is the same after the next start of the stream.
        await stopStreaming()
        if isSame(try await settledPicture(after: Self.latencyBound), again) {
          throw try await change(again, seen, values)
        }
        persistence.baseline = .relativeToAutomatic
        _ = try await observe(values)
        return persistence
      }
    }
    let isRelative = try await isRelative(
      values, seen: seen, after: isOtherLight ? Self.framesOn : 2)
    if isRelative == true || isOtherLight {
      persistence.baseline = .init(isRelative: isRelative)
    }
    return persistence
  }

  /// Indicates whether settings have another effect after the automatic has been on for some
  /// frames; `nil` without an automatic, or if the picture is too dark to show it. The settings are
  /// in effect again at the end.
  func isRelative(
    _ values: [ControlValue], seen: SettledPicture, after frames: Int
  ) async throws(CameraError) -> Bool? {
    guard let mode = await port.description(of: .autoWhiteBalance), let on = mode.automatic?.on,
      mode.automatic?.off != nil, try await !port.flags(of: mode.id).contains(.readOnly)
    else { return nil }
    try await send([ControlValue(mode.id, on)])
    // The automatic starts after the latency.
    try await skipFrames((latency ?? 0) + frames)
    let after = try await observe(values)
    if isSame(after, seen) { return seen.darkness < Self.hidingDarkness ? false : nil }
    // A second picture that differs from this one shows that the scene is changing.
    let again = try await observe(values)
    // The first picture may have been too early.
    if isSame(again, seen) { return false }
    guard let after, isSame(again, after) else {
      throw try await change(again ?? after, seen, values)
    }
    return try await hysteresis(of: values) == nil
  }

  /// Observes the picture of settings for stability.
  ///
  /// - Throws: `automaticReturned`, `settingNotKept` or `sceneChanged` if it changes.
  dynamic func watch(
    _ values: [ControlValue], seen: SettledPicture, frames: Int,
    _ progress: (Int, Int) -> Void = { _, _ in }
  ) async throws(CameraError) {
    let reported = try await settings(of: values)
    // A window of a raised cosine, as for flicker.
    let length = flickers ? PictureWatch.averagedFrames : 16
    var last: [SIMD2<Double>] = []
    for frame in 0..<frames {
      progress(frame, frames)
      let (_, mean) = try await nextMean()
      guard let ratios = mean.ratios else { continue }
      last.append(ratios)
      if last.count > length { last.removeFirst() }
      guard last.count == length else { continue }
      let now = PictureWatch.windowMean(last)
      let tolerance = max(0.006, 6 * seen.noise, 0.1 * last.spread)
      if CardColor.size(now - seen.ratios) > tolerance {
        // A picture that settles where it was has not changed.
        if isSame(try await settledPicture(after: 0), seen) {
          last = []
          continue
        }
        throw try await blame(values, seen: seen, afterFrames: frame + 1)
      }
    }
    // The value of another program may be too close to show in the picture.
    try await readBack(reported)
  }

  /// Diagnoses why the picture of settings does not settle.
  ///
  /// An automatic that works although it is off may wander. If a setting moves the picture away,
  /// such an automatic brings it back.
  func blame(
    _ values: [ControlValue], for unrest: CameraError
  ) async throws(CameraError) -> CameraError {
    guard case .notSettled(_, let drift, let swing) = unrest,
      let frames = try await framesUntilBack(values, moving: max(drift, swing, 0.01))
    else { return unrest }
    return .automaticReturned(frames: frames)
  }

  /// Returns the number of frames within which an automatic has reverted a picture that was seen to
  /// move and return; `nil` if no automatic did that. With red and blue balance there is no other
  /// reason; with a menu or a temperature, the picture may pass through other colors, so this is
  /// tested.
  func framesUntilBack(seenOf values: [ControlValue]) async throws(CameraError) -> Int? {
    values.allSatisfy { ControlID.balances.contains($0.id) }
      ? PictureWatch.limit : try await framesUntilBack(values, moving: 0.02)
  }

  /// Returns the number of frames after which the picture returns by itself when it is moved away
  /// by hand; `nil` if it stays.
  ///
  /// - Parameter unrest: The amount by which the picture moves anyway.
  func framesUntilBack(
    _ values: [ControlValue], moving unrest: Double
  ) async throws(CameraError) -> Int? {
    if automaticOffPolicy == .once {
      return try await forDiagnosis.framesUntilBack(values, moving: unrest)
    }
    guard let first = values.first, let control = await port.description(of: first.id),
      control.items.isEmpty, let start = try await nextMean().1.ratios
    else { return nil }
    let inwards = first.value > control.value(atShare: 0.5) ? -1.0 : 1.0
    func away(by share: Double) -> [ControlValue] {
      let way = inwards * share * Double(control.maximum - control.minimum)
      return [ControlValue(first.id, control.nearestValue(to: Double(first.value) + way))]
    }
    try await turnOffAutomatic()
    try await send(away(by: 0.2))
    var (farthest, isSeen) = (0.0, false)
    // The picture at the end of the move, from which an automatic may take it anywhere.
    var settled: SIMD2<Double>?
    var last: [SIMD2<Double>] = []
    // An automatic that returns at the very end needs some more frames.
    for frame in 0..<Self.examinedFrames + Self.frameLimit {
      let next = try await nextMean().1.ratios
      if frame == Self.longestLatency, !isSeen || farthest < 0.1 {
        // The picture is clipped there, or is by chance nearly what the automatic chooses.
        try await turnOffAutomatic()
        try await send(away(by: isSeen ? 0.4 : -0.1))
      }
      guard let ratios = next else { continue }
      isSeen = true
      let distance = CardColor.size(ratios - start)
      farthest = max(farthest, distance)
      last.append(ratios)
      if last.count > 12 { last.removeFirst() }
      let isSettled = last.count == 12 && last.spread < 0.01 && farthest > 0.1
      if isSettled || frame >= 2 * Self.longestLatency + delay { settled = settled ?? ratios }
      if let settled, CardColor.size(ratios - settled) > max(5 * unrest, 0.5 * farthest) {
        return frame
      }
      // The picture need not return exactly to where it was.
      if farthest - distance > max(3 * unrest, 0.25 * farthest) { return frame }
    }
    return nil
  }

  /// Diagnoses why the picture of settings has changed.
  func blame(
    _ values: [ControlValue], seen: SettledPicture, afterFrames frames: Int
  ) async throws(CameraError) -> CameraError {
    try await forDiagnosis.foundReason(values, seen: seen, afterFrames: frames)
  }

  private func foundReason(
    _ values: [ControlValue], seen: SettledPicture, afterFrames frames: Int
  ) async throws(CameraError) -> CameraError {
    if let other = try await otherValue(of: values) { return other }
    let (_, mean) = try await nextMean()
    let tolerance = max(0.006, 6 * mean.standardError)
    var now = mean.ratios
    let distance = now.map { CardColor.size($0 - seen.ratios) } ?? 0
    let sceneChange: CameraError
    if distance > 3 * tolerance {
      // The setting may show for a few frames only.
      try await turnOffAutomatic()
      try await send(values)
      var count = 0
      for _ in 0..<(latency == nil ? Self.longestLatency : delay) + Self.latencyBound {
        now = try await nextMean().1.ratios
        let isThere =
          now.map { CardColor.size($0 - seen.ratios) <= max(tolerance, distance / 5) } ?? false
        count = isThere ? count + 1 : 0
        if count == 2 { return .automaticReturned(frames: frames) }
      }
      sceneChange = .sceneChanged(by: now.map { CardColor.size($0 - seen.ratios) } ?? 1)
    } else {
      let before = try await settledPicture()
      let after = try await observe(values)
      if after?.cameBack == true || isSame(after, seen) && !isSame(before, seen) {
        return .automaticReturned(frames: frames)
      }
      sceneChange = self.sceneChange(after ?? before, seen)
    }
    return try await cause(of: sceneChange, at: values)
  }

  /// Returns the cause of a picture that differs from an earlier one of the same settings: an
  /// automatic that returned, the direction from which they were set, or else a changed scene.
  func cause(
    of sceneChange: CameraError, at values: [ControlValue]
  ) async throws(CameraError) -> CameraError {
    if let frames = try await framesUntilBack(values, moving: 0.02) {
      return .automaticReturned(frames: frames)
    }
    guard let first = values.first, let change = try await forDiagnosis.hysteresis(of: values)
    else { return sceneChange }
    return Self.dependsOnDirection(first.id, by: change)
  }

  /// Diagnoses a changed picture of settings where no other cause is possible: an automatic that
  /// returned, or the scene.
  private func change(
    _ now: SettledPicture?, _ seen: SettledPicture, _ values: [ControlValue]
  ) async throws(CameraError) -> CameraError {
    if let frames = try await framesUntilBack(values, moving: 0.02) {
      return .automaticReturned(frames: frames)
    }
    return sceneChange(now, seen)
  }

  private func sceneChange(_ now: SettledPicture?, _ seen: SettledPicture) -> CameraError {
    .sceneChanged(by: now.map { CardColor.size($0.ratios - seen.ratios) } ?? 1)
  }

  /// Indicates whether a picture is unchanged, except for noise and dark pixels.
  func isSame(_ now: SettledPicture?, _ seen: SettledPicture) -> Bool {
    now.map {
      CardColor.size($0.ratios - seen.ratios)
        <= max(0.006, 6 * max($0.noise, seen.noise), $0.darkness + seen.darkness)
    } ?? false
  }
}
