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

  /// Brings settings back, as far as the camera lets it: with the automatic modes off, what differs, then
  /// the automatic modes.
  ///
  /// - Throws: the first refusal, after everything has been tried; `vanished` at once.
  public func restore(_ settings: [ControlValue]) async throws(CameraError) {
    let now = Set(try await self.settings())
    if settings.allSatisfy(now.contains) { return }
    var failure: CameraError?
    func attempt(_ values: [ControlValue]) async throws(CameraError) {
      guard !values.isEmpty else { return }
      do { try await port.set(values) } catch {
        if case .vanished = error { throw error }
        // What an automatic mode governs, it will set itself.
        if case .notSet(_, .automatic, _) = error { return }
        failure = failure ?? error
      }
    }
    let automatic = settings.filter { Self.automaticModes[$0.id] != nil }
    for mode in automatic {
      if let off = Self.automaticModes[mode.id], try await value(of: mode.id) != off,
        await port.description(of: mode.id)?.accepts(off) == true
      {
        try await attempt([ControlValue(mode.id, off)])
      }
    }
    let others = settings.filter { Self.automaticModes[$0.id] == nil }
    let differing = Set(others).subtracting(try await self.settings())
    let balances = others.filter { differing.contains($0) && Self.balances.contains($0.id) }
    try await attempt(balances)
    for value in others where differing.contains(value) && !Self.balances.contains(value.id) {
      try await attempt([value])
    }
    for mode in automatic where try await value(of: mode.id) != mode.value {
      try await attempt([mode])
    }
    if let failure { throw failure }
  }

  /// Automatic modes, and the value at which each leaves alone what it governs.
  static let automaticModes: [ControlID: Int] = [
    .autoWhiteBalance: 0, .exposureMode: 1, .autoGain: 0,
  ]
  static let balances: Set<ControlID> = [.redBalance, .greenBalance, .blueBalance]

  /// Runs `body`, and if it fails brings back the settings from before; a camera that is gone has none.
  func restoringOnFailure<Result>(
    _ body: () async throws(CameraError) -> Result
  ) async throws(CameraError) -> Result {
    let before = try await settings()
    do { return try await body() } catch {
      try? await restore(before)
      throw error
    }
  }

  /// Stops the camera from choosing its white balance, in a transaction of its own: drivers refuse
  /// the balances while the automatic is on.
  public func turnOffAutomatic() async throws(CameraError) {
    if let mode = try await value(of: .autoWhiteBalance), mode != 0 {
      try await port.set([ControlValue(.autoWhiteBalance, 0)])
    }
  }

  /// Whether the camera chooses its white balance by itself.
  public var isAutomatic: Bool {
    get async throws(CameraError) {
      if let mode = try await value(of: .autoWhiteBalance) { return mode != 0 }
      return try await value(of: .whiteBalancePreset) == WhiteBalancePreset.automatic.rawValue
    }
  }
}
