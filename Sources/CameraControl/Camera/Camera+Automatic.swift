internal import CameraProfiles

extension Camera {
  /// Turns automatic white balance off. If a menu of lights governs red and blue balance, it is set
  /// to manual.
  ///
  /// - Throws: `CameraError.notSet` if the camera refuses this while an automatic is on.
  public func turnOffAutomatic() async throws(CameraError) {
    try await performing { camera async throws(CameraError) in
      if camera.automaticOffPolicy == .once, await camera.turns.offSince != nil { return }
      var choosers = [ControlID.autoWhiteBalance]
      if await camera.port.description(of: .redBalance) != nil {
        choosers.append(.whiteBalancePreset)
      }
      try await camera.turnOff(choosers)
      await camera.turns.noteOff(since: camera.feed.taken)
    }
  }

  /// Turns automatic white balance off after the first frame, because the start of a stream may
  /// turn it on.
  ///
  /// - Returns: A copy of the camera whose `flickers` states whether the light flickers.
  func takingOver() async throws(CameraError) -> Camera {
    try await skipFrames(1)
    try await turnOffAutomatic()
    try await skipFrames(delay)
    var camera = self
    camera.flickers = try await PictureWatch.flickers(means(PictureWatch.flickeringFrames))
    return camera
  }

  /// Turns automatic modes off, each in a transaction of its own: while a mode is on, drivers
  /// refuse the controls that it governs.
  ///
  /// The value is written even if the driver reports that the mode is off, because drivers report
  /// values that they have stored, not the camera's.
  func turnOff(_ modes: [ControlID]) async throws(CameraError) {
    for id in modes {
      guard let off = await port.description(of: id)?.automatic?.off,
        try await !port.flags(of: id).contains(.readOnly)
      else { continue }
      let isOff = try await value(of: id) == off
      if let refusal = try await refusal(of: [ControlValue(id, off)]), !isOff { throw refusal }
    }
  }

  /// Indicates whether an automatic mode is off; `nil` if the camera has none, or does not report
  /// it.
  func isOff(_ mode: ControlID) async throws(CameraError) -> Bool? {
    guard let off = await port.description(of: mode)?.automatic?.off else { return nil }
    return try await value(of: mode).map { $0 == off }
  }

  /// Indicates whether the camera chooses its white balance itself.
  public var isAutomatic: Bool {
    get async throws(CameraError) {
      for id in ControlID.balanceChoosers {
        if let value = try await value(of: id) {
          return await value == port.description(of: id)?.automatic?.on
        }
      }
      return false
    }
  }
}
