internal import CameraProfiles
public import WhiteBalance

extension Camera {
  /// The modes that the camera has; none where it has no control of its lens.
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

  /// The mode that the camera's control tells; between the start of `automatic` and its end it may
  /// be continuous.
  public var focusMode: FocusMode {
    get async throws(CameraError) {
      let on = await port.description(of: .autoFocus)?.automatic?.on
      return try await value(of: .autoFocus).map { $0 == on } == true
        ? .continuousAutomatic : .locked
    }
  }

  /// Sets the mode: at once the continuous one, which never comes to rest. Focusing once returns
  /// when the camera says that it has focused or, where it does not tell, when the sharpness is at
  /// rest. Locked, the lens stays where the camera had put it: the picture is as sharp as before.
  /// What fails leaves the camera as it was before.
  ///
  /// - Throws: `noFocus` where the camera has no control of its lens, `noFocusMode` where it lacks
  ///   the mode, `notFocused` where its own focusing fails or does not end, or the lens moved away
  ///   when that was turned off and could not be brought back; `notSettled` where the sharpness
  ///   does not come to rest.
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
          try await camera.awaitRestOfSharpness()
          return try await camera.holdLensKeepingSharpness()
        }
        try await camera.holdLens()
        try await camera.send([ControlValue(.autoFocusOnce, 1)])
        if await camera.port.description(of: .autoFocusStatus) == nil {
          try await camera.awaitRestOfSharpness()
        } else {
          try await camera.awaitEndOfFocusing()
        }
      }
    }
  }

  /// The sharpness of the next frames in `focusRegion`.
  ///
  /// - Parameter frames: how many, even and above 0.
  /// - Throws: `notFocused` with `noLight` where the region is black or clipped.
  public func focusMeasure(frames: Int = 8) async throws(CameraError) -> FocusMeasure {
    precondition(frames > 0 && frames % 2 == 0, "a measure takes an even number of frames")
    let camera = await watching()
    let finder = GrayCardEstimator(region: focusRegion)
    var meter = FocusMeter()
    for _ in 0..<frames {
      let (_, plane) = try await camera.nextFrame { _, layout, bytes throws(FrameError) in
        try LightPlane(bytes, layout: layout, region: finder.rectangle(in: layout))
      }
      meter.add(plane)
    }
    guard let measure = meter.measure else { throw .notFocused(.noLight) }
    return measure
  }

  /// Whether the lens can be put somewhere.
  public var canSetLensPosition: Bool {
    get async { await port.description(of: .focusPosition) != nil }
  }

  /// Where the lens is set, as a share of its range: 0 the nearest, 1 the farthest, which end of
  /// the control being the nearest told by `isNearAtMaximum`.
  ///
  /// - Throws: `noControl` where its place cannot be set.
  public var lensPosition: Double {
    get async throws(CameraError) {
      lensPosition(
        try await port.value(of: .focusPosition), try await port.required(.focusPosition))
    }
  }

  /// Moves the lens, and returns when the picture has changed and the lens has had its time; the
  /// camera's own focusing is turned off. What fails leaves the lens as it was before.
  ///
  /// - Parameters:
  ///   - position: where to, as a share of the range: 0 the nearest, 1 the farthest.
  ///   - duration: how long it takes on the way, in equal steps, a frame each: a focus pull; at
  ///     once if 0.
  /// - Precondition: the position is 0…1, and the duration not negative.
  /// - Returns: what is set now, and whether the picture showed it.
  /// - Throws: `noControl` where the camera has no such control, `notHeld` where it takes another
  ///   value, `notFocused` with `noLight` where nothing can be seen.
  @discardableResult
  public func setLensPosition(
    _ position: Double, over duration: Duration = .zero
  ) async throws(CameraError) -> LensSetting {
    precondition(0...1 ~= position && duration >= .zero, "a position is 0…1, a duration ≥ 0")
    return try await restoringOnFailure { camera async throws(CameraError) in
      let control = try await camera.port.required(.focusPosition)
      try await camera.holdLens()
      let from = try await camera.port.value(of: .focusPosition)
      let to = control.value(atShare: camera.isNearAtMaximum ? 1 - position : position)
      let before = try await camera.focusMeasure()
      if duration > .zero { try await camera.pull(control, from: from, to: to, over: duration) }
      try await camera.setAndReadBack([ControlValue(.focusPosition, to)])
      var wasSeen = false
      // The sharpness may be the same at both ends, but not on the way.
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

  /// Sets values on a straight line of time, by the clock of the frames.
  private func pull(
    _ control: ControlDescription, from: Int, to: Int, over duration: Duration
  ) async throws(CameraError) {
    var start: Duration?
    var last = from
    // A clock that stands still ends as well: at 240 frames per second.
    for _ in 0...Int(240 * (duration / .seconds(1))) {
      let (info, _) = try await nextFrame { _, _, _ in }
      let begun = start ?? info.timestamp
      start = begun
      let share = (info.timestamp - begun) / duration
      if share >= 1 { return }
      let next = control.snapped(Double(from) + share * Double(to - from))
      if next != last { try await send([ControlValue(.focusPosition, next)]) }
      last = next
    }
  }

  /// A control's value as a position.
  func lensPosition(_ value: Int, _ control: ControlDescription) -> Double {
    let share = Double(value - control.minimum) / Double(max(1, control.maximum - control.minimum))
    return isNearAtMaximum ? 1 - share : share
  }

  /// The frames after which the lens has come from one value to another.
  func lensFrames(_ control: ControlDescription, from: Int, to: Int) -> Int {
    let range = max(1, control.maximum - control.minimum)
    return delay + (abs(to - from) * lensTravel + range - 1) / range
  }

  /// Stops the camera from focusing by itself.
  func holdLens() async throws(CameraError) {
    guard let off = await port.description(of: .autoFocus)?.automatic?.off else { return }
    try await turnOff([.autoFocus])
    try await readBack([ControlValue(.autoFocus, off)])
  }

  /// The same, and brings the sharpness back where the lens moves: some cameras put it where it was
  /// set by hand before.
  private func holdLensKeepingSharpness() async throws(CameraError) {
    guard try await isOff(.autoFocus) == false else { return try await holdLens() }
    let before = try await detail()
    let place = try await value(of: .focusPosition)
    try await holdLens()
    guard let before, let control = await port.description(of: .focusPosition) else { return }
    var change = 0.0
    func isAsSharp() async throws(CameraError) -> Bool {
      try await awaitRestOfSharpness()
      guard let now = try await detail() else { return false }
      change = now.sharpness / before.sharpness - 1
      return now.sharpness > before.sharpness || !now.differs(from: before, byMoreThan: 0.1)
    }
    if try await isAsSharp() { return }
    if let place {
      try await setAndReadBack([ControlValue(control.id, control.nearest(place))])
      if try await isAsSharp() { return }
    }
    do throws(CameraError) { _ = try await sweepFocus() } catch {
      guard case .notFocused = error else { throw error }
      throw .notFocused(.notKept(change: change))
    }
    guard try await isAsSharp() else { throw .notFocused(.notKept(change: change)) }
  }

  /// The sharpness; `nil` where the picture has no detail by which to tell.
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
      // What was said before the button was pressed may be said for some frames more.
      guard frame >= delay, status & Self.busy == 0 else { continue }
      if status & Self.failed != 0 { throw .notFocused(.cameraFailed) }
      if status & Self.reached != 0 { return }
    }
    throw .notFocused(.notEnded(frames: most))
  }

  /// Waits until three measures in a row agree.
  private func awaitRestOfSharpness() async throws(CameraError) {
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
