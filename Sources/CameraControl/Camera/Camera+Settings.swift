public import CameraProfiles

extension Camera {
  /// Returns the current values of all settable controls, for `restore(_:)`.
  public func settings() async throws(CameraError) -> [ControlValue] {
    var values: [ControlValue] = []
    for control in await port.controls where control.kind != .button {
      let flags = try await port.flags(of: control.id)
      if flags.isDisjoint(with: [.readOnly, .writeOnly]),
        let value = try await value(of: control.id)
      {
        values.append(ControlValue(control.id, value))
      }
    }
    return values
  }

  /// Returns the current settings that affect the picture's color, for `reapply(_:)`.
  ///
  /// The exposure is included if it was set manually. Excluded are controls that another control
  /// governs at the moment, and white-balance controls other than the given ones.
  public func colorSettings(of controls: [ControlID]) async throws(CameraError) -> [ControlValue] {
    var wanted: Set<ControlID> = [
      .autoWhiteBalance, .whiteBalancePreset, .exposureMode, .autoGain, .exposurePriority,
      .backlightCompensation, .brightness, .contrast, .saturation, .hue, .gamma,
    ]
    wanted.formUnion(controls)
    if try await isOff(.exposureMode) ?? true {
      wanted.formUnion([.exposureTime, .exposureLines])
      if try await isOff(.autoGain) ?? true { wanted.insert(.gain) }
    }
    var kept: [ControlValue] = []
    for setting in try await settings() where wanted.contains(setting.id) {
      if try await !port.flags(of: setting.id).contains(.inactive) { kept.append(setting) }
    }
    return kept
  }

  /// Restores settings, as far as the camera allows: first those that differ, with the automatic
  /// modes off, then the automatic modes.
  ///
  /// Controls that this package may have set are written whatever value they report, because
  /// drivers report stored values.
  ///
  /// - Throws: `notRestored`, after everything has been tried, with the controls that could not be
  ///   restored; `vanished` at once.
  public func restore(_ settings: [ControlValue]) async throws(CameraError) {
    try await performing { camera async throws(CameraError) in
      try await camera.bringBack(settings)
    }
  }

  private func bringBack(_ all: [ControlValue]) async throws(CameraError) {
    // A value that an automatic has chosen may lie between two steps.
    var settings: [ControlValue] = []
    for value in all {
      if let control = await port.description(of: value.id), control.items.isEmpty {
        settings.append(ControlValue(value.id, control.nearest(value.value)))
      } else {
        settings.append(value)
      }
    }
    let now = Set(try await self.settings())
    if await !turns.hasSet, settings.allSatisfy(now.contains) { return }
    var attempts = SettingAttempts(camera: self, now: now)
    let (modes, governed) = await separated(settings)
    let writtenModes = modes.filter(attempts.isToBeWritten)
    for mode in writtenModes {
      if let off = await port.description(of: mode.id)?.automatic?.off {
        try await attempts.write([ControlValue(mode.id, off)])
      }
    }
    // With the modes off, other controls may differ.
    let differing = Set(governed).subtracting(try await self.settings())
    let written = governed.filter { differing.contains($0) || attempts.isToBeWritten($0) }
    let balances = written.filter { ControlID.balances.contains($0.id) }
    let others = written.filter { !balances.contains($0) }
    // Some cameras accept only the last of two that are set together, and report it late or never.
    let alone = balances.count > 1 ? balances : []
    for step in [balances] + (others + alone + writtenModes).map({ [$0] }) {
      try await attempts.write(step)
    }
    for value in written where attempts.failure == nil { try await attempts.confirm(value) }
    if let failure = attempts.failure { throw .notRestored(attempts.failed, because: failure) }
    await turns.noteRestoring(at: feed.taken)
  }

  /// Separates the settings of automatic modes from the others.
  func separated(
    _ settings: [ControlValue]
  ) async -> (modes: [ControlValue], others: [ControlValue]) {
    let modes = Set(await port.controls.filter { $0.automatic != nil }.map(\.id))
    return (settings.filter { modes.contains($0.id) }, settings.filter { !modes.contains($0.id) })
  }

  /// Runs an operation and restores the previous settings if it fails, unless the camera is gone.
  /// One that sets the white balance supersedes older ones.
  dynamic func restoringOnFailure<Result>(
    decidesBalance: Bool = false, _ operation: (Camera) async throws(CameraError) -> Result
  ) async throws(CameraError) -> Result {
    try await performing(decidesBalance: decidesBalance) { camera async throws(CameraError) in
      let inherited = camera.turn?.inherited
      let before = if let inherited { inherited } else { try await camera.settings() }
      do throws(CameraError) { return try await operation(camera) } catch {
        if case .superseded = error, let turn = camera.turn,
          await camera.turns.leave(before, by: turn)
        {
          throw error
        }
        try? await camera.restore(before)
        throw error
      }
    }
  }

  /// Sets a control to one of its values. On failure the previous settings are restored.
  func choose(
    _ value: Int, of id: ControlID, decidesBalance: Bool = false
  ) async throws(CameraError) {
    try await restoringOnFailure(decidesBalance: decidesBalance) {
      camera async throws(CameraError) in
      _ = try await camera.port.required(id)
      try await camera.setAndReadBack([ControlValue(id, value)])
    }
  }

  /// Runs an operation that changes the exposure, and restores it at the end, also on failure.
  package dynamic func puttingExposureBack<Result>(
    _ operation: (Camera) async throws(CameraError) -> Result
  ) async throws(CameraError) -> Result {
    try await performing { camera async throws(CameraError) in
      let before = try await camera.settings().filter { ControlID.exposures.contains($0.id) }
      let result: Swift.Result<Result, CameraError>
      do throws(CameraError) { result = .success(try await operation(camera)) } catch {
        result = .failure(error)
      }
      try await camera.restore(before)
      return try result.get()
    }
  }
}

/// A writer of settings one after the other that continues after refusals.
private struct SettingAttempts {
  let camera: Camera
  /// The settings before the first was written.
  let now: Set<ControlValue>
  private(set) var failed: [ControlID] = []
  private(set) var failure: CameraError?

  init(camera: Camera, now: Set<ControlValue>) {
    self.camera = camera
    self.now = now
  }

  func isToBeWritten(_ value: ControlValue) -> Bool {
    !now.contains(value) || ControlID.setHere.contains(value.id)
  }

  /// Writes settings together, and records a refusal that leaves them wrong.
  ///
  /// - Throws: `vanished`.
  dynamic mutating func write(_ values: [ControlValue]) async throws(CameraError) {
    guard !values.isEmpty, let refusal = try await camera.refusal(of: values) else { return }
    // An automatic mode sets the controls that it governs itself; unchanged values need no writing.
    if case .notSet(_, .automatic, _) = refusal { return }
    if values.allSatisfy(now.contains) { return }
    note(values, refusal)
  }

  /// Records a setting that the camera reports with another value in the end.
  dynamic mutating func confirm(_ value: ControlValue) async throws(CameraError) {
    guard try await camera.port.flags(of: value.id).isDisjoint(with: [.inactive, .volatile]),
      let (value, reported) = try await camera.misreportedAtLast([value]).first
    else { return }
    note([value], .settingNotKept(value, reported: reported))
  }

  private mutating func note(_ values: [ControlValue], _ refusal: CameraError) {
    failed += values.map(\.id)
    failure = failure ?? refusal
  }
}
