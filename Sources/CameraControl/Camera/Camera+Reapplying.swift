public import CameraProfiles

extension Camera {
  /// Sets controls of a camera that may have lost its settings, and reads them back.
  ///
  /// A driver that has not noticed the loss ignores values that seem unchanged, so each control is
  /// set to a neighboring value first. Automatic modes are off meanwhile, each turned off by
  /// itself, and have the given values afterwards.
  ///
  /// The picture is not used: no frame is needed, and another program may have the stream.
  ///
  /// - Throws: `noControl` or `valueOutOfRange` before anything is set; the first refusal, after
  ///   everything has been tried; `settingNotKept` if a control reports another value in the end;
  ///   `vanished` at once.
  public func reapply(_ settings: [ControlValue]) async throws(CameraError) {
    try await performing { camera async throws(CameraError) in try await camera.setAnew(settings) }
  }

  private func setAnew(_ settings: [ControlValue]) async throws(CameraError) {
    let (modes, others) = await separated(settings)
    var off: [ControlValue] = []
    for value in settings {
      let control = try await port.required(value.id)
      try control.check(value)
      if modes.contains(value) {
        off.append(ControlValue(value.id, control.automatic?.off ?? value.value))
      }
    }
    let balances = others.filter { ControlID.balances.contains($0.id) }
    // A gain may change the balances.
    let steps =
      (off + others.filter { !balances.contains($0) }).map { [$0] }
      + (balances.isEmpty ? [] : [balances])
    var failure: CameraError?
    for step in steps {
      // A neighbor may be refused; only the value that follows counts.
      _ = try await refusal(of: await neighbors(of: step))
      let refusal = try await refusal(of: step)
      failure = failure ?? refusal
    }
    for mode in modes where !off.contains(mode) {
      let refusal = try await refusal(of: [mode])
      failure = failure ?? refusal
    }
    if let failure { throw failure }
    for wanted in settings
    where try await port.flags(of: wanted.id).isDisjoint(with: [.inactive, .volatile]) {
      try await readBack([wanted])
    }
  }

  /// Sets controls and returns the error; `nil` on success.
  func refusal(of values: [ControlValue]) async throws(CameraError) -> CameraError? {
    do { try await send(values) } catch {
      if case .vanished = error { throw error }
      return error
    }
    return nil
  }

  private func neighbors(of values: [ControlValue]) async -> [ControlValue] {
    var neighbors: [ControlValue] = []
    for value in values {
      if let neighbor = await port.description(of: value.id)?.neighbor(of: value.value) {
        neighbors.append(ControlValue(value.id, neighbor))
      }
    }
    return neighbors
  }
}

extension ControlDescription {
  /// Returns a neighboring value, or the nearest other menu item; `nil` if there is none.
  fileprivate func neighbor(of value: Int) -> Int? {
    let others = items.isEmpty ? [value - step, value + step] : items.map(\.value)
    return others.filter { $0 != value && isValid($0) }.min { abs($0 - value) < abs($1 - value) }
  }
}
