import CameraControl
import CameraProfiles

// Laws of the identity and the list of controls, without a setting.

extension CameraLaw {
  static let descriptions: [CameraLaw] = [
    CameraLaw(
      "identity", "the identity has a driver, a name and an identifier, and stays the same"
    ) { try await $0.identityStays() },
    CameraLaw("unique controls", "no two controls have the same identifier") {
      let ids = try await $0.controls().map(\.id)
      let repeated = Set(ids.filter { id in ids.count { $0 == id } > 1 })
      return repeated.isEmpty
        ? .kept("\(ids.count) controls") : .broken("repeated: \(text(repeated.map(\.rawValue)))")
    },
    CameraLaw("steady list", "the list of controls stays the same while nothing is set") {
      let (first, second) = (try await $0.controls(), try await $0.controls())
      return first == second
        ? .kept("\(first.count) controls, read twice") : .broken(difference(first, second))
    },
    CameraLaw("valid default", "the default of a control is a value that can be set") {
      try await $0.every("a value", { $0.kind != .button }) { control in
        control.isValid(control.defaultValue)
          ? nil : "the default \(control.defaultValue) is not one of \(text(control))"
      }
    },
    CameraLaw(
      "menu", "the items of a menu have different values, each a value that can be set, and a name"
    ) {
      try await $0.every("a menu", { !$0.items.isEmpty }) { control in
        let values = control.items.map(\.value)
        if Set(values).count < values.count { return "items have the same value: \(values)" }
        if let item = control.items.first(where: { !control.isValid($0.value) }) {
          return "the item \(item.value) is outside of \(text(control))"
        }
        return control.items.contains { $0.name.isEmpty } ? "an item has no name" : nil
      }
    },
    CameraLaw("boolean", "the values of a Boolean control are 0 and 1") {
      try await $0.every("a Boolean control", { $0.kind == .boolean }) { control in
        (control.minimum, control.maximum, control.step) == (0, 1, 1)
          ? nil : "the values are \(text(control))"
      }
    },
    CameraLaw(
      "automatic values", "an automatic mode has different values for on and off, at least one"
    ) {
      try await $0.every("an automatic mode", { $0.automatic != nil }) { control in
        let (off, on) = (control.automatic?.off, control.automatic?.on)
        return off == on ? "on and off are both \(off.map { "\($0)" } ?? "missing")" : nil
      }
    },
    CameraLaw("unit of time", "the unit of the exposure time is a positive number of seconds") {
      try await $0.every("an exposure time in a known unit", { $0.id == .exposureTime }) {
        control in
        let unit = control.secondsPerUnit ?? .nan
        return unit > 0 && unit.isFinite ? nil : "the unit is \(unit) s"
      }
    },
  ]

  /// Values as a list.
  static func text(_ words: [String]) -> String {
    words.count > 6
      ? words.prefix(6).joined(separator: ", ") + " and \(words.count - 6) more"
      : words.joined(separator: ", ")
  }

  /// The values of a control as a clause.
  static func text(_ control: ControlDescription) -> String {
    control.items.isEmpty
      ? "\(control.minimum)…\(control.maximum) in steps of \(control.step)"
      : text(control.items.map { "\($0.value)" })
  }

  /// The first difference between two lists of controls.
  static func difference(_ first: [ControlDescription], _ second: [ControlDescription]) -> String {
    let (old, new) = (first.map(\.id), second.map(\.id))
    if old != new {
      return "the controls were \(text(old.map(\.rawValue))), then \(text(new.map(\.rawValue)))"
    }
    let changed = zip(first, second).first { $0 != $1 }
    return changed.map {
      "\($0.id) was \(text($0)), default \($0.defaultValue), then \(text($1)), default "
        + "\($1.defaultValue)"
    } ?? "none"
  }
}

extension CameraSession {
  fileprivate func identityStays() async throws -> CameraLaw.Outcome {
    let now = try await call("identity") { await $0.identity }.get()
    guard now == identity else { return .broken("it was \(identity), then \(now)") }
    if now.driver.isEmpty || now.name.isEmpty || now.id.isEmpty {
      return .broken("driver “\(now.driver)”, name “\(now.name)”, identifier “\(now.id)”")
    }
    return .kept("\(now)")
  }

  /// Checks those controls to which a law applies; `fault` states what is wrong with one.
  func every(
    _ kind: String, _ applies: (ControlDescription) -> Bool,
    _ fault: (ControlDescription) async throws -> String?
  ) async throws -> CameraLaw.Outcome {
    let controls = try await controls().filter(applies)
    if controls.isEmpty { return .notApplicable("no control is \(kind)") }
    for control in controls {
      if let fault = try await fault(control) { return .broken("\(control.id): \(fault)") }
    }
    return .kept(CameraLaw.text(controls.map(\.id.rawValue)))
  }
}
