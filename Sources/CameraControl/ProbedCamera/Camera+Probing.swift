internal import CameraProfiles
internal import ColorScience
internal import WhiteBalance

extension Camera {
  /// Returns the camera with the laws of its white-balance controls, measured in pictures of a
  /// still scene.
  ///
  /// A model of the camera is fitted to about twenty settings, which takes some hundred frames;
  /// most of these verify at the end that settings persist. A simulated camera draws each frame, so
  /// use one of 64×48 pixels in tests.
  ///
  /// Leaves automatic white balance off and the controls at the laws' reference: their defaults or,
  /// if the picture is black or clipped there, a value at which it is not. If the laws depend on
  /// the camera's gain, it is one of the laws' `fixedSettings`. On failure the previous settings
  /// are restored.
  ///
  /// - Parameter progress: A closure that is called with the number of settings tried and the total
  ///   expected so far.
  /// - Throws: `noWhiteBalance` if there is nothing to probe, `noLaw` if no law describes the
  ///   picture, `exposureNotHeld` if the camera compensates the effect of red and blue on the
  ///   brightness.
  public func probe(
    progress: (Int, Int) -> Void = { _, _ in }
  ) async throws(CameraError) -> ProbedCamera {
    let found = try await restoringOnFailure { camera async throws(CameraError) in
      try await camera.findLaws(progress)
    }
    var camera = self
    camera.automaticOffPolicy = found.laws.persistence == nil ? .once : .beforeEachSetting
    (camera.latency, camera.settlingRate) = (found.camera.latency, found.camera.settlingRate)
    camera.transfer = found.camera.transfer
    return ProbedCamera(camera, laws: found.laws)
  }

  /// The result of probing.
  private struct Found {
    /// The camera with everything that is known now.
    var camera: Camera
    var laws: ControlLaws
  }

  /// Returns the laws of the first kind of control that has any: some cameras have two kinds, only
  /// the second of which works.
  private func findLaws(_ progress: (Int, Int) -> Void) async throws(CameraError) -> Found {
    try await skipFrames(1)
    try await turnOffAutomatic()
    let kinds = try await learnableControls()
    for index in kinds.indices {
      do throws(CameraError) { return try await findLaws(of: kinds[index], progress) } catch {
        switch error {
        case .noLaw, .notSet(_, .automatic, _): if index + 1 == kinds.count { throw error }
        default: throw error
        }
      }
    }
    throw .noWhiteBalance(camera: await port.identity.name)
  }

  /// Returns the laws of controls: first quickly, with automatic white balance turned off only
  /// once, and carefully if no model explains those pictures.
  private dynamic func findLaws(
    of controls: BalanceControls, _ progress: (Int, Int) -> Void
  ) async throws(CameraError) -> Found {
    var camera = self
    let failure: CameraError
    do throws(CameraError) {
      camera.automaticOffPolicy = .once
      return try await camera.learnedLaws(
        of: controls, from: try await camera.findReference(controls.descriptions), progress)
    } catch {
      switch error {
      case .noLaw, .notSettled, .settingNotKept, .automaticReturned: failure = error
      default: throw error
      }
    }
    do throws(CameraError) { return try await carefulLaws(of: controls, progress) } catch {
      // An automatic that returns looks like a change of the scene.
      if case .sceneChanged = error, case .automaticReturned = failure { throw failure }
      throw error
    }
  }

  /// Returns the laws, with automatic white balance turned off before each setting.
  private func carefulLaws(
    of controls: BalanceControls, _ progress: (Int, Int) -> Void
  ) async throws(CameraError) -> Found {
    var camera = self
    camera.automaticOffPolicy = .beforeEachSetting
    camera = try await camera.takingOver()
    var start = try await camera.findReference(controls.descriptions)
    camera = try await camera.nudge(start.values, controls.descriptions[0], &start.picture).camera
    return try await camera.learnedLaws(of: controls, from: start, progress)
  }

  /// Returns the laws by a camera model fitted to observations of a scene, about which nothing is
  /// known except that it is still.
  private dynamic func learnedLaws(
    of controls: BalanceControls, from start: ObservedSetting, _ progress: (Int, Int) -> Void
  ) async throws(CameraError) -> Found {
    let claimed = try await averagingCurve()
    let plan = LearnCamera(
      controls, wanted: .everySetting, curve: try await knownCurve(claimed: claimed))
    var (camera, learned) = try await looked(as: plan, from: start, claimed, progress)
    learned = try await camera.explained(learned)
    try await camera.accept(learned.fit, from: start, upTo: Self.roughestOfAScene)
    let transfer = learned.fit.transfer(claimed: .sRGB)
    guard var laws = learned.laws(behind: transfer, from: start.values.byControl) else {
      throw Self.nothingSeen(of: controls.descriptions[0].id)
    }
    (laws.latency, laws.settlingRate) = (
      camera.latency ?? 0, camera.settlingRate == 1 ? nil : camera.settlingRate
    )
    var reader = camera
    if claimed == nil || transfer != .sRGB {
      reader.transfer = claimed.map { transfer.behind($0) } ?? transfer
    }
    reader.mixing = laws.mixing
    laws = try await reader.completed(laws, at: start.values)
    if camera.persistence == nil {
      var seen = start.picture
      camera = try await camera.nudge(start.values, controls.descriptions[0], &seen).camera
    }
    laws.persistence = camera.persistence
    camera.transfer = reader.transfer
    return Found(camera: camera, laws: laws)
  }

  /// Returns the curve by which pixels are averaged: only linear values can be averaged over a
  /// scene. `nil` for a card in pictures whose curve was measured: the model measures it better,
  /// since it knows the rounding of each code.
  private func averagingCurve() async throws(CameraError) -> TransferFunction? {
    let claimed = try await nextFrame { _, layout, _ in layout.transfer }.1
    guard case .curve = claimed, blackLevel == nil, try await learnableExposure() != nil,
      try await nextEstimate().1.isAccepted
    else { return claimed }
    return nil
  }

  /// Returns a plan that has learned from a scene, and the camera with its latency; the controls
  /// are back at the start.
  ///
  /// - Parameter claimed: The curve that codes are assumed to have; `nil` if it is learned from
  ///   the codes themselves.
  private dynamic func looked(
    as plan: LearnCamera, from start: ObservedSetting, _ claimed: TransferFunction?,
    _ progress: (Int, Int) -> Void
  ) async throws(CameraError) -> (camera: Camera, learned: LearnCamera) {
    var (camera, plan, observed) = (self, plan, start)
    camera.learn(from: start.picture)
    if start.picture.flickers == true { camera.flickers = true }
    if camera.latency == nil || camera.settlingRate == nil {
      // A first move shows the latency.
      observed = try await camera.moved(plan.fit.controls.descriptions[0], from: start)
      camera.learn(from: observed.picture)
    }
    var reader = camera
    reader.transfer = claimed
    var observer = try await CardObserver(reader, lamp: 0, at: observed)
    plan.begin(
      lamp: 0, at: start.values.byControl, endingAt: start.values.byControl,
      exposures: observer.exposures, areProportional: observer.isProportional, isLast: true)
    while let looks = plan.next() {
      let count = plan.fit.observations.count
      progress(count, max(Self.looksOfAScene, count + looks.count))
      plan.add(try await observer.observe(looks))
    }
    if let last = try await observer.look(at: start.values) { plan.add([last]) }
    (camera.latency, camera.settlingRate) = (observer.camera.latency, observer.camera.settlingRate)
    try await camera.requireSame(observer.shown, as: start)
    plan.believeCurve()
    return (camera, plan)
  }

  /// Returns the plan or, if its model explains nothing, one for a camera that chooses its exposure
  /// although automatic exposure is off: red and blue cannot be measured then, but a color
  /// temperature can.
  private func explained(_ plan: LearnCamera) async throws(CameraError) -> LearnCamera {
    guard plan.fit.floor > ModelFit.doubtfulFloor else { return plan }
    var other = plan
    other.distrustExposureOfEachLook()
    guard other.fit.floor < 0.3 * plan.fit.floor else { return plan }
    guard plan.fit.controls.descriptions.count == 1 else {
      throw .exposureNotHeld(camera: await port.identity.name)
    }
    return other
  }

  /// The approximate number of observations of a scene.
  private static let looksOfAScene = 16
  /// The largest accepted standard error of the gains' logarithms.
  private static let roughestOfAScene = 0.15

  /// Turns automatic white balance off, sets the controls to where probing would start (see
  /// `probe(progress:)`), and waits for the picture to settle.
  public func setToReference() async throws(CameraError) {
    try await performing { camera async throws(CameraError) in
      let all = await camera.port.controls
      var controls = ControlID.balances.compactMap { id in all.first { $0.id == id } }
      if controls.isEmpty { controls = all.filter { $0.id == .whiteBalanceTemperature } }
      if controls.isEmpty { return try await camera.settle(after: camera.delay) }
      _ = try await camera.findReference(controls)
    }
  }

  /// Sets the controls to values at which the picture can be measured, and measures it.
  func findReference(_ controls: [ControlDescription]) async throws(CameraError) -> ObservedSetting
  {
    try await turnOffAutomatic()
    // Where a color matrix clips the defaults' colors, the current settings may still be
    // measurable.
    var now: [ControlValue] = []
    for control in controls {
      now.append(ControlValue(control.id, control.nearest(try await port.value(of: control.id))))
    }
    let standard = controls.map { ControlValue($0.id, $0.nearest($0.defaultValue)) }
    var shares = [0.25, 0.5, 0.125].map { share in controls.map { _ in share } }
    // Where a matrix removes one color entirely, only more of that color makes the card measurable.
    if controls.count > 1 {
      shares += [[0.2, 0.7], [0.7, 0.2], [0.4, 0.9], [0.9, 0.4]].map { ends in
        controls.indices.map { $0 == 0 ? ends[0] : $0 == controls.count - 1 ? ends[1] : 0.25 }
      }
    }
    let others = shares.map { shares in
      zip(controls, shares).map { ControlValue($0.id, $0.nearest($0.value(atShare: $1))) }
    }
    for values in [standard, now] + others {
      if let observed = try await observedSetting(values) { return observed }
    }
    throw .cardUnreadable(try await nextMean().1.refusals)
  }

  static func nothingSeen(of id: ControlID) -> CameraError {
    .noLaw(
      id, reason: "the picture is clipped or black at nearly all of its values; change the exposure"
    )
  }

  static func noChange(by id: ControlID) -> CameraError {
    .noLaw(id, reason: "the picture does not change with it")
  }
}
