internal import CameraProfiles
internal import ColorScience
internal import WhiteBalance

extension Camera {
  /// Turns automatic white balance off, sets controls and waits for the picture to settle; returns
  /// `nil` if it is clipped or black.
  ///
  /// - Parameter shown: The settled picture before that, if known.
  /// - Throws: `settingNotKept` if a control keeps reporting a very different value; `notSettled`
  ///   if the picture does not settle.
  func observe(
    _ values: [ControlValue], from shown: SettledPicture? = nil
  ) async throws(CameraError) -> SettledPicture? {
    var shown = shown
    if approachesFromBelow {
      try await turnOffAutomatic()
      try await goBeside(values, by: -0.08)
      shown = nil
    }
    let before = if let shown { shown.ratios } else { try await nextMean().1.ratios }
    try await turnOffAutomatic()
    try await send(values)
    let seen: SettledPicture?
    // As long as the latency is unknown, the longest one is assumed.
    let wait = latency == nil ? Self.longestLatency : delay
    do throws(CameraError) { seen = try await settledPicture(from: before, after: wait) } catch {
      throw try await blame(values, for: error)
    }
    let reports = try await misreportedAtLast(values)
    guard !reports.isEmpty else { return seen }
    let wrong = reports.map(\.value)
    // Some cameras accept only one of two controls that are set together; some round.
    try await turnOffAutomatic()
    for (index, value) in wrong.enumerated() {
      if index > 0 { try await skipFrames(3) }
      try await send([value])
    }
    var now = try await settledPicture(from: seen?.ratios, after: wait)
    let reportsNow = try await misreportedAtLast(values)
    if let other = try await otherValue(of: values) { throw other }
    if values.count > 1, !reportsNow.isEmpty, reportsNow.elementsEqual(reports, by: ==) {
      // The camera reports rounded values. If two controls share one of the camera's, setting one
      // sets the other to the reported value.
      try await send(values)
      now = try await settledPicture(from: now?.ratios, after: wait)
    }
    return now.map { now in
      var now = now
      now.firstFrame = now.firstFrame ?? seen?.firstFrame
      now.cameBack = now.cameBack || seen?.cameBack == true
      // Values that were sent one after the other show at different times.
      if wrong.count > 1 { (now.latency, now.settlingRate) = (seen?.latency, seen?.settlingRate) }
      return now
    }
  }

  /// Moves controls that are not menus away from values by a fraction of the range; one by one,
  /// since some cameras accept only one of two that are set together.
  private func goBeside(_ values: [ControlValue], by share: Double) async throws(CameraError) {
    for value in values {
      guard let control = await port.description(of: value.id), control.items.isEmpty else {
        continue
      }
      let way = share * Double(control.maximum - control.minimum)
      try await send([ControlValue(value.id, control.nearestValue(to: Double(value.value) + way))])
      try await skipFrames(3)
    }
    try await skipFrames(delay)
  }

  /// Returns the color difference between settings approached from below and from above; `nil` if
  /// there is none.
  func hysteresis(of values: [ControlValue]) async throws(CameraError) -> Double? {
    var fromBelow = self
    fromBelow.approachesFromBelow = true
    let first = try await fromBelow.observe(values)
    try await goBeside(values, by: 0.08)
    var fromAbove = self
    fromAbove.approachesFromBelow = false
    guard let second = try await fromAbove.observe(values), let first,
      let third = try await fromBelow.observe(values), isSame(third, first), !isSame(second, first)
    else { return nil }
    return CardColor.size(second.ratios - first.ratios)
  }

  static func dependsOnDirection(_ id: ControlID, by change: Double) -> CameraError {
    .noLaw(
      id,
      reason: "its effect depends on the direction from which it is set, by "
        + "\(shortNumber(change * 100)) %; a gray card can still be made neutral")
  }

  /// Waits until the picture has settled; returns `nil` if it is clipped or black.
  ///
  /// - Parameters:
  ///   - before: The picture before the setting that was just made.
  ///   - first: The smallest number of frames to skip, instead of the camera's own.
  func settledPicture(
    from before: SIMD2<Double>? = nil, after first: Int? = nil
  ) async throws(CameraError) -> SettledPicture? {
    var watch = PictureWatch(
      before: before, delay: first ?? delay, flickers: flickers,
      isSettlingRateKnown: settlingRate != nil)
    for _ in 0..<delay + PictureWatch.limit {
      let (info, mean) = try await nextMean()
      switch watch.add(info, mean) {
      case .moving: continue
      case .unseen: return nil
      case .settled(let picture): return picture
      }
    }
    let (drift, swing) = watch.unrest
    throw .notSettled(frames: PictureWatch.limit, drift: drift, swing: swing)
  }

  /// Sets controls and verifies that the camera reports them.
  func setAndReadBack(_ values: [ControlValue]) async throws(CameraError) {
    try await send(values)
    try await readBack(values)
  }

  /// Verifies that the camera reports controls as they were set; some report late.
  func readBack(_ values: [ControlValue]) async throws(CameraError) {
    var wrong = try await misreported(values)
    for _ in 0..<Self.readings where !wrong.isEmpty {
      // A cancelled task still restores settings, and has to wait for that.
      await Task.detached { try? await Task.sleep(for: Self.readingInterval) }.value
      wrong = try await misreported(values)
    }
    if let (value, reported) = wrong.first { throw .settingNotKept(value, reported: reported) }
  }

  /// The number of times that a control with a wrong value is read again: over ten frames.
  private static let readings = 10
  private static let readingInterval = Duration.milliseconds(34)

  /// Returns `settingNotKept` if a control reports a very different value than it was set to,
  /// rather than one rounded to a 32nd of its range.
  func otherValue(of values: [ControlValue]) async throws(CameraError) -> CameraError? {
    for (value, reported) in try await misreported(values) {
      guard let control = await port.description(of: value.id), control.items.isEmpty,
        abs(reported - value.value)
          <= max(2 * control.step, (control.maximum - control.minimum) / 32)
      else { return .settingNotKept(value, reported: reported) }
    }
    return nil
  }

  /// Returns the values that the camera still does not report some frames later.
  func misreportedAtLast(
    _ values: [ControlValue]
  ) async throws(CameraError) -> [(value: ControlValue, reported: Int)] {
    for _ in 0..<Self.readings where try await !misreported(values).isEmpty {
      try await passFrame()
    }
    return try await misreported(values)
  }

  /// Waits for the time of a frame, also in a cancelled task, which still restores settings.
  private func passFrame() async throws(CameraError) {
    let camera = self
    let failure = await Task.detached { () -> CameraError? in
      do throws(CameraError) { try await camera.skipFrames(1) } catch { return error }
      return nil
    }.value
    guard let failure else { return }
    if case .vanished = failure { throw failure }
    await Task.detached { try? await Task.sleep(for: Self.readingInterval) }.value
  }

  /// Returns the values that the camera does not report as they were set, and those it reports.
  func misreported(
    _ values: [ControlValue]
  ) async throws(CameraError) -> [(value: ControlValue, reported: Int)] {
    var wrong: [(value: ControlValue, reported: Int)] = []
    for value in values {
      let reported = try await port.value(of: value.id)
      if reported != value.value { wrong.append((value, reported)) }
    }
    return wrong
  }
}
