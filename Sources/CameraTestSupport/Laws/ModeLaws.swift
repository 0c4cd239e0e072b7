import CameraControl
import CameraProfiles

// Laws of automatic modes.

extension CameraLaw {
  static let modes: [CameraLaw] = [
    CameraLaw(
      "mode off and on", "an automatic mode that is turned on or off reads so", .settings
    ) { try await $0.modesTurn() },
    CameraLaw(
      "free when off", "a control that an automatic mode governs can be set when the mode is off",
      .settings
    ) {
      try await $0.everyGoverned { session, mode, control in
        try await session.isFree(control, when: mode)
      }
    },
    CameraLaw(
      "off is first",
      "in one call an automatic mode is turned off before the controls that it governs are set",
      .settings
    ) {
      try await $0.everyGoverned { session, mode, control in
        try await session.isTurnedOffFirst(mode, with: control)
      }
    },
    CameraLaw(
      "on is last",
      "in one call an automatic mode is turned on after the controls that it governs are set",
      .settings
    ) {
      try await $0.everyGoverned { session, mode, control in
        try await session.isTurnedOnLast(mode, with: control)
      }
    },
  ]
}

extension CameraSession {
  /// The automatic modes that can be turned off and on.
  func modes() async throws -> [ControlDescription] {
    var found: [ControlDescription] = []
    for control in try await controls()
    where control.automatic?.off != nil && control.automatic?.on != nil
      && !camera.untouched.contains(control.id)
    {
      let flags = try await flags(of: control.id).get()
      if flags.isDisjoint(with: [.readOnly, .writeOnly, .inactive, .grabbed]) {
        found.append(control)
      }
    }
    return found
  }

  /// Turns a mode off or on.
  private func turn(_ mode: ControlDescription, _ value: Int?) async throws {
    guard let value else { return }
    try await set([ControlValue(mode.id, value)]).get()
  }

  fileprivate func modesTurn() async throws -> CameraLaw.Outcome {
    let modes = try await modes()
    if modes.isEmpty { return .notApplicable("there is no automatic mode that turns off and on") }
    for mode in modes {
      for value in [mode.automatic?.off, mode.automatic?.on, mode.automatic?.off] {
        guard let value else { continue }
        try await turn(mode, value)
        let now = try await self.value(of: mode.id).get()
        if now != value { return .broken("\(mode.id) was set to \(value), and reads \(now)") }
      }
    }
    return .kept(CameraLaw.text(modes.map(\.id.rawValue)))
  }

  /// The controls that are inactive while a mode is on, and not when it is off, each with the mode.
  func governed() async throws -> [(mode: ControlDescription, control: ControlDescription)] {
    var found: [(mode: ControlDescription, control: ControlDescription)] = []
    for mode in try await modes() {
      try await turnModesOff()
      guard case .success = await set([ControlValue(mode.id, mode.automatic?.on ?? 0)]) else {
        continue
      }
      let inactive = try await flagged(.inactive)
      try await turnModesOff()
      let stillInactive = try await flagged([.inactive, .readOnly, .grabbed])
      for control in inactive
      where control.kind != .button && control.automatic == nil
        && !stillInactive.contains(where: { $0.id == control.id })
        && !camera.untouched.contains(control.id)
      {
        found.append((mode, control))
      }
    }
    return found
  }

  private func flagged(_ wanted: ControlFlags) async throws -> [ControlDescription] {
    var found: [ControlDescription] = []
    for control in try await controls()
    where try await !flags(of: control.id).get().isDisjoint(with: wanted) {
      found.append(control)
    }
    return found
  }

  fileprivate func everyGoverned(
    _ fault:
      @Sendable (isolated CameraSession, ControlDescription, ControlDescription) async throws ->
      String?
  ) async throws -> CameraLaw.Outcome {
    let governed = try await governed()
    if governed.isEmpty {
      return .notApplicable(
        "no control is inactive while an automatic mode is on, and free without")
    }
    for (mode, control) in governed {
      if let fault = try await fault(self, mode, control) { return .broken(fault) }
    }
    return .kept(
      CameraLaw.text(governed.map { "\($0.control.id) with \($0.mode.id)" }))
  }

  /// A value for a control, other than its present one if possible.
  private func newValue(of control: ControlDescription) async throws -> ControlValue {
    let now = try await value(of: control.id).get()
    return ControlValue(control.id, Self.other(than: now, of: control) ?? now)
  }

  private func mustRead(_ value: ControlValue, after call: String) async throws -> String? {
    let now = try await self.value(of: value.id).get()
    return now == value.value ? nil : "after \(call), \(value.id) reads \(now)"
  }

  fileprivate func isFree(
    _ control: ControlDescription, when mode: ControlDescription
  ) async throws -> String? {
    try await turn(mode, mode.automatic?.on)
    try await turn(mode, mode.automatic?.off)
    let value = try await newValue(of: control)
    try await set([value]).get()
    return try await mustRead(value, after: "`set([\(value)])` with \(mode.id) off")
  }

  fileprivate func isTurnedOffFirst(
    _ mode: ControlDescription, with control: ControlDescription
  ) async throws -> String? {
    try await turn(mode, mode.automatic?.on)
    let value = try await newValue(of: control)
    let off = ControlValue(mode.id, mode.automatic?.off ?? 0)
    try await set([value, off]).get()
    for now in [value, off] {
      if let fault = try await mustRead(now, after: "`set(\([value, off]))`") { return fault }
    }
    return nil
  }

  fileprivate func isTurnedOnLast(
    _ mode: ControlDescription, with control: ControlDescription
  ) async throws -> String? {
    try await turn(mode, mode.automatic?.off)
    let value = try await newValue(of: control)
    let on = ControlValue(mode.id, mode.automatic?.on ?? 0)
    try await set([on, value]).get()
    return try await mustRead(on, after: "`set(\([on, value]))`")
  }
}
