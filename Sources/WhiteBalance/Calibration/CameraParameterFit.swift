/// A least-squares fit of a camera's parameters, with or without a prior.
struct CameraParameterFit {
  /// The logarithms of the red and blue gain under a light.
  struct Observation {
    var light: CameraParameters.LightOffset
    var logGains: SIMD2<Double>
    /// 1/variance of each logarithm.
    var weight: Double
  }

  var observations: [Observation]
  var start: CameraParameters
  /// The inverse covariance of the parameters around `start`; `nil` for plain least squares.
  var precision: [[Double]]?

  /// The smallest response relative to D65; below it the logarithm is too steep for a Gauss–Newton
  /// step.
  private static let floor = 0.02

  /// Minimizes the cost by Gauss–Newton steps, each halved until the cost does not rise; `nil` if
  /// that does not converge, as when observations contradict each other.
  func solved() -> CameraParameters? {
    var parameters = start
    guard var current = linearized(at: parameters) else { return nil }
    for _ in 0..<100 {
      guard let factor = CholeskyFactor(current.normal) else { return nil }
      var step = factor.solve(current.gradient)
      var next = parameters
      var improved: (cost: Double, normal: [[Double]], gradient: [Double])?
      for _ in 0..<40 {
        next.values = zip(parameters.values, step).map { $0 + $1 }
        // Near the minimum the cost falls by no more than its rounding error.
        if let trial = linearized(at: next), trial.cost <= current.cost * (1 + 1e-12) + 1e-24 {
          improved = trial
          break
        }
        step = step.map { $0 / 2 }
      }
      guard let improved else { return nil }
      parameters = next
      current = improved
      if step.allSatisfy({ abs($0) < 1e-10 }) { return parameters }
    }
    return nil
  }

  private func linearized(
    at parameters: CameraParameters
  ) -> (cost: Double, normal: [[Double]], gradient: [Double])? {
    let n = CameraParameters.count
    var cost = 0.0
    var normal = precision ?? [[Double]](repeating: [Double](repeating: 0, count: n), count: n)
    var gradient = [Double](repeating: 0, count: n)
    if let precision {
      let offset = zip(parameters.values, start.values).map { $0 - $1 }
      for i in 0..<n {
        for j in 0..<n {
          gradient[i] -= precision[i][j] * offset[j]
          cost += offset[i] * precision[i][j] * offset[j]
        }
      }
    }
    for observation in observations {
      guard let value = parameters.logGains(for: observation.light, floor: Self.floor) else {
        return nil
      }
      let residual = observation.logGains - value.values
      for (lane, row) in value.jacobian.enumerated() {
        cost += observation.weight * residual[lane] * residual[lane]
        for i in 0..<n where row[i] != 0 {
          gradient[i] += observation.weight * row[i] * residual[lane]
          for j in 0...i { normal[i][j] += observation.weight * row[i] * row[j] }
        }
      }
    }
    for i in 0..<n { for j in 0..<i { normal[j][i] = normal[i][j] } }
    return (cost, normal, gradient)
  }
}
