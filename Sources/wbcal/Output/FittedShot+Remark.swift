import WhiteBalance

extension Calibration.FittedShot {
  /// A remark about the shot in addition to its numbers; `nil` if there is none.
  ///
  /// A large residual does not mean that the shot is wrong: one matrix cannot fit all lamps of a
  /// class.
  var remark: String? {
    plainRemark.map { $0 + (isDoubtful ? "" : ", so set it with --light \(shot.light.name)") }
  }

  /// The remark without options.
  var plainRemark: String? {
    if isDoubtful { return "doubtful, check its light" }
    return residual.magnitude > 0.02 ? "unlike others of its class" : nil
  }
}
