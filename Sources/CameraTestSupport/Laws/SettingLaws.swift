import CameraControl
import CameraProfiles

// Laws of settings. Controls with an automatic mode have laws of their own.

extension CameraLaw {
  static let settings: [CameraLaw] = [
    CameraLaw(
      "below minimum", "a value below the minimum throws `valueOutOfRange` and sets nothing",
      .settings
    ) {
      try await $0.everyRefused("with settable values") { control in control.minimum - control.step
      }
    },
    CameraLaw(
      "above maximum", "a value above the maximum throws `valueOutOfRange` and sets nothing",
      .settings
    ) {
      try await $0.everyRefused("with settable values") { control in
        control.largest + control.step
      }
    },
    CameraLaw(
      "between steps", "a value between two steps throws `valueOutOfRange` and sets nothing",
      .settings
    ) {
      try await $0.everyRefused("with steps above 1") { control in
        control.items.isEmpty && control.step > 1 && control.largest > control.minimum
          ? control.minimum + 1 : nil
      }
    },
    CameraLaw(
      "missing item",
      "a value without an item of the menu throws `valueOutOfRange` and sets nothing", .settings
    ) {
      try await $0.everyRefused("with a gap in its menu") { control in
        guard let last = control.items.map(\.value).max() else { return nil }
        return (control.minimum...last).first { !control.isValid($0) }
      }
    },
    CameraLaw(
      "kept value", "a value that was set is read back, or `settingNotKept` states the other one",
      .settings
    ) { try await $0.valuesAreKept() },
    CameraLaw("same value", "setting the value that a control has changes nothing", .settings) {
      try await $0.sameValueChangesNothing()
    },
    CameraLaw("empty list", "setting no control returns and changes nothing") {
      try await $0.emptyListChangesNothing()
    },
    CameraLaw("several values", "controls that are set in one call are all set", .settings) {
      try await $0.severalAreSet()
    },
    CameraLaw(
      "one bad value", "if one value of a list is out of range, the error names it and none is set",
      .settings
    ) { try await $0.badValueStopsAll() },
    CameraLaw(
      "one unknown control",
      "if one control of a list does not exist, the error names it and none is set", .settings
    ) { try await $0.unknownControlStopsAll() },
    CameraLaw(
      "read-only", "setting a read-only control throws `notSet` with it, and sets nothing",
      .settings
    ) { try await $0.readOnlyIsRefused() },
    CameraLaw(
      "named refusal",
      "if the camera refuses a governed control, `notSet` names exactly what was set before it",
      .settings
    ) { try await $0.refusalNamesWhatWasSet() },
    CameraLaw(
      "same controls", "settings change no control's identifier, kind, step or unit", .settings
    ) { try await $0.controlsStay() },
  ]
}

extension CameraSession {
  /// Turns automatic modes off, so that the controls that they govern can be set.
  func turnModesOff() async throws {
    for mode in try await modes() {
      if let off = mode.automatic?.off { _ = await set([ControlValue(mode.id, off)]) }
    }
  }

  /// The controls that can be set while automatic modes are off, and keep their value, without
  /// those modes.
  func settable() async throws -> [ControlDescription] {
    try await writable().filter { $0.automatic == nil }
  }

  /// The controls that can be set while automatic modes are off, and keep their value.
  private func writable() async throws -> [ControlDescription] {
    try await turnModesOff()
    var found: [ControlDescription] = []
    for control in try await controls()
    where control.kind != .button && !camera.untouched.contains(control.id) {
      let flags = try await flags(of: control.id).get()
      if flags.isDisjoint(with: [.readOnly, .writeOnly, .inactive, .volatile, .grabbed]) {
        found.append(control)
      }
    }
    return found
  }

  /// Some valid values of a control: the ends and the middle.
  static func samples(of control: ControlDescription) -> [Int] {
    let all =
      control.items.isEmpty
      ? [
        control.minimum, control.largest,
        control.nearestValue(to: 0.5 * Double(control.minimum + control.maximum)),
      ] : [control.items.first?.value, control.items.last?.value].compactMap { $0 }
    return all.enumerated().filter { !all[..<$0.offset].contains($0.element) }.map(\.element)
      .filter(control.isValid)
  }

  /// A valid value other than the given one; `nil` if there is none.
  static func other(than value: Int, of control: ControlDescription) -> Int? {
    samples(of: control).first { $0 != value }
  }

  /// Sets values of which one must be refused, and verifies the error and that nothing is set.
  fileprivate func refuses(
    _ values: [ControlValue], with expected: CameraError
  ) async throws -> String? {
    var before: [ControlValue] = []
    for value in values {
      if let now = try? await self.value(of: value.id).get() {
        before.append(ControlValue(value.id, now))
      }
    }
    switch await set(values) {
    case .success: return "`set(\(values))` returned"
    case .failure(let failure) where failure.error != expected: return "\(failure)"
    case .failure: break
    }
    for value in before {
      let now = try await self.value(of: value.id).get()
      if now != value.value {
        return "after `set(\(values))` was refused, \(value.id) reads \(now) instead of "
          + "\(value.value)"
      }
    }
    return nil
  }

  fileprivate func everyRefused(
    _ kind: String, _ bad: (ControlDescription) -> Int?
  ) async throws -> CameraLaw.Outcome {
    var checked: [String] = []
    for control in try await writable() {
      guard let bad = bad(control) else { continue }
      let value = ControlValue(control.id, bad)
      if let fault = try await refuses([value], with: Self.outOfRange(value, control)) {
        return .broken(fault)
      }
      checked.append("\(value)")
    }
    return checked.isEmpty
      ? .notApplicable("there is no control \(kind)") : .kept(CameraLaw.text(checked))
  }

  private static func outOfRange(
    _ value: ControlValue, _ control: ControlDescription
  ) -> CameraError {
    .valueOutOfRange(value, allowed: control.minimum...control.maximum, step: control.step)
  }

  fileprivate func valuesAreKept() async throws -> CameraLaw.Outcome {
    var (kept, refused): ([String], [String]) = ([], [])
    for control in try await settable() {
      for sample in Self.samples(of: control) {
        let value = ControlValue(control.id, sample)
        var expected = sample
        switch await set([value]) {
        case .success: kept.append("\(value)")
        case .failure(let failure):
          switch failure.error {
          case .settingNotKept(value, let reported): expected = reported
          case .notSet(value, _, written: []):
            refused.append("\(value)")
            continue
          default: return .broken("\(failure)")
          }
        }
        let now = try await self.value(of: control.id).get()
        if now != expected { return .broken("after `set([\(value)])` \(control.id) reads \(now)") }
      }
    }
    if kept.isEmpty, refused.isEmpty { return .notApplicable("there is no control to set") }
    if kept.isEmpty { return .notApplicable("the camera refused \(CameraLaw.text(refused))") }
    return .kept("\(kept.count) values kept, \(refused.count) refused with `notSet`")
  }

  /// Reads controls, without those that cannot be read.
  private func readings(of controls: [ControlDescription]) async -> [ControlValue] {
    var found: [ControlValue] = []
    for control in controls {
      if let value = try? await value(of: control.id).get() {
        found.append(ControlValue(control.id, value))
      }
    }
    return found
  }

  fileprivate func sameValueChangesNothing() async throws -> CameraLaw.Outcome {
    let controls = try await settable()
    if controls.isEmpty { return .notApplicable("there is no control to set") }
    let before = await readings(of: controls)
    for value in before {
      if case .failure(let failure) = await set([value]) {
        if case .notSet(value, _, written: []) = failure.error { continue }
        return .broken("\(failure)")
      }
      let after = await readings(of: controls)
      if let (old, new) = zip(before, after).first(where: { $0 != $1 }) {
        return .broken(
          "after `set([\(value)])`, \(old.id) reads \(new.value) instead of \(old.value)")
      }
    }
    return .kept("\(before.count) controls")
  }

  fileprivate func emptyListChangesNothing() async throws -> CameraLaw.Outcome {
    var controls: [ControlDescription] = []
    for control in try await self.controls() {
      let flags = try await flags(of: control.id).get()
      if control.kind != .button, flags.isDisjoint(with: ControlFlags.changing.union(.readOnly)) {
        controls.append(control)
      }
    }
    let before = await readings(of: controls)
    try await set([]).get()
    let after = await readings(of: controls)
    return before == after
      ? .kept("\(before.count) controls read the same")
      : .broken("the controls read \(before), then \(after)")
  }

  /// Up to two controls that can be set, each with a value other than its present one.
  private func pair(
    without excluded: [ControlID] = []
  ) async throws -> [(control: ControlDescription, new: ControlValue)] {
    var found: [(control: ControlDescription, new: ControlValue)] = []
    for control in try await settable() where !excluded.contains(control.id) {
      guard found.count < 2, let now = try? await value(of: control.id).get(),
        let other = Self.other(than: now, of: control)
      else { continue }
      let new = ControlValue(control.id, other)
      // It must be possible to set it alone, and to go back.
      guard case .success = await set([new]),
        case .success = await set([ControlValue(control.id, now)]),
        try await value(of: control.id).get() == now
      else { continue }
      found.append((control, new))
    }
    return found
  }

  fileprivate func severalAreSet() async throws -> CameraLaw.Outcome {
    let pair = try await pair()
    guard pair.count == 2 else {
      return .notApplicable("there are no two controls whose value can be changed")
    }
    let values = pair.map(\.new)
    try await set(values).get()
    for value in values {
      let now = try await self.value(of: value.id).get()
      if now != value.value { return .broken("after `set(\(values))`, \(value.id) reads \(now)") }
    }
    return .kept("\(values)")
  }

  fileprivate func badValueStopsAll() async throws -> CameraLaw.Outcome {
    let pair = try await pair()
    guard pair.count == 2 else {
      return .notApplicable("there are no two controls whose value can be changed")
    }
    let bad = ControlValue(pair[1].control.id, pair[1].control.largest + pair[1].control.step)
    let error = Self.outOfRange(bad, pair[1].control)
    for values in [[pair[0].new, bad], [bad, pair[0].new]] {
      if let fault = try await refuses(values, with: error) { return .broken(fault) }
    }
    return .kept("\(pair[0].new) with \(bad)")
  }

  fileprivate func unknownControlStopsAll() async throws -> CameraLaw.Outcome {
    guard let good = try await pair().first?.new else {
      return .notApplicable("there is no control whose value can be changed")
    }
    let unknown = ControlValue(Self.unknown, 0)
    guard case .failure(let failure) = await set([unknown]),
      case .noControl(Self.unknown, let name) = failure.error
    else { throw Unchecked("the law “unknown control” is broken") }
    for values in [[good, unknown], [unknown, good]] {
      let error = CameraError.noControl(Self.unknown, camera: name)
      if let fault = try await refuses(values, with: error) { return .broken(fault) }
    }
    return .kept("\(good) with an unknown control")
  }

  fileprivate func readOnlyIsRefused() async throws -> CameraLaw.Outcome {
    var checked: [String] = []
    for control in try await controls()
    where control.kind != .button && !camera.untouched.contains(control.id) {
      guard try await flags(of: control.id).get().contains(.readOnly) else { continue }
      let value = ControlValue(
        control.id, control.isValid(control.defaultValue) ? control.defaultValue : control.minimum)
      switch await set([value]) {
      case .success: return .broken("`set([\(value)])` returned")
      case .failure(let failure):
        guard case .notSet(value, _, written: []) = failure.error else {
          return .broken("\(failure)")
        }
      }
      checked.append(control.id.rawValue)
    }
    return checked.isEmpty
      ? .notApplicable("there is no read-only control") : .kept(CameraLaw.text(checked))
  }

  fileprivate func refusalNamesWhatWasSet() async throws -> CameraLaw.Outcome {
    let governed = try await governed()
    guard let good = try await pair(without: governed.map(\.control.id)).first?.new else {
      return .notApplicable("no control can be changed that no automatic mode governs")
    }
    let before = try await value(of: good.id).get()
    for (mode, control) in governed {
      guard let on = mode.automatic?.on else { continue }
      try await set([ControlValue(mode.id, on)]).get()
      let bad = ControlValue(control.id, control.defaultValue)
      switch await set([good, bad]) {
      case .success: _ = await set([ControlValue(good.id, before)])
      case .failure(let failure):
        guard case .notSet(bad, _, let written) = failure.error else {
          return .broken("\(failure)")
        }
        let now = try await value(of: good.id).get()
        if written != (now == before ? [] : [good]) {
          return .broken("\(failure); \(good.id) reads \(now), and \(before) before it")
        }
        return .kept("\(failure)")
      }
      try await turnModesOff()
    }
    return .notApplicable("the camera refuses no governed control")
  }

  fileprivate func controlsStay() async throws -> CameraLaw.Outcome {
    var count = 0
    for control in try await settable() {
      for sample in Self.samples(of: control) {
        guard case .success = await set([ControlValue(control.id, sample)]) else { continue }
        count += 1
        for (old, new) in zip(firstControls, try await controls())
        where (old.id, old.kind, old.step, old.secondsPerUnit)
          != (new.id, new.kind, new.step, new.secondsPerUnit)
        {
          return .broken(
            "after \(control.id) was set to \(sample): "
              + CameraLaw.difference(firstControls, try await controls()))
        }
        if try await controls().count != firstControls.count {
          return .broken(CameraLaw.difference(firstControls, try await controls()))
        }
      }
    }
    return count == 0
      ? .notApplicable("there is no control whose value can be changed")
      : .kept("after \(count) settings")
  }
}
