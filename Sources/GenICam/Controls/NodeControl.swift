#if GenICam
import CameraControl
import CameraProfiles

/// A control of the port, and the node of the camera behind it.
struct NodeControl {
  /// The meaning of the control's values, which are integers.
  enum Values {
    /// A number, counted in steps. `usual` is the number that does not change the picture; `nil` if
    /// it is unknown.
    case numbers(AravisDevice.Kind, NodeScale, usual: Double?)
    /// 0 for false, 1 for true.
    case boolean
    /// An automatic mode: 0 for "Off", and 1 for the choice with a name.
    case automatic(on: String)
    /// The index of a choice in a list of names.
    case choices([String])
    /// A button. It selects the named choice of an automatic mode, with which the camera adjusts
    /// itself once.
    case once(String)
  }

  let id: ControlID
  let node: String
  /// The choice that another node must have before `node` gives this control's number, if `node`
  /// gives several.
  let selection: Selection?
  let values: Values
  /// The automatic mode that governs the control, if there is one.
  let governor: String?
  /// The node that must be true for the control to have an effect.
  let enabler: String?

  var isButton: Bool { if case .once = values { true } else { false } }

  struct Selection: Hashable {
    var node: String
    var choice: String
  }

  /// The relative difference by which a camera may round a number that it accepts.
  private static let rounding = 0.005

  /// Indicates whether a number that the camera reports counts as the one that was set: cameras
  /// round numbers whose increment they do not state.
  func isKept(_ wanted: Double, _ reported: Double) -> Bool {
    guard case .numbers(_, let scale, _) = values else { return wanted == reported }
    return abs(reported - wanted) <= max(0.5001 * scale.unit, Self.rounding * abs(wanted))
  }

  /// Returns the description of the control with the bounds of its numbers.
  func description(_ low: Double, _ high: Double) -> ControlDescription {
    switch values {
    case .numbers(_, let scale, let usual):
      let (first, last) = scale.range(low, high)
      let maximum = max(first, last)
      let usual = min(max(usual.map(scale.value) ?? first, first), maximum)
      return ControlDescription(
        id: id, minimum: first, maximum: maximum, step: scale.step,
        defaultValue: first + (usual - first) / scale.step * scale.step,
        secondsPerUnit: id == .exposureTime ? 1e-6 * scale.unit : nil)
    case .boolean:
      return ControlDescription(id: id, minimum: 0, maximum: 1, defaultValue: 0, kind: .boolean)
    case .automatic:
      return ControlDescription(
        id: id, minimum: 0, maximum: 1, defaultValue: 0, kind: .boolean,
        automatic: .init(off: 0, on: 1))
    case .choices(let names):
      let items = names.enumerated().map { ControlKind.Item(value: $0, name: $1) }
      return ControlDescription(
        id: id, minimum: 0, maximum: names.count - 1, defaultValue: 0, kind: .menu(items))
    case .once:
      return ControlDescription(id: id, minimum: 0, maximum: 0, defaultValue: 0, kind: .button)
    }
  }
}
#endif
