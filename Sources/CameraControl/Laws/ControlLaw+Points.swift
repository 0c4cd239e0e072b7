internal import CameraProfiles
internal import ColorScience

extension [ControlLaw.Point] {
  /// Whether they follow a line or an exponential function, as nearly as such laws are told. The
  /// first point is the reference.
  func areSimple(of control: ControlDescription, testedBy tested: Set<Int>) -> Bool {
    ControlLaw(control: control, reference: self[0].value, points: self, testedBy: tested)?
      .isSimple ?? false
  }
}

extension ControlLaw {
  /// Whether it is a line or an exponential function, as nearly as such laws are told.
  var isSimple: Bool {
    if case .table = form { return false }
    return fitError < 0.004
  }
}
