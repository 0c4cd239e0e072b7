internal import CameraProfiles
internal import ColorScience
internal import WhiteBalance

extension Camera {
  /// The current mode; while `automatic` is being set, it is continuous.
  public var whiteBalanceMode: WhiteBalanceMode {
    get async throws(CameraError) { try await isAutomatic ? .continuousAutomatic : .locked }
  }

  /// The white-balance modes of the camera.
  public var supportedWhiteBalanceModes: [WhiteBalanceMode] {
    get async {
      let controls = await port.controls
      let choosers = controls.filter { ControlID.balanceChoosers.contains($0.id) }
        .compactMap(\.automatic)
      let canChoose = choosers.contains { $0.on != nil }
      let canStop = choosers.contains { $0.off != nil }
      var modes = [WhiteBalanceMode.locked]
      if canChoose && canStop || controls.contains(where: { $0.id == .doWhiteBalance }) {
        modes.append(.automatic)
      }
      if canChoose { modes.append(.continuousAutomatic) }
      return modes
    }
  }

  /// Sets the white-balance mode, and returns when the picture has settled; `continuousAutomatic`,
  /// which never settles, returns at once. On failure the previous settings are restored.
  ///
  /// - Throws: `noWhiteBalance` if the camera has no control, `noMode` if it lacks the mode,
  ///   `notSettled` if its automatic does not settle, `superseded` if a newer operation sets the
  ///   white balance.
  public func setWhiteBalanceMode(_ mode: WhiteBalanceMode) async throws(CameraError) {
    let modes = await supportedWhiteBalanceModes
    guard modes.contains(mode) else {
      let name = await port.identity.name
      throw modes.count > 1
        ? .noMode(mode, camera: name, modes: modes) : .noWhiteBalance(camera: name)
    }
    try await restoringOnFailure(decidesBalance: true) { camera async throws(CameraError) in
      switch mode {
      case .locked: try await camera.lock(with: nil)
      case .continuousAutomatic: try await camera.startChoosing()
      case .automatic:
        if await camera.port.description(of: .doWhiteBalance) != nil {
          try await camera.turnOffAutomatic()
          try await camera.send([ControlValue(.doWhiteBalance, 1)])
          try await camera.waitUntilSettled()
        } else {
          try await camera.startChoosing()
          try await camera.waitUntilSettled()
          try await camera.lock(with: nil)
        }
      }
    }
  }

  /// Sets the menu of lights, and reads it back.
  ///
  /// - Throws: `noControl` if there is no such menu, `valueOutOfRange` if it lacks the light.
  public func setPreset(_ preset: WhiteBalancePreset) async throws(CameraError) {
    try await choose(preset.rawValue, of: .whiteBalancePreset, decidesBalance: true)
  }

  /// Locks the current white balance, with the laws of the controls if they are known.
  ///
  /// No value is read and written back, since it could change in between: automatic white balance
  /// is turned off, and the picture shows whether the color stayed. Some drivers return to the last
  /// manual setting; with the laws of the controls the color is restored.
  ///
  /// - Throws: `settingNotVisible` if the color jumped and could not be restored.
  func lock(with laws: ControlLaws?) async throws(CameraError) {
    guard try await isAutomatic else { return }
    let before = try await estimate(frames: 2).logRatios
    try await stopChoosing()
    try await settle(after: delay)
    let jump = try await estimate(frames: 2).logRatios - before
    let size = max(abs(jump.x), abs(jump.y))
    // A settled automatic may change either logarithm by this much while it is turned off.
    guard size > 0.05 else { return }
    guard let laws else {
      // An automatic that is still moving does not change more in these few frames.
      if size < 0.2 { return }
      throw .settingNotVisible(
        expected: Gains(red: 1, blue: 1),
        seen: Gains(red: exponential(jump.x), blue: exponential(jump.y)), frames: delay)
    }
    let probed = ProbedCamera(self, laws: laws)
    let now = try await probed.gainsInForce()
    let wanted = Gains(
      red: now.red * exponential(-jump.x), green: now.green, blue: now.blue * exponential(-jump.y))
    _ = try await probed.apply(try laws.reachableSetting(for: wanted))
  }

  private func startChoosing() async throws(CameraError) {
    for id in ControlID.balanceChoosers {
      if let on = await port.description(of: id)?.automatic?.on {
        return try await setAndReadBack([ControlValue(id, on)])
      }
    }
  }

  private func stopChoosing() async throws(CameraError) {
    if await port.description(of: .autoWhiteBalance)?.automatic?.off != nil {
      return try await turnOffAutomatic()
    }
    guard let off = await port.description(of: .whiteBalancePreset)?.automatic?.off else {
      throw .noMode(.locked, camera: await port.identity.name, modes: [.continuousAutomatic])
    }
    try await setAndReadBack([ControlValue(.whiteBalancePreset, off)])
  }

  /// Waits until the automatic has settled; a slow wander counts as settled.
  private func waitUntilSettled() async throws(CameraError) {
    var detector = SettleDetector(tolerance: 0.02)
    for _ in 0..<2 * Self.frameLimit {
      let ratios = try await nextRatios().1
      if detector.add(red: ratios.x, blue: ratios.y) != nil { return }
    }
    throw .notSettled(frames: 2 * Self.frameLimit)
  }
}
