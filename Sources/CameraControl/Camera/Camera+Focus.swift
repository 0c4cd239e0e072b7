internal import CameraProfiles
public import WhiteBalance

extension Camera {
  /// The focus modes of the camera; none if it has no control of its lens.
  public var supportedFocusModes: [FocusMode] {
    get async {
      let automatic = await port.description(of: .autoFocus)?.automatic
      let hasButton = await port.description(of: .autoFocusOnce) != nil
      var modes: [FocusMode] = []
      let hasPosition = await port.description(of: .focusPosition) != nil
      if automatic?.off != nil || automatic == nil && (hasPosition || hasButton) {
        modes.append(.locked)
      }
      if hasButton || automatic?.off != nil && automatic?.on != nil { modes.append(.automatic) }
      if automatic?.on != nil { modes.append(.continuousAutomatic) }
      return modes
    }
  }

  /// The mode that the camera's control reports; during `automatic` it may be the continuous one.
  public var focusMode: FocusMode {
    get async throws(CameraError) {
      let on = await port.description(of: .autoFocus)?.automatic?.on
      return try await value(of: .autoFocus).map { $0 == on } == true
        ? .continuousAutomatic : .locked
    }
  }

  /// Sets the focus mode. `continuousAutomatic` returns at once. `automatic` returns when the
  /// camera reports that it has focused or, if it does not report that, when the sharpness has
  /// settled. `locked` keeps the lens, and so the sharpness, where the camera had moved it. On
  /// failure the previous settings are restored.
  ///
  /// - Throws: `noFocus` if the camera has no control of its lens, `noFocusMode` if it lacks the
  ///   mode, `notFocused` if autofocus fails or does not end, or if turning it off moved the lens
  ///   and the sharpness could not be restored; `notSettled` if the sharpness does not settle.
  public func setFocusMode(_ mode: FocusMode) async throws(CameraError) {
    let modes = await supportedFocusModes
    guard modes.contains(mode) else {
      let name = await port.identity.name
      throw modes.isEmpty ? .noFocus(camera: name) : .noFocusMode(mode, camera: name, modes: modes)
    }
    try await restoringOnFailure { camera async throws(CameraError) in
      switch mode {
      case .locked: try await camera.holdLensKeepingSharpness()
      case .continuousAutomatic: try await camera.startFocusing()
      case .automatic:
        guard await camera.port.description(of: .autoFocusOnce) != nil else {
          try await camera.startFocusing()
          try await camera.awaitSettledSharpness()
          return try await camera.holdLensKeepingSharpness()
        }
        try await camera.holdLens()
        try await camera.send([ControlValue(.autoFocusOnce, 1)])
        if await camera.port.description(of: .autoFocusStatus) == nil {
          try await camera.awaitSettledSharpness()
        } else {
          try await camera.awaitEndOfFocusing()
        }
      }
    }
  }

  /// Measures the sharpness in `focusRegion` over the next frames.
  ///
  /// - Parameter frames: The number of frames, even and above 0.
  /// - Throws: `notFocused` with `noLight` if the region is black or clipped.
  public func focusMeasure(frames: Int = 8) async throws(CameraError) -> FocusMeasure {
    precondition(frames > 0 && frames % 2 == 0, "`frames` must be positive and even")
    let camera = await watching()
    let finder = GrayCardEstimator(region: focusRegion)
    var meter = FocusMeter()
    for _ in 0..<frames {
      let (_, plane) = try await camera.nextFrame { _, layout, bytes throws(FrameError) in
        try LinearPlane(bytes, layout: layout, region: finder.rectangle(in: layout))
      }
      meter.add(plane)
    }
    guard let measure = meter.measure else { throw .notFocused(.noLight) }
    return measure
  }

  /// Indicates whether the focus position can be set.
  public var canSetLensPosition: Bool {
    get async { await port.description(of: .focusPosition) != nil }
  }

  /// The focus position, from 0 (nearest) to 1 (farthest); `isNearAtMaximum` determines which end
  /// of the control is the nearest.
  ///
  /// - Throws: `noControl` if the position cannot be set.
  public var lensPosition: Double {
    get async throws(CameraError) {
      lensPosition(
        try await port.value(of: .focusPosition), try await port.required(.focusPosition))
    }
  }

  /// Moves the lens, and returns when the picture has changed and the lens has had time to arrive;
  /// autofocus is turned off. On failure the previous settings are restored.
  ///
  /// - Parameters:
  ///   - position: The target position, from 0 (nearest) to 1 (farthest).
  ///   - duration: The time of the move, in equal steps of a frame each: a focus pull; 0 moves at
  ///     once.
  /// - Precondition: The position is 0…1, and the duration is not negative.
  /// - Returns: The setting, and whether the picture showed the move.
  /// - Throws: `noControl` if the camera lacks the control, `settingNotKept` if it uses another
  ///   value, `notFocused` with `noLight` if nothing can be seen.
  @discardableResult
  public func setLensPosition(
    _ position: Double, over duration: Duration = .zero
  ) async throws(CameraError) -> LensSetting {
    precondition(
      0...1 ~= position && duration >= .zero,
      "`position` must be in 0…1, and `duration` must not be negative")
    return try await restoringOnFailure { camera async throws(CameraError) in
      let control = try await camera.port.required(.focusPosition)
      try await camera.holdLens()
      let from = try await camera.port.value(of: .focusPosition)
      let to = control.value(atShare: camera.isNearAtMaximum ? 1 - position : position)
      let before = try await camera.focusMeasure()
      if duration > .zero { try await camera.pull(control, from: from, to: to, over: duration) }
      try await camera.setAndReadBack([ControlValue(.focusPosition, to)])
      var wasSeen = false
      // The sharpness may be equal at both ends, but not on the way.
      for _ in 0..<(camera.lensFrames(control, from: from, to: to) + 1) / 2 {
        if wasSeen {
          try await camera.skipFrames(2)
        } else {
          wasSeen = try await camera.focusMeasure(frames: 2).differs(from: before)
        }
      }
      let after = try await camera.focusMeasure()
      return LensSetting(
        value: to, position: camera.lensPosition(to, control),
        wasSeen: wasSeen || after.differs(from: before))
    }
  }

  /// Sets values that are linear in time, by the clock of the frames.
  private func pull(
    _ control: ControlDescription, from: Int, to: Int, over duration: Duration
  ) async throws(CameraError) {
    var start: Duration?
    var last = from
    // The loop also ends if the clock stands still: after the frames of 240 per second.
    for _ in 0...Int(240 * (duration / .seconds(1))) {
      let (info, _) = try await nextFrame { _, _, _ in }
      let begun = start ?? info.timestamp
      start = begun
      let share = (info.timestamp - begun) / duration
      if share >= 1 { return }
      let next = control.nearestValue(to: Double(from) + share * Double(to - from))
      if next != last { try await send([ControlValue(.focusPosition, next)]) }
      last = next
    }
  }

  /// Returns the position at a control's value.
  func lensPosition(_ value: Int, _ control: ControlDescription) -> Double {
    let share = Double(value - control.minimum) / Double(max(1, control.maximum - control.minimum))
    return isNearAtMaximum ? 1 - share : share
  }

  /// Returns the number of frames in which the lens moves from one value to another.
  func lensFrames(_ control: ControlDescription, from: Int, to: Int) -> Int {
    let range = max(1, control.maximum - control.minimum)
    return delay + (abs(to - from) * lensTravel + range - 1) / range
  }

  /// Turns autofocus off.
  func holdLens() async throws(CameraError) {
    guard let off = await port.description(of: .autoFocus)?.automatic?.off else { return }
    try await turnOff([.autoFocus])
    try await readBack([ControlValue(.autoFocus, off)])
  }

  /// Turns autofocus off, and restores the sharpness if the lens moves: some cameras return it to
  /// its last manual position.
  private func holdLensKeepingSharpness() async throws(CameraError) {
    guard try await isOff(.autoFocus) == false else { return try await holdLens() }
    let before = try await detail()
    let position = try await value(of: .focusPosition)
    try await holdLens()
    guard let before, let control = await port.description(of: .focusPosition) else { return }
    var change = 0.0
    func isAsSharp() async throws(CameraError) -> Bool {
      try await awaitSettledSharpness()
      guard let now = try await detail() else { return false }
      change = now.sharpness / before.sharpness - 1
      return now.sharpness > before.sharpness || !now.differs(from: before, byMoreThan: 0.1)
    }
    if try await isAsSharp() { return }
    if let position {
      try await setAndReadBack([ControlValue(control.id, control.nearest(position))])
      if try await isAsSharp() { return }
    }
    do throws(CameraError) { _ = try await sweepFocus() } catch {
      guard case .notFocused = error else { throw error }
      throw .notFocused(.notKept(change: change))
    }
    guard try await isAsSharp() else { throw .notFocused(.notKept(change: change)) }
  }

  /// Returns the sharpness; `nil` if the picture has too little detail to compare.
  private func detail() async throws(CameraError) -> FocusMeasure? {
    do throws(CameraError) {
      let measure = try await focusMeasure()
      return measure.sharpness > 5 * measure.standardError ? measure : nil
    } catch {
      guard case .notFocused = error else { throw error }
      return nil
    }
  }

  private func startFocusing() async throws(CameraError) {
    guard let on = await port.description(of: .autoFocus)?.automatic?.on else { return }
    try await setAndReadBack([ControlValue(.autoFocus, on)])
  }

  /// The bits of `ControlID.autoFocusStatus`.
  private static let (busy, reached, failed) = (1, 2, 4)

  private func awaitEndOfFocusing() async throws(CameraError) {
    let most = Self.longestLatency + 4 * lensTravel
    for frame in 0..<most {
      try await skipFrames(1)
      let status = try await port.value(of: .autoFocusStatus)
      // The status from before the button was pressed may be reported for some more frames.
      guard frame >= delay, status & Self.busy == 0 else { continue }
      if status & Self.failed != 0 { throw .notFocused(.cameraFailed) }
      if status & Self.reached != 0 { return }
    }
    throw .notFocused(.notEnded(frames: most))
  }

  /// Waits until three successive measures agree.
  private func awaitSettledSharpness() async throws(CameraError) {
    try await skipFrames(Self.longestLatency)
    var seen: [FocusMeasure] = []
    let most = 4 * lensTravel
    for _ in 0..<most / 4 {
      seen.append(try await focusMeasure(frames: 4))
      let last = seen.suffix(3)
      if last.count == 3, let newest = last.last,
        last.allSatisfy({ !newest.differs(from: $0, byMoreThan: 0.03) })
      {
        return
      }
    }
    throw .notSettled(frames: most)
  }
}
