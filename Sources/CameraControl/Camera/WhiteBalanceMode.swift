internal import ColorScience
internal import WhiteBalance

/// Who chooses the white balance, as AVFoundation has it.
public enum WhiteBalanceMode: String, CaseIterable, Hashable, Sendable {
  /// It stays as it is.
  case locked
  /// The camera chooses once, then it stays.
  case automatic
  /// The camera chooses all the time.
  case continuousAutomatic
}

extension Camera {
  /// The mode that the camera is in; between the start of `automatic` and its end it is continuous.
  public var whiteBalanceMode: WhiteBalanceMode {
    get async throws(CameraError) {
      try await isAutomatic ? .continuousAutomatic : .locked
    }
  }

  /// The modes that the camera has.
  public var supportedModes: [WhiteBalanceMode] {
    get async {
      let ids = Set(await port.controls.map(\.id))
      let presets = await port.description(of: .whiteBalancePreset)
      func has(_ preset: WhiteBalancePreset) -> Bool { presets?.accepts(preset.rawValue) == true }
      let canChoose = ids.contains(.autoWhiteBalance) || has(.automatic)
      let canStop = ids.contains(.autoWhiteBalance) || has(.manual)
      var modes = [WhiteBalanceMode.locked]
      if canChoose && canStop || ids.contains(.doWhiteBalance) { modes.append(.automatic) }
      if canChoose { modes.append(.continuousAutomatic) }
      return modes
    }
  }

  /// Sets the mode, and returns when the picture has come to rest in it: at once in the continuous
  /// one, which never does.
  ///
  /// - Throws: `noWhiteBalance` where the camera has no control, `noMode` where it lacks the mode,
  ///   `notSettled` where its automatic does not come to rest; it is off then.
  public func setWhiteBalanceMode(_ mode: WhiteBalanceMode) async throws(CameraError) {
    let modes = await supportedModes
    guard modes.contains(mode) else {
      let name = await port.identity.name
      throw modes.count > 1
        ? .noMode(mode, camera: name, modes: modes) : .noWhiteBalance(camera: name)
    }
    switch mode {
    case .locked: try await lockWhiteBalance()
    case .continuousAutomatic:
      if let control = await port.description(of: .autoWhiteBalance) {
        try await setAndReadBack([ControlValue(control.id, control.automaticValue)])
      } else {
        try await setPreset(.automatic)
      }
    case .automatic:
      if await port.description(of: .doWhiteBalance) != nil {
        try await turnOffAutomatic()
        try await port.set([ControlValue(.doWhiteBalance, 1)])
        try await rest()
      } else {
        try await setWhiteBalanceMode(.continuousAutomatic)
        do { try await rest() } catch {
          try? await stopChoosing()
          throw error
        }
        try await lockWhiteBalance()
      }
    }
  }

  /// Waits until the automatic has stopped moving; one that wanders is taken as it is after a
  /// while.
  private func rest() async throws(CameraError) {
    var detector = SettleDetector(tolerance: 0.02)
    for _ in 0..<2 * Self.patience {
      let ratios = try await nextRatios().1
      if detector.add(red: ratios.x, blue: ratios.y) != nil { return }
    }
    throw .notSettled(frames: 2 * Self.patience)
  }

  /// Chooses a light from the camera's menu, and reads it back.
  ///
  /// - Throws: `noControl` where there is no such menu, `valueOutOfRange` where it lacks the light.
  public func setPreset(_ preset: WhiteBalancePreset) async throws(CameraError) {
    guard await port.description(of: .whiteBalancePreset) != nil else {
      throw .noControl(.whiteBalancePreset, camera: await port.identity.name)
    }
    try await setAndReadBack([ControlValue(.whiteBalancePreset, preset.rawValue)])
  }

  /// Locks the white balance where it is now.
  ///
  /// Nothing is read and written back, between which it could move: the automatic is turned off,
  /// and the picture tells whether the camera stayed. Some drivers fall back to what was set by
  /// hand before; with the laws of the controls the color is brought back.
  ///
  /// - Throws: `notSeen` where the color jumped and could not be brought back; the automatic is on
  ///   again then.
  public func lockWhiteBalance(
    controls: WhiteBalanceControls? = nil
  ) async throws(CameraError) {
    guard try await isAutomatic else { return }
    try await restoringOnFailure { () async throws(CameraError) in
      let before = try await estimate(frames: 2).logRatios
      try await stopChoosing()
      try await settle(after: delay)
      let jump = try await estimate(frames: 2).logRatios - before
      let size = max(abs(jump.x), abs(jump.y))
      guard size > Self.wander else { return }
      guard let controls else {
        if size < Self.jump { return }
        throw .notSeen(
          expected: Gains(red: 1, blue: 1),
          seen: Gains(red: exponential(jump.x), blue: exponential(jump.y)), frames: delay)
      }
      let now = try await currentGains(controls)
      let wanted = Gains(
        red: now.red * exponential(-jump.x), green: now.green, blue: now.blue * exponential(-jump.y)
      )
      _ = try await apply(try Self.setting(for: wanted, controls), controls: controls)
    }
  }

  /// Turns off whatever chooses.
  private func stopChoosing() async throws(CameraError) {
    if await port.description(of: .autoWhiteBalance) != nil { return try await turnOffAutomatic() }
    guard
      await port.description(of: .whiteBalancePreset)?
        .accepts(WhiteBalancePreset.manual.rawValue) == true
    else {
      throw .noMode(.locked, camera: await port.identity.name, modes: [.continuousAutomatic])
    }
    try await setPreset(.manual)
  }

  /// What an automatic at rest may move by while it is being turned off, in either logarithm.
  private static let wander = 0.05
  /// What no automatic on its way moves by in those few frames.
  private static let jump = 0.2
}
