internal import CameraProfiles
internal import ColorScience
internal import WhiteBalance

extension ModelFit {
  /// Verifies that several exposures give different pictures; a tone curve cannot be found
  /// otherwise.
  func requireEffectOfExposure(under lamp: Int) throws(CameraError) {
    let looks = observations.filter { $0.lamp == lamp }
    guard let half = looks.first(where: { $0.exposure < 0.6 }),
      let full = looks.last(where: { $0.settings == half.settings && $0.exposure == 1 })
    else { return }
    let change = (full.codes - half.codes).max()
    if change < 6, full.codes.max() > 40 {
      throw .exposureNotSeen(
        expected: logarithm(half.exposure) / logarithm(2), seen: 0, frames: Camera.longestLatency)
    }
  }
}

extension Camera {
  /// Returns the kinds of white-balance controls that can be used, the best first.
  func learnableControls() async throws(CameraError) -> [BalanceControls] {
    var usable: [ControlDescription] = []
    for control in await port.controls where ControlID.balanceSettings.contains(control.id) {
      if try await port.flags(of: control.id).isDisjoint(with: [.readOnly, .inactive]) {
        usable.append(control)
      }
    }
    func control(_ id: ControlID) -> ControlDescription? { usable.first { $0.id == id } }
    var kinds: [BalanceControls] = []
    if let red = control(.redBalance), let blue = control(.blueBalance) {
      kinds.append(
        control(.greenBalance).map { .channels(red: red, green: $0, blue: blue) }
          ?? .balances(red: red, blue: blue))
    }
    for id in [ControlID.whiteBalanceTemperature, .whiteBalancePreset] {
      guard let one = control(id), one.items.isEmpty || one.choices.count >= 2 else { continue }
      kinds.append(one.items.isEmpty ? .temperature(one) : .menu(one))
    }
    if kinds.isEmpty { throw .noWhiteBalance(camera: await port.identity.name) }
    return kinds
  }

  /// Verifies that a picture is as it was before other settings were observed.
  func requireSame(
    _ seen: SettledPicture?, as first: ObservedSetting
  ) async throws(CameraError) {
    if isSame(seen, first.picture) { return }
    // Measures again before diagnosing a cause.
    if isSame(try await observe(first.values), first.picture) { return }
    throw try await blame(first.values, seen: first.picture, afterFrames: await framesSinceOff)
  }

  /// Verifies that a model describes the observations, or throws the reason why it does not.
  ///
  /// - Parameters:
  ///   - start: The settings and picture at which the observations began.
  ///   - limit: The largest accepted error of the gains' logarithms.
  func accept(_ fit: ModelFit, from start: ObservedSetting, upTo limit: Double)
    async throws(CameraError)
  {
    for doubt in fit.doubts {
      switch doubt {
      case .noEffect(let id): throw try await reasonForNoEffect(of: id, at: start)
      case .notMoved(let id): throw Self.nothingSeen(of: id)
      case .fewLooks, .misfit: break
      }
    }
    guard fit.floor > ModelFit.doubtfulFloor, let id = fit.controls.descriptions.first?.id else {
      return
    }
    let (fault, probability) = fit.diagnose().mostProbable
    if probability > 0.95 {
      switch fault {
      case .hysteresis:
        if let change = try await forDiagnosis.hysteresis(of: start.values) {
          throw Self.dependsOnDirection(id, by: change)
        }
      // Observations do not always distinguish these causes from one another, or from flicker.
      case .returns, .drift, .sceneChange:
        if isSame(try await observe(start.values), start.picture) { break }
        throw try await blame(
          start.values, seen: start.picture, afterFrames: await framesSinceOff)
      case .none, .stairs, .unknown: break
      }
    }
    guard fit.statedError < limit else {
      throw .noLaw(
        id,
        reason: "no camera model describes its effect on the picture to better than "
          + "\(shortNumber(100 * fit.statedError)) %; a gray card can still be made neutral")
    }
  }

  /// Diagnoses why the picture did not change with a control: it may change once the automatic is
  /// turned off again, or for a few frames only.
  private func reasonForNoEffect(
    of id: ControlID, at start: ObservedSetting
  ) async throws(CameraError) -> CameraError {
    guard let control = await port.description(of: id), let seen = try await observe(start.values)
    else { return Self.noChange(by: id) }
    do throws(CameraError) {
      _ = try await moved(control, from: ObservedSetting(values: start.values, picture: seen))
    } catch {
      return error
    }
    return Self.noChange(by: id)
  }
}
