internal import CameraProfiles
internal import ColorScience
internal import WhiteBalance

extension Camera {
  /// Turns automatic exposure off and, if the exposure can be set, finds one at which the region is
  /// neither clipped nor dark.
  ///
  /// A camera that has no control of its exposure is not changed.
  ///
  /// - Returns: `true` if the exposure time can be set in units of time.
  @discardableResult
  public func lockExposure() async throws(CameraError) -> Bool {
    try await performing { camera async throws(CameraError) in
      try await camera.findExposure { count async throws(CameraError) in
        try await camera.skipFrames(count)
      }
    }
  }

  /// Finds the exposure.
  ///
  /// - Parameter pass: A closure that reads a number of frames, after which no change by the
  ///   automatic exposure is visible.
  func findExposure(
    _ pass: (Int) async throws(CameraError) -> Void
  ) async throws(CameraError) -> Bool {
    let (time, gain) = (try await isOff(.exposureMode), try await isOff(.autoGain))
    try await turnOff([.exposureMode, .autoGain])
    let modes = await port.controls.filter { [.exposureMode, .autoGain].contains($0.id) }
    // If the exposure was manual, there is no automatic change to wait for.
    let isByHand = time == true && gain != false
    let unknown = isByHand ? Self.latencyBound : Self.longestLatency
    if !modes.isEmpty { try await pass(latency == nil ? unknown : delay) }
    let fixedRate = ControlValue(.exposurePriority, 0)
    if let value = try await value(of: fixedRate.id), value != fixedRate.value {
      try await send([fixedRate])
    }
    for id in [ControlID.exposureTime, .exposureLines] {
      guard let control = await port.description(of: id),
        try await port.flags(of: id).isDisjoint(with: [.readOnly, .inactive])
      else { continue }
      try await move(control) { camera async throws(CameraError) in
        let factor = try await camera.exposureFactor()
        return factor == 1 ? nil : factor
      }
      return id == .exposureTime
    }
    return false
  }

  /// Moves a control of the exposure until the light is correct.
  ///
  /// The light may be any increasing function of the control's value: the search narrows the
  /// interval between a value that is too dark and one that is too bright.
  ///
  /// - Parameter factor: A closure that returns the factor by which the light must change; `nil` if
  ///   it is correct.
  func move(
    _ control: ControlDescription,
    until factor: (Camera) async throws(CameraError) -> Double?
  ) async throws(CameraError) {
    var dark = Double(control.minimum) - 1
    var bright = Double(control.maximum) + 1
    for _ in 0..<16 {
      guard let factor = try await factor(self) else { break }
      let now = try await port.value(of: control.id)
      if factor > 1 { dark = max(dark, Double(now)) } else { bright = min(bright, Double(now)) }
      var wanted = Double(max(now, 1)) * factor
      if wanted <= dark || wanted >= bright { wanted = (dark + bright) / 2 }
      let next = control.nearestValue(to: wanted)
      if next == now { break }
      try await expose(next, by: control.id)
    }
  }

  /// Indicates whether the exposure time is set manually.
  public var hasManualExposure: Bool {
    get async throws(CameraError) { try await manualExposure() != nil }
  }

  /// Moves the exposure time until the gray card's linear green is as near to a level as the
  /// control's steps allow. On failure the previous settings are restored.
  ///
  /// - Parameter level: The level as a fraction of white, above 0.
  /// - Returns: The card's linear green at the new time; `nil` if the exposure time is not set
  ///   manually.
  /// - Throws: `cardUnreadable` if the card is refused, `settingNotKept` if the camera uses another
  ///   time.
  @discardableResult
  public func adjustExposure(toCardLevel level: Double) async throws(CameraError) -> Double? {
    try await restoringOnFailure { camera async throws(CameraError) in
      guard let (control, initial) = try await camera.manualExposure() else { return nil }
      var (time, now) = (initial, initial)
      func look() async throws(CameraError) -> Double {
        if time != now { try await camera.expose(time) }
        now = time
        let card = try await camera.estimate()
        guard card.isAccepted else { throw .cardUnreadable(card.refusals) }
        return card.response.green
      }
      var best = (time: time, level: try await look())
      func distance(_ seen: Double) -> Double { abs(logarithm(seen / level)) }
      // The light is proportional to the time if the transfer function is correct.
      for _ in 0..<6 {
        time = control.nearestValue(to: Double(max(best.time, 1)) * level / best.level)
        if time == best.time { break }
        let seen = try await look()
        if distance(seen) >= distance(best.level) { break }
        best = (time, seen)
      }
      time = best.time
      if time != now { best.level = try await look() }
      return best.level
    }
  }

  /// The exposure time; `nil` if it is not set manually.
  func manualExposure() async throws(CameraError) -> (control: ControlDescription, time: Int)? {
    guard let control = await port.description(of: .exposureTime),
      try await isOff(.exposureMode) == true, let time = try await value(of: .exposureTime)
    else { return nil }
    return (control, time)
  }

  /// Calls `body` with a closure that multiplies the exposure time by a factor and returns the new
  /// time and the latency, and restores the time afterwards. Does nothing if the exposure time is
  /// not set manually.
  dynamic func exposing(
    _ body: (
      _ expose: (_ factor: Double) async throws(CameraError) -> (time: Double, latency: Int?)
    ) async throws(CameraError) -> Void
  ) async throws(CameraError) {
    guard let (control, initial) = try await manualExposure() else { return }
    try await body { factor async throws(CameraError) in
      let time = control.nearestValue(to: Double(initial) * factor)
      return (Double(time), try await expose(time))
    }
    let now = try await port.value(of: .exposureTime)
    if !isPrompt || now != initial { try await expose(initial) }
  }

  /// Sets the exposure time, and waits until the picture shows it.
  ///
  /// - Returns: The latency in frames; `nil` if the change is too small to determine it.
  @discardableResult
  func expose(
    _ time: Int, by id: ControlID = .exposureTime
  ) async throws(CameraError) -> Int? {
    let (start, mean) = try await nextMean()
    let before = max(mean.mean.vector.max(), 1e-6)
    let old = try await port.value(of: id)
    let value = [ControlValue(id, time)]
    try await send(value)
    do throws(CameraError) { try await readBack(value) } catch {
      // A time that another program has set would stay; one that the camera chose soon changes.
      guard case .settingNotKept = error else { throw error }
      try await send(value)
      try await skipFrames(Self.latencyBound)
      guard try await !misreported(value).isEmpty else { throw error }
      throw .exposureNotHeld(camera: await port.identity.name)
    }
    // Once a change is as large as requested and over, there is nothing to wait for.
    let wanted = abs(logarithm(Double(max(time, 1)) / Double(max(old, 1))))
    var seen: [(frame: FrameInfo, level: Double)] = []
    for _ in 0..<(latency == nil ? Self.longestLatency : max(delay, Self.latencyBound)) {
      let (frame, mean) = try await nextMean()
      let level = max(mean.mean.vector.max(), 1e-6)
      seen.append((frame, level))
      let last = seen.suffix(3)
      guard abs(logarithm(level / before)) > max(0.1, wanted / 2),
        last.count == 3, let least = last.map(\.level).min(), let most = last.map(\.level).max()
      else { continue }
      if most < 1.01 * least {
        // The first frame that is nearer to the new level than to the previous one.
        let middle = (level * before).squareRoot()
        let first = seen.first { ($0.level > middle) == (level > before) }
        return first.map { $0.frame.sequence - start.sequence - 1 }
      }
    }
    if latency == nil { try await skipFrames(Self.latencyBound) }
    return nil
  }

  /// Returns the factor by which to multiply the exposure.
  private func exposureFactor() async throws(CameraError) -> Double {
    let estimate = try await estimate(frames: 2)
    let isClipped = estimate.refusals.contains {
      switch $0 {
      case .clipped, .saturated: true
      case .dark, .tooFewPixels, .uneven, .mixedColors, .coarse: false
      }
    }
    if isClipped { return 0.35 }
    var level = estimate.response.vector.max()
    if !(level > 0) {
      // No pixel can be used if a single channel is black, as it is after the gains of a very
      // different lamp.
      let brightest = try await nextCodes().1.codes.max() ?? 0
      level = TransferFunction.sRGB.linear(brightest / 255)
    }
    // If everything is black, there is no level to start from.
    if level < Self.black { return 6 }
    // At 0.3 of white there is headroom for gains; levels near it are kept.
    return 0.15...0.45 ~= level ? 1 : min(max(0.3 / level, 0.1), 10)
  }

  /// The linear value of the brightest channel below which the region counts as black.
  private static let black = 0.003
}
