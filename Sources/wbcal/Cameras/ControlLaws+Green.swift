import CameraProfiles

extension ControlLaws {
  /// The laws with green held at its reference, where it has a control: of cameras that are matched
  /// red and blue alone may change, for with green the brightness would.
  var withGreenHeld: ControlLaws {
    guard case .channels(let red, let green?, let blue) = scheme else { return self }
    return ControlLaws(
      .channels(red: red, green: nil, blue: blue),
      held: held + [ControlValue(green.control.id, green.reference)], latency: latency,
      mixing: mixing)
  }
}
