import CWbcalVideo4Linux
import CameraControl
import CameraProfiles

/// A control as its driver describes it.
struct DriverControl {
  private(set) var description: ControlDescription
  let number: UInt32
  let flags: ControlFlags

  /// Indicates whether a value turns the control's automatic mode off; `nil` if the control is not
  /// an automatic mode.
  func turnsAutomaticOff(_ value: Int) -> Bool? {
    // In shutter priority the camera chooses only the aperture.
    let isShutterPriority =
      number == V4L2_CID_EXPOSURE_AUTO && value == V4L2_EXPOSURE_SHUTTER_PRIORITY.rawValue
    return isShutterPriority ? true : description.turnsAutomaticOff(value)
  }

  /// Returns the control with another name and, for an exposure time, with its unit in seconds.
  func named(_ id: ControlID, secondsPerUnit: Double? = nil) -> DriverControl {
    var control = self
    control.description = ControlDescription(
      id: id, minimum: description.minimum, maximum: description.maximum, step: description.step,
      defaultValue: description.defaultValue, kind: description.kind,
      automatic: description.automatic, secondsPerUnit: secondsPerUnit)
    return control
  }

  /// Returns the values of an automatic mode in V4L2's numbers; `nil` for other controls.
  private static func automatic(
    _ number: UInt32, _ kind: ControlKind
  ) -> ControlDescription.Automatic? {
    switch CInt(bitPattern: number) {
    // The only driver with a menu for it, pwc, lists manual and automatic after three presets.
    case V4L2_CID_AUTO_WHITE_BALANCE where !kind.items.isEmpty: .init(off: 3, on: 4)
    case V4L2_CID_AUTO_WHITE_BALANCE, V4L2_CID_AUTO_N_PRESET_WHITE_BALANCE, V4L2_CID_AUTOGAIN,
      V4L2_CID_HUE_AUTO, V4L2_CID_AUTOBRIGHTNESS, V4L2_CID_FOCUS_AUTO,
      V4L2_CID_ISO_SENSITIVITY_AUTO:
      .init(off: 0, on: 1)
    case V4L2_CID_EXPOSURE_AUTO:
      .init(
        off: Int(V4L2_EXPOSURE_MANUAL.rawValue),
        on: [V4L2_EXPOSURE_AUTO, V4L2_EXPOSURE_APERTURE_PRIORITY].map { Int($0.rawValue) }
          .first { value in kind.items.contains { $0.value == value } })
    default: nil
    }
  }

  /// Converts a driver's 32 bits to a value.
  func value(_ bits: Int32) -> Int {
    description.maximum > Int(Int32.max) ? Int(UInt32(bitPattern: bits)) : Int(bits)
  }

  /// Creates a control from a driver's description; `nil` if its value is not a single number.
  init?(_ query: v4l2_query_ext_ctrl, _ handle: any DeviceHandle) {
    guard query.flags & (V4L2_CTRL_FLAG_DISABLED.bits | V4L2_CTRL_FLAG_HAS_PAYLOAD.bits) == 0,
      query.elems <= 1
    else { return nil }
    // The limits that drivers report are not always consistent.
    let bounds = Int64(Int32.min)...Int64(UInt32.max)
    let low = min(max(query.minimum, bounds.lowerBound), Int64(Int32.max))
    let high = min(max(query.maximum, low), bounds.upperBound)
    let kind: ControlKind
    switch v4l2_ctrl_type(query.type) {
    case V4L2_CTRL_TYPE_INTEGER, V4L2_CTRL_TYPE_BITMASK: kind = .integer
    case V4L2_CTRL_TYPE_BOOLEAN: kind = .boolean
    case V4L2_CTRL_TYPE_BUTTON: kind = .button
    case V4L2_CTRL_TYPE_MENU, V4L2_CTRL_TYPE_INTEGER_MENU:
      kind = .menu(Self.items(query, low...min(high, low + 1023), handle))
    default: return nil
    }
    number = query.id
    flags = ControlFlags(driver: query.flags)
    let step = Int(min(max(query.step, 1), UInt64(UInt32.max)))
    description = ControlDescription(
      id: ControlID(number: query.id), minimum: Int(low), maximum: Int(high), step: step,
      defaultValue: Self.settable(
        Int(min(max(query.default_value, low), high)), from: Int(low), step: step, kind),
      kind: kind, automatic: Self.automatic(query.id, kind))
  }

  /// Returns a driver's default or, if that cannot be set, another value: some drivers state one
  /// between two steps, or one without an item in the menu.
  private static func settable(
    _ value: Int, from minimum: Int, step: Int, _ kind: ControlKind
  ) -> Int {
    let items = kind.items.map(\.value)
    if !items.isEmpty, !items.contains(value) { return items[0] }
    return minimum + (value - minimum) / step * step
  }

  private static func items(
    _ query: v4l2_query_ext_ctrl, _ range: ClosedRange<Int64>, _ handle: any DeviceHandle
  ) -> [ControlKind.Item] {
    range.compactMap { index in
      var item = v4l2_querymenu()
      item.id = query.id
      item.index = UInt32(truncatingIfNeeded: index)
      // The numbers of a menu may have gaps.
      guard handle.perform(CV4L_QUERYMENU, on: &item) >= 0 else { return nil }
      let name =
        query.type == V4L2_CTRL_TYPE_MENU.rawValue ? text(of: item.name) : String(item.value)
      return ControlKind.Item(value: Int(index), name: name)
    }
  }
}

extension ControlFlags {
  init(driver bits: UInt32) {
    self = []
    for (flag, bit) in [
      (ControlFlags.readOnly, V4L2_CTRL_FLAG_READ_ONLY),
      (.writeOnly, V4L2_CTRL_FLAG_WRITE_ONLY),
      (.inactive, V4L2_CTRL_FLAG_INACTIVE),
      (.volatile, V4L2_CTRL_FLAG_VOLATILE),
      (.grabbed, V4L2_CTRL_FLAG_GRABBED),
      (.updatesOthers, V4L2_CTRL_FLAG_UPDATE),
    ] where bits & bit.bits != 0 { insert(flag) }
  }
}
