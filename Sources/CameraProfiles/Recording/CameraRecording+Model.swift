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
  /// It uses the observations with the automatic modes off and with the most frequent exposure, or
  /// with another exposure time in V4L2's unit.
  package func fittedModel(to looks: [Look]) -> FittedRecording? {
    guard let controls = balanceControls(movedIn: looks) else { return nil }
    let looks = looks.filter(Self.isByHand)
    let exposures = Dictionary(grouping: looks) { Self.exposure(of: $0) }
    func rank(_ exposure: [ControlID: Int], _ looks: [Look]) -> (Int, Int, Int) {
      (looks.count, exposure[.exposureTime] ?? 0, exposure[.gain] ?? 0)
    }
    guard let usual = exposures.max(by: { rank($0.key, $0.value) < rank($1.key, $1.value) })?.key
    else { return nil }
    let usualTime = max(usual[.exposureTime] ?? 1, 1)
    var fit = ModelFit(controls)
    fit.add(
      looks.compactMap { look in
        var exposure = Self.exposure(of: look)
        let time = exposure.updateValue(usual[.exposureTime] ?? 1, forKey: .exposureTime) ?? 1
        guard exposure.filter({ usual[$0.key] != nil }) == usual, time > 0 else { return nil }
        var observation = look.observation
        observation.exposure = Double(time) / Double(usualTime)
        return observation
      })
    guard fit.family != nil else { return nil }
    return FittedRecording(fit: fit, usualTime: usualTime)
  }

  /// The values that turn automatic modes off and on, by V4L2; a recording does not contain them.
  package static let modes: [ControlID: ControlDescription.Automatic] = [
    .autoWhiteBalance: .init(off: 0, on: 1), .exposureMode: .init(off: 1, on: 3),
    .autoGain: .init(off: 0, on: 1),
  ]

  /// `true` if no automatic mode was on during an observation.
  private static func isByHand(_ look: Look) -> Bool {
    let settings = look.observation.settings
    return modes.allSatisfy { id, mode in settings[id] == nil || settings[id] == mode.off }
  }

  private static func exposure(of look: Look) -> [ControlID: Int] {
    look.observation.settings.filter { [.exposureTime, .exposureLines, .gain].contains($0.key) }
  }
}

/// A model that is fitted to the observations of a recording.
package struct FittedRecording: Sendable {
  /// The model.
  package let fit: ModelFit
  /// The exposure time whose exposure counts as 1.
  package let usualTime: Int
  /// The standard deviation of pixels in red, green and blue, in codes.
  package var deviations: SIMD3<Double> {
    let sum = fit.observations.reduce(SIMD3<Double>()) { $0 + $1.deviations }
    return sum / Double(max(fit.observations.count, 1))
  }
}
