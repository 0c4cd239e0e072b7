import CameraProfiles

extension ControlLaws {
  /// The laws with green held at its reference, if green has a control. In matched cameras only red
  /// and blue may change, since a change of green would change the brightness.
  var withGreenHeld: ControlLaws {
    guard case .channels(let red, let green?, let blue) = layout else { return self }
    return ControlLaws(
      .channels(red: red, green: nil, blue: blue),
      fixedSettings: fixedSettings + [ControlValue(green.control.id, green.reference)],
      latency: latency,
      mixing: mixing)
  }
}
