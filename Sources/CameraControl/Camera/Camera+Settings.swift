public import CameraProfiles

extension Camera {
  /// Everything that can be set, as it is now: what `restore(_:)` brings back.
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

  /// What the picture's color depends on, as it is set now: to be kept for `reapply(_:)`.
  ///
  /// Exposure counts where it was set by hand. What another control governs at the moment is left
  /// out, and so is any control of the white balance but those named.
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

  /// Brings settings back, as far as the camera lets it: with the automatic modes off, what
  /// differs, then the automatic modes.
  ///
  /// What this package may have set is written whatever it reads as: drivers answer from memory.
  ///
  /// - Throws: `notRestored`, after everything has been tried, with what could not be put back;
  ///   `vanished` at once.
  public func restore(_ settings: [ControlValue]) async throws(CameraError) {
    try await performing { camera async throws(CameraError) in
      try await camera.bringBack(settings)
    }
  }

  private func bringBack(_ all: [ControlValue]) async throws(CameraError) {
    // What an automatic has come to may lie between two steps.
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
    // With the modes off, what they had set may differ.
    let differing = Set(governed).subtracting(try await self.settings())
    let written = governed.filter { differing.contains($0) || attempts.isToBeWritten($0) }
    let balances = written.filter { ControlID.balances.contains($0.id) }
    let others = written.filter { !balances.contains($0) }
    // Some cameras take only the last of two that are set together, and tell late or never.
    let alone = balances.count > 1 ? balances : []
    for step in [balances] + (others + alone + writtenModes).map({ [$0] }) {
      try await attempts.write(step)
    }
    for value in written where attempts.failure == nil { try await attempts.confirm(value) }
    if let failure = attempts.failure { throw .notRestored(attempts.failed, because: failure) }
    await turns.noteRestoring(at: feed.taken)
  }

  /// Settings of the controls that decide over others, and those of the others.
  func separated(
    _ settings: [ControlValue]
  ) async -> (modes: [ControlValue], others: [ControlValue]) {
    let modes = Set(await port.controls.filter { $0.automatic != nil }.map(\.id))
    return (settings.filter { modes.contains($0.id) }, settings.filter { !modes.contains($0.id) })
  }

  /// Runs an operation, of which one that decides the white balance supersedes older ones, and if
  /// it fails brings back the settings from before; a camera that is gone has none.
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

  /// Sets a control to one of the values that it has. What fails leaves the camera as it was
  /// before.
  func choose(
    _ value: Int, of id: ControlID, decidesBalance: Bool = false
  ) async throws(CameraError) {
    try await restoringOnFailure(decidesBalance: decidesBalance) {
      camera async throws(CameraError) in
      _ = try await camera.port.required(id)
      try await camera.setAndReadBack([ControlValue(id, value)])
    }
  }

  /// Runs an operation that changes the exposure, and puts it back at the end, also if it fails.
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

/// Settings written one after another, past those that the camera refuses.
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

  /// Writes settings together, and notes a refusal that leaves them other than they should be.
  ///
  /// - Throws: `vanished`.
  dynamic mutating func write(_ values: [ControlValue]) async throws(CameraError) {
    guard !values.isEmpty, let refusal = try await camera.refusal(of: values) else { return }
    // What an automatic mode governs, it will set itself; and what is so already needs no
    // setting.
    if case .notSet(_, .automatic, _) = refusal { return }
    if values.allSatisfy(now.contains) { return }
    note(values, refusal)
  }

  /// Notes a setting that the camera reports otherwise in the end.
  dynamic mutating func confirm(_ value: ControlValue) async throws(CameraError) {
    guard try await camera.port.flags(of: value.id).isDisjoint(with: [.inactive, .volatile]),
      let (value, reported) = try await camera.misreportedAtLast([value]).first
    else { return }
    note([value], .notHeld(value, reported: reported))
  }

  private mutating func note(_ values: [ControlValue], _ refusal: CameraError) {
    failed += values.map(\.id)
    failure = failure ?? refusal
  }
}
