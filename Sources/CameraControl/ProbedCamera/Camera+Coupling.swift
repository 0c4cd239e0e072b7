internal import CameraProfiles
internal import ColorScience
internal import WhiteBalance

extension Camera {
  /// Returns laws with the persistence of settings, and with the camera's gain fixed if they depend
  /// on it.
  ///
  /// - Parameter start: Settings at which the card can be measured, and at which the camera is
  ///   left.
  func completed(
    _ found: ControlLaws, at start: [ControlValue]
  ) async throws(CameraError) -> ControlLaws {
    var found = found
    (found.persistence, found.settlingRate) = (persistence, settlingRate == 1 ? nil : settlingRate)
    let gain = await port.description(of: .gain)
    // A quick search already returns to its start.
    if gain == nil {
      if automaticOffPolicy == .once { return found }
      if try await settings(of: start) == start { return found }
    }
    try await turnOffAutomatic()
    try await hold(found)
    guard let here = try await observe(start) else { throw try await unseen() }
    guard let gain, try await port.flags(of: .gain).isDisjoint(with: [.readOnly, .inactive]) else {
      return found
    }
    let initial = try await port.value(of: .gain)
    let away = found.away(from: start)
    guard let there = try await observe(away) else { return found }
    var isCoupled = false
    for share in [0.25, 0.06, -0.25] {
      let other = gain.nearestValue(
        to: Double(initial) + share * Double(gain.maximum - gain.minimum))
      guard other != initial else { continue }
      try await setAndReadBack([ControlValue(.gain, other)])
      let moved = try await observe(away)
      let still = try await observe(start)
      guard let moved, let still else { continue }
      let shifts = [still.ratios - here.ratios, moved.ratios - there.ratios]
      isCoupled = shifts.contains { max(abs($0.x), abs($0.y)) > 0.01 }
      break
    }
    try await setAndReadBack([ControlValue(.gain, initial)])
    _ = try await observe(start)
    guard isCoupled else { return found }
    var laws = found
    laws.fixedSettings = [ControlValue(.gain, initial)]
    return laws
  }
}
