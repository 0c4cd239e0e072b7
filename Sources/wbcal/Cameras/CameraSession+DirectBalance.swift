import CameraControl
import CameraProfiles

extension CameraSession {
  /// The controls of the white balance that can be set without a profile: a temperature, or red and
  /// blue.
  static func directControls(of camera: Camera) async throws -> [ControlDescription] {
    var found: [ControlDescription] = []
    for id in [ControlID.whiteBalanceTemperature, .redBalance, .blueBalance] {
      guard let control = await camera.port.description(of: id), control.items.isEmpty,
        control.minimum < control.maximum,
        try await !camera.port.flags(of: id).contains(.readOnly)
      else { continue }
      found.append(control)
    }
    let pair = found.filter { ControlID.balances.contains($0.id) }
    return pair.count == 1 ? found.filter { $0.id != pair[0].id } : found
  }

  /// Returns the values of controls of the white balance.
  ///
  /// - Throws: `StudioProblem` for another control, or a value outside its range.
  func balanceValues(_ named: [String: Int]) async throws -> [ControlValue] {
    let controls = try await Self.directControls(of: camera)
    guard !named.isEmpty else { throw StudioProblem.usage("name a control and its value") }
    return try named.sortedByName.map { name, value in
      guard let control = controls.first(where: { $0.id.rawValue == name }) else {
        throw StudioProblem.usage(
          "'\(printable(name))' is not one of the controls: "
            + (controls.isEmpty
              ? "there are none" : controls.map(\.id.rawValue).joined(separator: ", ")))
      }
      guard control.minimum...control.maximum ~= value else {
        throw StudioProblem(
          422, "bad-data", .badData,
          "\(name) must be from \(control.minimum) to \(control.maximum)")
      }
      return ControlValue(control.id, control.nearestValue(to: Double(value)))
    }
  }

  /// Turns automatic white balance off and sets controls, without verifying anything.
  func sendBalance(_ values: [ControlValue]) async throws {
    let port = camera.port
    for chooser in ControlID.balanceChoosers {
      guard let off = await port.description(of: chooser)?.automatic?.off else { continue }
      if try await port.value(of: chooser) != off {
        try await port.set([ControlValue(chooser, off)])
      }
      break
    }
    try await port.set(values)
  }

  /// Turns automatic white balance off and sets controls, and reads them back.
  ///
  /// - Throws: `CameraError.settingNotKept` if the camera reports another value.
  func setBalance(to values: [ControlValue]) async throws {
    let port = camera.port
    try await sendBalance(values)
    for value in values where try await port.value(of: value.id) != value.value {
      // Some cameras accept only the last of two that are set together.
      try await port.set([value])
      let reported = try await port.value(of: value.id)
      guard reported == value.value else {
        throw CameraError.settingNotKept(value, reported: reported)
      }
    }
  }
}
