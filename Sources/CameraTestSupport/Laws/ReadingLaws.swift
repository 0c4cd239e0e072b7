import CameraControl
import CameraProfiles

// Laws of values and flags that are read.

extension CameraLaw {
  static let readings: [CameraLaw] = [
    CameraLaw("readable", "a control without the write-only flag can be read") {
      try await $0.everyReading("that can be read", { !$0.contains(.writeOnly) }) { _, result in
        if case .failure(let failure) = result { "\(failure)" } else { nil }
      }
    },
    CameraLaw(
      "write-only", "reading a write-only control throws `notReadable` with its identifier"
    ) {
      try await $0.everyReading("that is write-only", { $0.contains(.writeOnly) }) {
        control, result in
        switch result {
        case .success(let value): return "it reads \(value)"
        case .failure(let failure):
          if case .notReadable(control.id, _) = failure.error { return nil }
          return "\(failure)"
        }
      }
    },
    CameraLaw(
      "valid reading", "a control that only `set` changes reads as a value that can be set"
    ) {
      try await $0.everyReading("that keeps its value", { $0.isDisjoint(with: .changing) }) {
        control, result in
        guard case .success(let value) = result, !control.isValid(value) else { return nil }
        return "it reads \(value), which is not one of \(text(control))"
      }
    },
    CameraLaw(
      "steady reading", "a control that only `set` changes reads the same while nothing is set"
    ) { session in
      try await session.everyReading(
        "that keeps its value", { $0.isDisjoint(with: .changing) }
      ) { control, result in
        guard case .success(let first) = result else { return nil }
        let second = try await session.value(of: control.id).get()
        return first == second ? nil : "it reads \(first), then \(second)"
      }
    },
    CameraLaw(
      "unknown control", "a control that the camera does not have throws `noControl` with its name"
    ) { try await $0.unknownControlIsNamed() },
  ]
}

extension ControlFlags {
  /// The flags of controls whose value is not the one that was set.
  static let changing: ControlFlags = [.writeOnly, .volatile, .inactive]
}

extension CameraSession {
  /// An identifier that no camera has.
  static let unknown = ControlID(rawValue: "no control has this name")

  /// Reads those controls whose flags are such that a law applies.
  fileprivate func everyReading(
    _ kind: String, _ applies: (ControlFlags) -> Bool,
    _ fault: (ControlDescription, Result<Int, CallFailure>) async throws -> String?
  ) async throws -> CameraLaw.Outcome {
    var checked: [String] = []
    for control in try await controls() {
      guard applies(try await flags(of: control.id).get()) else { continue }
      // Buttons have no value.
      if control.kind == .button, !(try await flags(of: control.id).get().contains(.writeOnly)) {
        continue
      }
      if let fault = try await fault(control, await value(of: control.id)) {
        return .broken("\(control.id): \(fault)")
      }
      checked.append(control.id.rawValue)
    }
    return checked.isEmpty
      ? .notApplicable("there is no control \(kind)") : .kept(CameraLaw.text(checked))
  }

  fileprivate func unknownControlIsNamed() async throws -> CameraLaw.Outcome {
    let id = Self.unknown
    let name: String
    switch await value(of: id) {
    case .success(let value): return .broken("`value(of:)` returned \(value)")
    case .failure(let failure):
      guard case .noControl(id, let camera) = failure.error else { return .broken("\(failure)") }
      name = camera
    }
    let expected = CameraError.noControl(id, camera: name)
    switch await flags(of: id) {
    case .success(let flags): return .broken("`flags(of:)` returned \(flags)")
    case .failure(let failure) where failure.error != expected: return .broken("\(failure)")
    case .failure: break
    }
    switch await set([ControlValue(id, 0)]) {
    case .success: return .broken("`set` accepted it")
    case .failure(let failure) where failure.error != expected: return .broken("\(failure)")
    case .failure: return .kept("`value(of:)`, `flags(of:)` and `set`")
    }
  }
}
