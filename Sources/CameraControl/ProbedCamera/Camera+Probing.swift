internal import CameraProfiles
internal import ColorScience
internal import WhiteBalance

extension Camera {
  /// The camera with the laws of its white-balance controls: what their numbers mean, from the
  /// pictures of a still scene.
  ///
  /// It takes a few hundred frames, and reads each of them; a simulated camera draws them first, so
  /// use one of 64×48 pixels in tests.
  ///
  /// Leaves the automatic off and the controls at the laws' reference: their defaults, or where the
  /// picture is black or clipped there, a value at which it is not. Where the laws depend on the
  /// camera's gain, that is among `held`. What fails leaves the camera as it was before.
  ///
  /// - Parameter progress: called with the number of settings tried and their total so far known.
  /// - Throws: `noWhiteBalance` where there is nothing to probe, `noLaw` where no law describes
  ///   what the picture shows, `exposureNotHeld` where the camera makes up for what red and blue
  ///   do to the brightness.
  public func probed(
    progress: (Int, Int) -> Void = { _, _ in }
  ) async throws(CameraError) -> ProbedCamera {
    let found = try await restoringOnFailure { camera async throws(CameraError) in
      try await camera.findLaws(progress)
    }
    var camera = self
    camera.turnsOffOnce = found.laws.endurance == nil
    (camera.latency, camera.pace) = (found.camera.latency, found.camera.pace)
    return ProbedCamera(camera, laws: found.laws)
  }

  /// What probing has found.
  private struct Found {
    /// The camera with what is known of it now.
    var camera: Camera
    var laws: ControlLaws
  }

  private func findLaws(
    _ progress: (Int, Int) -> Void
  ) async throws(CameraError) -> Found {
    let ids = Set(await port.controls.map(\.id))
    var failure = CameraError.noWhiteBalance(camera: await port.identity.name)
    if ids.isSuperset(of: [.redBalance, .blueBalance]) {
      do throws(CameraError) {
        var controls = [
          try await port.required(.redBalance), try await port.required(.blueBalance),
        ]
        if let green = await port.description(of: .greenBalance) { controls.insert(green, at: 1) }
        return try await findLaws(of: controls) { camera, start async throws(CameraError) in
          try await camera.probeChannels(controls, start, progress)
        }
      } catch {
        // Some cameras have both kinds of control, of which only the other can be used.
        switch error {
        case .noLaw, .notSet(_, .automatic, _): failure = error
        default: throw error
        }
      }
    }
    for id in [ControlID.whiteBalanceTemperature, .whiteBalancePreset] where ids.contains(id) {
      let control = try await port.required(id)
      guard control.items.isEmpty || control.choices.count >= 2 else {
        throw .noLaw(id, reason: "its menu has no two lights to choose from")
      }
      return try await findLaws(of: [control]) { camera, start async throws(CameraError) in
        try await camera.probePath(control, from: start.seen, progress)
      }
    }
    throw failure
  }

  /// The laws of controls, from their reference: quickly, and where that finds none, with care.
  private func findLaws(
    of controls: [ControlDescription],
    _ probe: (Camera, Place) async throws(CameraError) -> ControlLaws
  ) async throws(CameraError) -> Found {
    try await skipFrames(1)
    if let found = try await findQuickly(controls, probe) { return found }
    var camera = self
    camera.turnsOffOnce = false
    camera = try await camera.takingOver()
    var start = try await camera.findReference(controls)
    let nudge = try await camera.nudge(start.values, controls[0], &start.seen)
    return Found(camera: nudge.camera, laws: try await probe(nudge.camera, start))
  }

  /// The laws of controls, while an automatic that was turned off once may come back; what then
  /// remains of the time in which it may is watched at the end. `nil` where the light flickers, or
  /// the picture does not follow laws.
  private dynamic func findQuickly(
    _ controls: [ControlDescription],
    _ probe: (Camera, Place) async throws(CameraError) -> ControlLaws
  ) async throws(CameraError) -> Found? {
    try await turnOffAutomatic()
    var camera = self
    camera.turnsOffOnce = true
    var start =
      if let here = try await neutralPlace(of: controls) { here } else {
        try await camera.findReference(controls)
      }
    camera.learn(from: start.seen)
    guard start.seen.flickers != true, !flickers else { return nil }
    if camera.latency == nil || camera.pace == nil {
      // A first move tells how soon settings show.
      camera.learn(from: try await camera.moved(controls[0], from: start).seen)
    }
    let exposure = try await manualExposure()
    do throws(CameraError) {
      var laws = try await probe(camera, start)
      camera.latency = laws.latency
      camera.pace = camera.pace ?? 1
      if endurance == nil {
        camera = try await camera.nudge(start.values, controls[0], &start.seen, laws: laws).camera
        laws.endurance = camera.endurance
      }
      if try await settings(of: laws.reference) != laws.reference {
        try await camera.setToReference(of: laws)
      }
      return Found(camera: camera, laws: laws)
    } catch {
      switch error {
      case .noLaw, .notSettled, .notHeld, .automaticReturned: break
      default: throw error
      }
    }
    if let exposure, try await value(of: exposure.control.id) != exposure.time {
      try await expose(exposure.time)
    }
    // Under another light than at first there would be laws, but not of the light that was named.
    let again = try await observe(start.values)
    guard isSame(again, start.seen) else {
      throw try await blame(start.values, seen: start.seen, afterFrames: PictureWatch.limit)
    }
    return nil
  }

  /// Where the card is neutral, if the controls are there.
  private func neutralPlace(of controls: [ControlDescription]) async throws(CameraError) -> Place? {
    guard isPrompt, !neutral.isEmpty, try await settings(of: neutral) == neutral,
      let seen = try await rest(after: 0)
    else { return nil }
    return Place(
      values: try await settings(of: controls.map { ControlValue($0.id, $0.defaultValue) }),
      seen: seen)
  }

  /// Turns the automatic off, sets the white-balance controls to where probing would start, as
  /// described at `probed(progress:)`, and waits for the picture.
  public func setToReference() async throws(CameraError) {
    try await performing { camera async throws(CameraError) in
      let all = await camera.port.controls
      var controls = ControlID.balances.compactMap { id in all.first { $0.id == id } }
      if controls.isEmpty { controls = all.filter { $0.id == .whiteBalanceTemperature } }
      if controls.isEmpty { return try await camera.settle(after: camera.delay) }
      _ = try await camera.findReference(controls)
    }
  }

  /// The controls at values where the picture can be measured, and what it shows there.
  func findReference(_ controls: [ControlDescription]) async throws(CameraError) -> Place {
    try await turnOffAutomatic()
    // Where a matrix makes colors of the defaults that no picture has, the controls may still be
    // where the picture can be seen.
    var now: [ControlValue] = []
    for control in controls {
      now.append(ControlValue(control.id, control.nearest(try await port.value(of: control.id))))
    }
    let standard = controls.map { ControlValue($0.id, $0.nearest($0.defaultValue)) }
    var shares = [0.25, 0.5, 0.125].map { share in controls.map { _ in share } }
    // Where a matrix takes all of one color away, only more of it brings the card back.
    if controls.count > 1 {
      shares += [[0.2, 0.7], [0.7, 0.2], [0.4, 0.9], [0.9, 0.4]].map { ends in
        controls.indices.map { $0 == 0 ? ends[0] : $0 == controls.count - 1 ? ends[1] : 0.25 }
      }
    }
    let others = shares.map { shares in
      zip(controls, shares).map { ControlValue($0.id, $0.nearest($0.value(atShare: $1))) }
    }
    for values in [standard, now] + others {
      if let seen = try await observe(values) { return Place(values: values, seen: seen) }
    }
    throw .nothingToSee(try await nextMean().1.refusals)
  }

  /// The gain of a control's channel from the change of the ratios, where it changes no other.
  static func gain(of id: ControlID, _ change: SIMD2<Double>) -> Double {
    switch id {
    case .redBalance: exponential(change.x)
    case .blueBalance: exponential(change.y)
    // Green is under both ratios.
    default: exponential(-(change.x + change.y) / 2)
    }
  }

  static func nothingSeen(of id: ControlID) -> CameraError {
    .noLaw(
      id, reason: "the picture is clipped or black at nearly all of its values; change the exposure"
    )
  }

  static func noChange(by id: ControlID) -> CameraError {
    .noLaw(id, reason: "the picture does not change with it")
  }

  /// The largest error of a law.
  static let roughest = 0.03

  static func requireSmooth(_ fitError: Double, _ id: ControlID) throws(CameraError) {
    guard fitError < roughest else {
      throw .noLaw(
        id,
        reason: "the picture's response to it follows no smooth curve (off by "
          + "\(shortNumber(fitError * 100)) %)")
    }
  }
}
