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

  /// Brings settings back, as far as the camera lets it: with the automatic modes off, what
  /// differs, then the automatic modes.
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
    let automatic = settings.filter { Self.automaticModes.contains($0.id) }
    for mode in automatic {
      if let off = await port.description(of: mode.id)?.manualValue,
        try await value(of: mode.id) != off
      {
        try await attempt([ControlValue(mode.id, off)])
      }
    }
    let others = settings.filter { !Self.automaticModes.contains($0.id) }
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

  /// What decides over other controls: those that have a `manualValue`, some menus aside.
  static let automaticModes: Set<ControlID> = [
    .autoWhiteBalance, .whiteBalancePreset, .exposureMode, .autoGain,
  ]
  static let balances: Set<ControlID> = [.redBalance, .greenBalance, .blueBalance]

  /// Runs `body`, and if it fails brings back the settings from before; a camera that is gone has
  /// none.
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
  /// the balances while the automatic is on. Where a menu of lights decides over red and blue
  /// balance, it is set to manual.
  public func turnOffAutomatic() async throws(CameraError) {
    var choosers = [ControlID.autoWhiteBalance]
    if await port.description(of: .redBalance) != nil { choosers.append(.whiteBalancePreset) }
    for id in choosers {
      if let off = await port.description(of: id)?.manualValue, let mode = try await value(of: id),
        mode != off
      {
        try await port.set([ControlValue(id, off)])
      }
    }
  }

  /// Whether the camera chooses its white balance by itself.
  public var isAutomatic: Bool {
    get async throws(CameraError) {
      if let mode = try await value(of: .autoWhiteBalance) {
        return await mode == port.description(of: .autoWhiteBalance)?.automaticValue
      }
      return try await value(of: .whiteBalancePreset) == WhiteBalancePreset.automatic.rawValue
    }
  }
}

extension ControlDescription {
  /// The value at which an automatic mode, or a menu of lights, leaves alone what it governs; `nil`
  /// where there is none.
  var manualValue: Int? {
    let value: Int? =
      switch id {
      // The one driver that has a menu of it, pwc, has its manual and automatic behind three
      // lights.
      case .autoWhiteBalance: items.isEmpty ? 0 : 3
      case .whiteBalancePreset: WhiteBalancePreset.manual.rawValue
      case .exposureMode: 1
      case .autoGain: 0
      default: nil
      }
    return value.flatMap { accepts($0) ? $0 : nil }
  }

  /// The value of `ControlID.autoWhiteBalance` at which the camera chooses.
  var automaticValue: Int { items.isEmpty ? 1 : 4 }
}
