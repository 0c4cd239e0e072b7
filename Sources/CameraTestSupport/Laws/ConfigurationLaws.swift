import CameraControl
import CameraProfiles

// Laws of the reservation of a camera's configuration.

extension CameraLaw {
  static let configuration: [CameraLaw] = [
    CameraLaw(
      "reservation nests", "a reservation can be taken several times, and given back as often"
    ) { try await $0.reservationNests() },
    CameraLaw(
      "reserved settings", "who has reserved the camera can set its controls", .settings
    ) { try await $0.holderSets() },
    CameraLaw(
      "reservation excludes", "while it is reserved, another program's reservation throws `busy`"
    ) { try await $0.reservationExcludes(taken: 1, givenBack: 0) },
    CameraLaw(
      "reservation ends last",
      "a reservation that was taken twice is kept until it was given back twice"
    ) { try await $0.reservationExcludes(taken: 2, givenBack: 1) },
    CameraLaw(
      "reservation released", "after it was given back, another program can reserve the camera"
    ) { try await $0.reservationIsReleased() },
  ]
}

extension CameraSession {
  private func begin(_ port: any CameraPort) async -> Result<Void, CallFailure> {
    await finish(
      RunningCall("beginConfiguration") {
        try await port.beginConfiguration()
      }, within: camera.limits.call)
  }

  private func end(_ port: any CameraPort) async throws {
    try await finish(
      RunningCall("endConfiguration") { await port.endConfiguration() }, within: camera.limits.call
    ).get()
  }

  /// Reserves the camera several times, or not at all.
  private func reserve(times: Int) async throws {
    for count in 0..<times {
      let result = await begin(port)
      if case .success = result { continue }
      for _ in 0..<count { try await end(port) }
      try result.get()
    }
  }

  fileprivate func reservationNests() async throws -> CameraLaw.Outcome {
    for _ in 0..<2 {
      try await reserve(times: 2)
      for _ in 0..<2 { try await end(port) }
    }
    return .kept("taken and given back twice, two times")
  }

  fileprivate func holderSets() async throws -> CameraLaw.Outcome {
    guard let control = try await settable().first, let now = try? await value(of: control.id).get()
    else { return .notApplicable("there is no control to set") }
    try await begin(port).get()
    let value = ControlValue(control.id, Self.other(than: now, of: control) ?? now)
    let result = await set([value])
    try await end(port)
    if case .failure(let failure) = result { return .broken("\(failure)") }
    return .kept("\(value)")
  }

  /// Opens the camera a second time, passes that port to a check, and closes it.
  private func withOther(
    _ check: (any CameraPort) async throws -> CameraLaw.Outcome
  ) async throws -> CameraLaw.Outcome {
    guard let open = camera.openAnother else {
      return .notApplicable("the test has no function `openAnother`")
    }
    let other: any CameraPort
    do { other = try await camera.run("openAnother", open) } catch { throw Unchecked("\(error)") }
    var outcome: Result<CameraLaw.Outcome, any Error>
    if case .failure(let failure) = await begin(other) {
      outcome = .success(.notApplicable("another program can never reserve it: \(failure)"))
    } else {
      do {
        try await end(other)
        outcome = .success(try await check(other))
      } catch { outcome = .failure(error) }
    }
    let close = camera.close
    try await camera.run("close") { await close?(other) }
    return try outcome.get()
  }

  /// Reserves the camera, gives some reservations back, and lets another program try.
  fileprivate func reservationExcludes(
    taken: Int, givenBack: Int
  ) async throws -> CameraLaw.Outcome {
    try await withOther { other in
      try await reserve(times: taken)
      for _ in 0..<givenBack { try await end(port) }
      let result = await begin(other)
      if case .success = result { try await end(other) }
      for _ in givenBack..<taken { try await end(port) }
      switch result {
      case .success: return .broken("`beginConfiguration` of another program returned")
      case .failure(let failure):
        guard case .busy = failure.error else { return .broken("\(failure)") }
        return .kept("\(failure)")
      }
    }
  }

  fileprivate func reservationIsReleased() async throws -> CameraLaw.Outcome {
    try await withOther { other in
      // The other program's refused attempt must leave nothing reserved either.
      for (holder, next) in [(port, other), (other, port)] {
        try await begin(holder).get()
        if case .success = await begin(next) { try await end(next) }
        try await end(holder)
        if case .failure(let failure) = await begin(next) {
          return .broken("after the holder has given it back, \(failure)")
        }
        try await end(next)
      }
      return .kept("by two ports in turn")
    }
  }
}
