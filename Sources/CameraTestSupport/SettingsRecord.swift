import CameraControl
import CameraProfiles

/// The settings of a camera, to be put back.
struct SettingsRecord: Sendable {
  /// The values of all controls that keep the value they were set to.
  let values: [ControlValue]
  /// The values of controls that an automatic mode governs, which may change by themselves.
  private let governed: [ControlValue]
  /// The values that turn the automatic modes off.
  private let modesOff: [ControlValue]

  /// Records a camera's settings. Controls that cannot be read or set are left out.
  init(of port: any CameraPort, limit: Duration) async {
    var values: [ControlValue] = []
    var governed: [ControlValue] = []
    let controls = await port.controls
    for control in controls where control.kind != .button {
      let id = control.id
      let flags = await RunningCall("flags(of: \(id))") {
        try await port.flags(of: id)
      }.result(within: limit)
      guard case .success(let flags) = flags,
        flags.isDisjoint(with: [.readOnly, .writeOnly, .grabbed]),
        let value = await Self.value(of: id, on: port, limit)
      else { continue }
      if flags.isDisjoint(with: [.inactive, .volatile]) {
        values.append(ControlValue(id, value))
      } else if !flags.contains(.volatile) {
        governed.append(ControlValue(id, value))
      }
    }
    self.values = values
    self.governed = governed
    modesOff = controls.compactMap { control in
      control.automatic?.off.map { ControlValue(control.id, $0) }
    }
  }

  private static func value(
    of id: ControlID, on port: any CameraPort, _ limit: Duration
  ) async -> Int? {
    let result = await RunningCall("value(of: \(id))") {
      try await port.value(of: id)
    }.result(within: limit)
    return try? result.get()
  }

  /// Returns those of some values that differ from the camera's present ones.
  private func different(
    _ values: [ControlValue], on port: any CameraPort, _ limit: Duration
  ) async -> [ControlValue] {
    var different: [ControlValue] = []
    for value in values where await Self.value(of: value.id, on: port, limit) != value.value {
      different.append(value)
    }
    return different
  }

  /// Puts settings back, and returns those that do not read as recorded.
  ///
  /// If the camera refuses some in one call, they are set one by one, with its automatic modes off
  /// meanwhile.
  func restore(on port: any CameraPort, limit: Duration) async -> [ControlValue] {
    func set(_ values: [ControlValue]) async {
      _ = await RunningCall("set(\(values))") {
        try await port.set(values)
      }.result(within: limit)
    }
    var left = await different(values + governed, on: port, limit)
    if left.isEmpty { return [] }
    await set(left)
    left = await different(values + governed, on: port, limit)
    if left.isEmpty { return [] }
    let modes = values.filter { value in modesOff.contains { $0.id == value.id } }
    for mode in modesOff where values[mode.id] != nil { await set([mode]) }
    for value in left { await set([value]) }
    for mode in modes { await set([mode]) }
    return await different(values, on: port, limit)
  }
}
