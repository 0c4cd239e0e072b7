#if GenICam
import CameraControl
import CameraProfiles

/// Reads and writes a camera's controls.
struct NodeAccess {
  let table: NodeTable
  let device: AravisDevice
  /// The numbers that the camera reported for the last value set of a control: it rounds numbers,
  /// and a value that it has accepted reads as it was set.
  private var accepted: [ControlID: (value: Int, reported: Double)] = [:]

  init(_ device: AravisDevice) throws(CameraError) {
    self.device = device
    table = try NodeTable(device)
  }

  /// The controls with their present bounds.
  func descriptions() throws(CameraError) -> [ControlDescription] {
    var found: [ControlDescription] = []
    for control in table.controls { found.append(try description(of: control)) }
    return found
  }

  private func description(of control: NodeControl) throws(CameraError) -> ControlDescription {
    guard case .numbers(let kind, _, _) = control.values else {
      return control.description(0, 0)
    }
    let bounds = try reading(control) { () throws(AravisError) in
      // Without control of the camera these are the bounds of what is selected.
      try? select(control)
      return try device.bounds(of: control.node, kind)
    }
    return control.description(bounds.low, bounds.high)
  }

  func control(_ id: ControlID) throws(CameraError) -> NodeControl {
    guard let control = table[id] else { throw .noControl(id, camera: device.name) }
    return control
  }

  /// Returns the current flags of a control.
  func flags(of id: ControlID) throws(CameraError) -> ControlFlags {
    let control = try control(id)
    switch control.values {
    case .once: return [.writeOnly, .updatesOthers]
    case .automatic: return device.flags(of: control.node).union(.updatesOthers)
    case .boolean, .choices: return device.flags(of: control.node)
    case .numbers:
      // While an automatic mode is on, cameras report its numbers as read only or locked.
      return try isGoverned(control) ? [.inactive, .volatile] : device.flags(of: control.node)
    }
  }

  /// Returns the value that the camera reports.
  func value(of id: ControlID) throws(CameraError) -> Int {
    let control = try control(id)
    switch control.values {
    case .once: throw .notReadable(id, .notAllowed)
    case .boolean:
      return try reading(control) { () throws(AravisError) in
        try device.boolean(of: control.node) ? 1 : 0
      }
    case .automatic:
      return try reading(control) { () throws(AravisError) in
        try device.text(of: control.node) == "Off" ? 0 : 1
      }
    case .choices(let names):
      let name = try reading(control) { () throws(AravisError) in
        try device.text(of: control.node)
      }
      guard let place = names.firstIndex(of: name) else { throw .notReadable(id, .notAllowed) }
      return place
    case .numbers(let kind, let scale, _):
      let number = try reading(control) { () throws(AravisError) in
        try select(control)
        return try device.number(of: control.node, kind)
      }
      if let last = accepted[id], last.reported == number { return last.value }
      return scale.value(number)
    }
  }

  /// Returns the camera's number behind a control's value; `nil` if it cannot be read.
  func number(of id: ControlID) -> Double? {
    guard let control = table[id], case .numbers(let kind, _, _) = control.values else {
      return nil
    }
    return try? device.number(of: control.node, kind)
  }

  /// Indicates whether the camera's gamma has an effect.
  var isGammaOn: Bool { (try? device.boolean(of: "GammaEnable")) ?? true }

  private func isGoverned(_ control: NodeControl) throws(CameraError) -> Bool {
    guard let governor = control.governor else { return false }
    return try reading(control) { () throws(AravisError) in
      try device.text(of: governor) != "Off"
    }
  }

  private func reading<Result>(
    _ control: NodeControl, _ body: () throws(AravisError) -> Result
  ) throws(CameraError) -> Result {
    do { return try body() } catch {
      if let failure = device.failure(error) {
        guard case .busy = failure else { throw failure }
        throw .notReadable(control.id, .busy)
      }
      throw .notReadable(control.id, error.refusal)
    }
  }

  /// Directs a node of many numbers to the control's.
  private func select(_ control: NodeControl) throws(AravisError) {
    guard let selection = control.selection,
      try device.text(of: selection.node) != selection.choice
    else { return }
    // A camera lets seconds pass before a program that does not control it may go on.
    guard device.hasControl else { throw AravisError.foreignControl }
    try device.set(selection.choice, of: selection.node)
  }

  // MARK: - Writing

  /// Writes values one after the other, or none if one is outside its control's limits.
  ///
  /// - Throws: `CameraError.settingNotKept` if the camera reports another value than the one it was
  ///   given, after all have been written.
  mutating func set(_ values: [ControlValue]) throws(CameraError) {
    try device.requireControl()
    var writes: [(control: NodeControl, value: ControlValue)] = []
    for value in values {
      let control = try control(value.id)
      if !control.isButton {
        if try flags(of: value.id).contains(.readOnly) {
          throw .notSet(value, .notAllowed, written: [])
        }
        try description(of: control).check(value)
      }
      writes.append((control, value))
    }
    let (off, others, on) = writes.inOrderOfWriting { write in
      if case .automatic = write.control.values { write.value.value == 0 } else { nil }
    }
    var written: [ControlValue] = []
    var lost: (value: ControlValue, reported: Int)?
    for write in off + others + on {
      do {
        let reported = try self.write(write.value, to: write.control)
        if reported != write.value.value, lost == nil { lost = (write.value, reported) }
      } catch {
        switch error {
        case .refused(let refusal): throw .notSet(write.value, refusal, written: written)
        case .failed(let failure): throw failure
        }
      }
      written.append(write.value)
    }
    if let lost { throw .settingNotKept(lost.value, reported: lost.reported) }
  }

  /// The reasons that one value was not written.
  private enum WriteError: Error {
    case refused(ControlRefusal)
    case failed(CameraError)
  }

  /// Writes a value, and returns the one that the camera then reports.
  private mutating func write(
    _ value: ControlValue, to control: NodeControl
  ) throws(WriteError) -> Int {
    let refusal: ControlRefusal?
    do { refusal = try obstacle(to: value, of: control) } catch { throw .failed(error) }
    if let refusal { throw .refused(refusal) }
    do { return try store(value, in: control) } catch {
      switch device.failure(error) {
      case .busy?: throw .refused(.busy)
      case let failure?: throw .failed(failure)
      case nil: throw .refused(error.refusal)
      }
    }
  }

  /// Returns the reason that a value cannot be written at present; values that were written before
  /// may have moved its bounds.
  private func obstacle(
    to value: ControlValue, of control: NodeControl
  ) throws(CameraError) -> ControlRefusal? {
    if try isGoverned(control) { return .automatic }
    guard case .numbers = control.values else { return nil }
    return try description(of: control).isValid(value.value) ? nil : .outOfRange
  }

  private mutating func store(
    _ value: ControlValue, in control: NodeControl
  ) throws(AravisError) -> Int {
    switch control.values {
    case .once(let choice):
      try device.set(choice, of: control.node)
      return value.value
    case .boolean:
      try device.set(value.value != 0, of: control.node)
      return try device.boolean(of: control.node) ? 1 : 0
    case .choices(let names):
      try device.set(names[value.value], of: control.node)
      return names.firstIndex(of: try device.text(of: control.node)) ?? names.count
    case .automatic(let on):
      try device.set(value.value == 0 ? "Off" : on, of: control.node)
      return try device.text(of: control.node) == "Off" ? 0 : 1
    case .numbers(let kind, let scale, _):
      if let enabler = control.enabler, !(try device.boolean(of: enabler)) {
        try device.set(true, of: enabler)
      }
      try select(control)
      let number = scale.number(value.value)
      try device.set(number, of: control.node, kind)
      let reported = try device.number(of: control.node, kind)
      guard control.isKept(number, reported) else {
        accepted[value.id] = nil
        return scale.value(reported)
      }
      accepted[value.id] = (value.value, reported)
      return value.value
    }
  }
}
#endif
