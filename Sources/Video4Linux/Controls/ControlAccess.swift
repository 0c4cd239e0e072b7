import CWbcalVideo4Linux
import CameraControl
import CameraProfiles
import Glibc

/// Reads and writes the controls of one device in the order that drivers require.
struct ControlAccess {
  let table: ControlTable
  let handle: any DeviceHandle
  let camera: String

  func control(_ id: ControlID) throws(CameraError) -> DriverControl {
    guard let control = table[id] else { throw .noControl(id, camera: camera) }
    return control
  }

  /// Returns the current flags of a control: VIDIOC_QUERY_EXT_CTRL.
  func flags(of id: ControlID) throws(CameraError) -> ControlFlags {
    var query = v4l2_query_ext_ctrl()
    query.id = try control(id).number
    let result = handle.perform(CV4L_QUERY_EXT_CTRL, on: &query)
    if result < 0 { throw notReadable(id, -result) }
    return ControlFlags(driver: query.flags)
  }

  /// Returns the value that the driver reports: VIDIOC_G_CTRL.
  func value(of id: ControlID) throws(CameraError) -> Int {
    let control = try control(id)
    var argument = v4l2_control(id: control.number, value: 0)
    let result = handle.perform(CV4L_G_CTRL, on: &argument)
    if result < 0 { throw notReadable(id, -result) }
    return control.value(argument.value)
  }

  private func notReadable(_ id: ControlID, _ number: CInt) -> CameraError {
    ControlRefusal(number: number, isRead: true).map { .notReadable(id, $0) }
      ?? .vanished(camera: camera)
  }

  /// Returns what is to be written for a value that is within its control's limits.
  func write(of value: ControlValue) throws(CameraError) -> Write {
    let control = try control(value.id)
    let limits = control.description
    if control.flags.contains(.readOnly) { throw .notSet(value, .notAllowed, written: []) }
    if limits.kind != .button { try limits.check(value) }
    return Write(control: control, value: value.value)
  }

  struct Write {
    let control: DriverControl
    let value: Int
    var controlValue: ControlValue { ControlValue(control.description.id, value) }
  }

  /// Groups values into transactions in the order of writing.
  ///
  /// A driver that uses the kernel's control framework marks its automatic modes as updating other
  /// controls, and carries out one transaction in the right order. Other drivers, uvcvideo among
  /// them, write in an order of their own, and reject the controls that an automatic mode governs
  /// while it is on.
  static func transactions(_ writes: [Write]) -> [[Write]] {
    let (off, others, on) = writes.inOrderOfWriting { $0.control.turnsAutomaticOff($0.value) }
    if (off + on).allSatisfy({ $0.control.flags.contains(.updatesOthers) }) {
      return [off + others + on].filter { !$0.isEmpty }
    }
    return [off, others, on].filter { !$0.isEmpty }
  }

  /// Writes values in one transaction, and returns those that the driver reports back:
  /// VIDIOC_S_EXT_CTRLS, or VIDIOC_S_CTRL for drivers that lack it.
  func write(
    _ writes: [Write], after written: [ControlValue]
  ) throws(CameraError) -> [Int] {
    let (error, index, reported) = extended(CV4L_S_EXT_CTRLS, writes)
    if error == 0 { return reported }
    if error == ENOTTY { return try writeSingly(writes, after: written) }
    if error == EINVAL, index == writes.count {
      // Old drivers accept controls of one class at a time.
      let classes = Set(writes.map { $0.control.number >> 16 })
      if classes.count > 1 { return try write(writes, byClass: classes, after: written) }
    }
    // An index equal to the count means that nothing was written; a trial then finds the control.
    let failed = index < writes.count ? index : culprit(writes, error)
    throw refused(
      writes[failed], error,
      written + (index < writes.count ? writes[..<failed] : []).map(\.controlValue))
  }

  private func write(
    _ writes: [Write], byClass classes: Set<UInt32>, after written: [ControlValue]
  ) throws(CameraError) -> [Int] {
    var written = written
    var reported = [Int](repeating: 0, count: writes.count)
    for number in classes.sorted() {
      let indices = writes.indices.filter { writes[$0].control.number >> 16 == number }
      let part = indices.map { writes[$0] }
      for (index, value) in zip(indices, try write(part, after: written)) {
        reported[index] = value
      }
      written += part.map(\.controlValue)
    }
    return reported
  }

  private func writeSingly(
    _ writes: [Write], after written: [ControlValue]
  ) throws(CameraError) -> [Int] {
    var reported: [Int] = []
    for (index, write) in writes.enumerated() {
      var argument = v4l2_control(
        id: write.control.number, value: Int32(truncatingIfNeeded: write.value))
      let result = handle.perform(CV4L_S_CTRL, on: &argument)
      if result < 0 {
        throw refused(write, -result, written + writes[..<index].map(\.controlValue))
      }
      reported.append(write.control.value(argument.value))
    }
    return reported
  }

  /// Performs a request on several controls, and returns the error or zero, the index of the
  /// control that it concerns or their count, and the values as the driver changed them.
  private func extended(
    _ request: UInt, _ writes: [Write]
  ) -> (error: CInt, index: Int, reported: [Int]) {
    var controls = unsafe writes.map { write in
      var control = unsafe v4l2_ext_control()
      unsafe control.id = write.control.number
      unsafe control.value = Int32(truncatingIfNeeded: write.value)
      return unsafe control
    }
    return unsafe controls.withUnsafeMutableBufferPointer { buffer in
      var argument = unsafe v4l2_ext_controls()
      unsafe argument.count = UInt32(writes.count)
      unsafe argument.controls = buffer.baseAddress
      let result = unsafe handle.perform(request, on: &argument)
      let reported = unsafe zip(writes, buffer).map { write, control in
        // A button has no value.
        write.control.description.kind == .button
          ? write.value : write.control.value(unsafe control.value)
      }
      return unsafe (max(-result, 0), min(Int(argument.error_idx), writes.count), reported)
    }
  }

  /// Returns the index of the control for which a transaction failed if the driver does not report
  /// it.
  private func culprit(_ writes: [Write], _ error: CInt) -> Int {
    let (tried, index, _) = extended(CV4L_TRY_EXT_CTRLS, writes)
    if tried != 0, index < writes.count { return index }
    let sign: ControlFlags = error == EBUSY ? .grabbed : .inactive
    return writes.firstIndex {
      (try? flags(of: $0.control.description.id))?.contains(sign) == true
    } ?? 0
  }

  private func refused(_ write: Write, _ error: CInt, _ written: [ControlValue]) -> CameraError {
    ControlRefusal(number: error).map { .notSet(write.controlValue, $0, written: written) }
      ?? .vanished(camera: camera)
  }
}
