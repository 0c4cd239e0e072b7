import WhiteBalance

extension Calibration.FittedShot {
  /// What to know of the shot besides its numbers; `nil` where there is nothing.
  ///
  /// A large residual is no fault of the shot: the matrix of a class smooths its lamps.
  var remark: String? {
    if isDoubtful { return "doubtful, check its light" }
    if residual.magnitude > 0.02 {
      return "unlike others of its class, so set it with --light \(shot.light.name)"
    }
    return nil
  }
}
