internal import ColorScience

extension CameraRecording {
  /// The white-balance controls that were moved; `nil` if none was, or only one of red and blue.
  private func balanceControls(movedIn looks: [Look]) -> BalanceControls? {
    func moved(_ id: ControlID) -> ControlDescription? {
      guard let control = camera.controls.first(where: { $0.id == id }),
        Set(looks.compactMap { $0.observation.settings[id] }).count > 1
      else { return nil }
      return control
    }
    if let red = moved(.redBalance), let blue = moved(.blueBalance) {
      return moved(.greenBalance).map { .channels(red: red, green: $0, blue: blue) }
        ?? .balances(red: red, blue: blue)
    }
    return moved(.whiteBalanceTemperature).map { .temperature($0) }
      ?? moved(.whiteBalancePreset).map { .menu($0) }
  }

  /// A model fitted to observations of this recording; `nil` if the white balance was not moved.
  ///
  /// It uses the observations with the automatic modes off and, under each light, with the most
  /// frequent exposure or one that differs from it in the exposure time only.
  package func fittedModel(to looks: [Look]) -> FittedRecording? {
    let steps = reportedSteps
    let asWritten = fittedModel(to: looks, steps: [:])
    guard !steps.isEmpty, let asWritten,
      let rounded = fittedModel(to: looks.map { $0.rounded(to: steps) }, steps: steps)
    else { return asWritten }
    return rounded.fit.floor < asWritten.fit.floor ? rounded : asWritten
  }

  private func fittedModel(to looks: [Look], steps: [ControlID: Int]) -> FittedRecording? {
    let looks = looks.filter(isByHand)
    guard let controls = balanceControls(movedIn: looks) else { return nil }
    let time = exposureTime(movedIn: looks)
    var fit = ModelFit(controls)
    var scales: [Int: ExposureScale] = [:]
    for lamp in lights.indices {
      let seen = looks.filter { $0.observation.lamp == lamp }
      guard let usual = Self.usualExposure(of: seen) else { continue }
      let scale = time.map { ExposureScale(control: $0, full: max(usual[$0.id] ?? 1, 1)) }
      let observations = seen.compactMap { Self.observation($0, usual, scale) }
      fit.begin(
        lamp: lamp, exposures: observations.map(\.exposure),
        areProportional: time?.id != .exposureLines)
      fit.learn(observations)
      scales[lamp] = scale
    }
    guard fit.family != nil else { return nil }
    _ = fit.followsStairs()
    return FittedRecording(fit: fit, scales: scales, steps: steps)
  }

  /// The control of the exposure time that was moved, or else the one whose unit is known.
  private func exposureTime(movedIn looks: [Look]) -> ControlDescription? {
    let controls = [ControlID.exposureTime, .exposureLines].compactMap { id in
      camera.controls.first { $0.id == id }
    }
    return controls.first { control in
      Set(looks.map { $0.observation.settings[control.id] }).count > 1
    } ?? controls.first
  }

  /// The most frequent exposure; of several, the brightest.
  private static func usualExposure(of looks: [Look]) -> [ControlID: Int]? {
    let exposures = Dictionary(grouping: looks) { exposure(of: $0) }
    func rank(_ exposure: [ControlID: Int], _ looks: [Look]) -> [Int] {
      [looks.count] + exposureControls.map { exposure[$0] ?? 0 }
    }
    return exposures.max {
      rank($0.key, $0.value).lexicographicallyPrecedes(rank($1.key, $1.value))
    }?.key
  }

  /// The observation with its exposure relative to the usual one; `nil` if something other than the
  /// exposure time differs, or the time is 0.
  private static func observation(
    _ look: Look, _ usual: [ControlID: Int], _ scale: ExposureScale?
  ) -> Observation? {
    var exposure = exposure(of: look)
    var observation = look.observation
    if let scale, let time = exposure[scale.control.id] {
      exposure[scale.control.id] = usual[scale.control.id]
      observation.exposure = scale.exposure(of: time)
    }
    return exposure == usual && observation.exposure > 0 ? observation : nil
  }

  /// `true` if no automatic mode was on during an observation, and no choice of a light governed
  /// red and blue.
  private func isByHand(_ look: Look) -> Bool {
    let hasBalances = camera.controls.contains { $0.id == .redBalance }
    return camera.controls.allSatisfy { control in
      guard Self.modes.contains(control.id), let value = look.observation.settings[control.id]
      else { return true }
      if control.id == .whiteBalancePreset, hasBalances, let off = control.automatic?.off {
        return value == off
      }
      return !control.isAutomatic(at: value)
    }
  }

  /// The automatic modes that change the card's picture.
  private static let modes = ControlID.balanceChoosers + [.exposureMode, .autoGain]

  private static let exposureControls = [ControlID.exposureTime, .exposureLines, .gain]

  private static func exposure(of look: Look) -> [ControlID: Int] {
    look.observation.settings.filter { exposureControls.contains($0.key) }
  }
}

/// A model that is fitted to the observations of a recording.
package struct FittedRecording: Sendable {
  /// The model.
  package let fit: ModelFit
  /// The exposure times under each lamp, relative to the usual one.
  private let scales: [Int: ExposureScale]

  /// The steps in which the camera takes values, if they are larger than a control's.
  private let steps: [ControlID: Int]

  init(fit: ModelFit, scales: [Int: ExposureScale], steps: [ControlID: Int]) {
    (self.fit, self.scales, self.steps) = (fit, scales, steps)
  }

  /// The value that the camera takes if a control is set.
  package func taken(_ value: ControlValue) -> Int {
    steps[value.id].map { value.value / $0 * $0 } ?? value.value
  }

  /// The usual exposure time under a lamp; `nil` if the camera has no control of it.
  package func usualTime(under lamp: Int) -> ControlValue? {
    scales[lamp].map { ControlValue($0.control.id, $0.full) }
  }

  /// Indicates whether the effect of a control of the exposure time is known: it is proportional to
  /// its values, or was observed.
  package func knowsLight(of control: ControlID) -> Bool {
    guard scales.values.contains(where: { $0.control.id == control }) else { return false }
    return fit.trustsExposures
      ? control == .exposureTime : Set(fit.observations.map(\.exposure)).count > 1
  }

  /// The codes of the card under a lamp at settings. The light of an exposure time that was not
  /// recorded is interpolated if it is not proportional to the time.
  package func codes(lamp: Int, settings: [ControlID: Int]) -> SIMD3<Double> {
    let settings = fit.seenSettings(nearest: settings)
    let exposure = scales[lamp].flatMap { scale in
      settings[scale.control.id].map { scale.exposure(of: max($0, 1)) }
    }
    return fit.codes(
      lamp: lamp, settings: settings, exposure: fit.equivalent(to: exposure ?? 1, under: lamp))
  }

  /// The reason why the model does not describe the camera under a lamp; `nil` if it does.
  package func reasonForRefusal(under lamps: Range<Int>) -> String? {
    if let lamp = lamps.first(where: { lamp in !fit.observations.contains { $0.lamp == lamp } }) {
      return "its recording has no settled pictures under light \(lamp + 1)"
    }
    guard fit.statedError > Self.largestError else { return nil }
    let causes = fit.doubts.map { doubt in
      switch doubt {
      case .fewLooks(let least): "it has fewer than \(least) settled pictures of the card"
      case .notMoved(let control): "\(control.rawValue) was not moved"
      case .noEffect(let control): "the picture does not change with \(control.rawValue)"
      case .misfit: "no model describes all of its pictures"
      }
    }
    let percent = (1000 * fit.statedError).rounded() / 10
    return "its recording determines gains to \(percent) % only"
      + (causes.isEmpty ? "" : ": " + causes.joined(separator: ", "))
  }

  /// The largest accepted standard error of the gains' logarithms: about CIEDE2000 2.
  private static let largestError = 0.05

  /// The standard deviation of pixels in red, green and blue, in codes.
  package var deviations: SIMD3<Double> {
    let sum = fit.observations.reduce(SIMD3<Double>()) { $0 + $1.deviations }
    return sum / Double(max(fit.observations.count, 1))
  }
}
