internal import ColorScience

extension CameraRecording {
  /// The controls of the white balance that were moved; `nil` where none was, or of red and blue
  /// only one.
  private func balanceControls(movedIn looks: [Look]) -> BalanceControls? {
    func moved(_ id: ControlID) -> ControlDescription? {
      guard let control = camera.controls.first(where: { $0.id == id }),
        Set(looks.compactMap { $0.settings[id] }).count > 1
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

  /// The looks that a model can be fitted to: those with the automatic modes off, at the exposure
  /// that most looks have, or at other times in the unit of V4L2's exposure time.
  private static func observations(of looks: [Look]) -> [Observation] {
    let looks = looks.filter(isByHand)
    let exposures = Dictionary(grouping: looks) { exposure(of: $0) }
    func rank(_ exposure: [ControlID: Int], _ looks: [Look]) -> (Int, Int, Int) {
      (looks.count, exposure[.exposureTime] ?? 0, exposure[.gain] ?? 0)
    }
    guard let usual = exposures.max(by: { rank($0.key, $0.value) < rank($1.key, $1.value) })?.key
    else { return [] }
    return looks.compactMap { look in
      var exposure = exposure(of: look)
      let time = exposure.updateValue(usual[.exposureTime] ?? 1, forKey: .exposureTime) ?? 1
      guard exposure.filter({ usual[$0.key] != nil }) == usual, time > 0 else { return nil }
      func channels(_ values: [Double]) -> SIMD3<Double> { SIMD3(values[0], values[1], values[2]) }
      return Observation(
        lamp: look.light, settings: look.settings,
        exposure: Double(time) / Double(usual[.exposureTime] ?? 1), codes: channels(look.codes),
        errors: channels(look.errors), deviations: channels(look.deviations),
        clipped: channels(look.clipped))
    }
  }

  /// What looks of this recording say of the camera; `nil` where the white balance was not moved.
  package func fittedModel(to looks: [Look]) -> ModelFit? {
    guard let controls = balanceControls(movedIn: looks) else { return nil }
    var fit = ModelFit(controls)
    fit.add(Self.observations(of: looks))
    return fit.family == nil ? nil : fit
  }

  /// Whether nothing chooses for the user while a look is taken: by V4L2's values of the modes,
  /// since a recording does not say which they are.
  private static func isByHand(_ look: Look) -> Bool {
    let modes: [(ControlID, Int)] = [(.autoWhiteBalance, 0), (.exposureMode, 1), (.autoGain, 0)]
    return modes.allSatisfy { id, off in look.settings[id] ?? off == off }
  }

  private static func exposure(of look: Look) -> [ControlID: Int] {
    look.settings.filter { [.exposureTime, .exposureLines, .gain].contains($0.key) }
  }
}
