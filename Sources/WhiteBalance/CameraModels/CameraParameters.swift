import ColorScience

/// A camera model as eight numbers in which measured cameras are nearly normally distributed.
///
/// Row i of the matrix is (aᵢ, (1 − aᵢXw − cᵢZw)/Yw, cᵢ), so that the response to D65, W, is 1 in
/// every channel; red and blue are then divided by e to the power of their log gains under D65.
/// The order is: log gain of red, of blue, then a and c of red, green, blue.
struct CameraParameters: Hashable, Sendable {
  static let count = 8
  var values: [Double]

  private static let white = XYZ(StandardIlluminant.d65.chromaticity)

  /// What a light differs by from D65, in X and Z at Y = 1: all that the model depends on.
  struct LightOffset {
    var x, z: Double

    init(_ light: Chromaticity) {
      let xyz = XYZ(light)
      x = xyz.x - white.x
      z = xyz.z - white.z
    }
  }

  /// The response to a light, relative to that to D65, before the gains.
  func relativeResponse(to light: LightOffset) -> SIMD3<Double> {
    1 + light.x * SIMD3(values[2], values[4], values[6])
      + light.z * SIMD3(values[3], values[5], values[7])
  }

  /// ln(green/red) and ln(green/blue) of the response to a light, and their derivatives by the
  /// eight parameters; `nil` where a channel is below `floor`.
  func logGains(
    for light: LightOffset, floor: Double
  ) -> (red: Double, blue: Double, jacobian: [[Double]])? {
    let q = relativeResponse(to: light)
    guard q.min() >= floor else { return nil }
    let (dr, dg, db) = (1 / q.x, 1 / q.y, 1 / q.z)
    return (
      values[0] + logarithm(q.y / q.x), values[1] + logarithm(q.y / q.z),
      [
        [1, 0, -light.x * dr, -light.z * dr, light.x * dg, light.z * dg, 0, 0],
        [0, 1, 0, 0, light.x * dg, light.z * dg, -light.x * db, -light.z * db],
      ]
    )
  }

  /// The same camera as a matrix and the diagonal by which it differs from `average`.
  func model(relativeTo average: CameraParameters) throws(CameraModelError) -> MatrixCameraModel {
    func row(_ a: Double, _ c: Double, logGain: Double) -> SIMD3<Double> {
      exponential(-logGain) * SIMD3(a, 1 - a * Self.white.x - c * Self.white.z, c)
    }
    return try MatrixCameraModel(
      matrix: Matrix3x3(
        row(values[2], values[3], logGain: average.values[0]),
        row(values[4], values[5], logGain: 0),
        row(values[6], values[7], logGain: average.values[1])),
      unitCalibration: LinearRGB(
        red: exponential(average.values[0] - values[0]), green: 1,
        blue: exponential(average.values[1] - values[1])))
  }
}

/// Least squares for a camera's parameters, with or without a prior.
struct CameraParameterFit {
  /// A light, and the logarithms of the red and blue gain under it.
  struct Observation {
    var light: CameraParameters.LightOffset
    var logGains: SIMD2<Double>
    /// 1/variance of a logarithm.
    var weight: Double
  }

  var observations: [Observation]
  var start: CameraParameters
  /// The inverse covariance of the parameters around `start`; `nil` for plain least squares.
  var precision: [[Double]]?

  /// Below this share of the response to D65 the logarithm is too steep to step from.
  private static let floor = 0.02

  /// Gauss–Newton with halved steps where the cost would rise; `nil` if it does not settle, as with
  /// observations that contradict each other.
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
        // Near the minimum the cost no longer falls by more than its own rounding.
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
      let residual = observation.logGains - SIMD2(value.red, value.blue)
      for (lane, row) in value.jacobian.enumerated() {
        cost += observation.weight * residual[lane] * residual[lane]
        for i in 0..<n where row[i] != 0 {
          gradient[i] += observation.weight * row[i] * residual[lane]
          for j in 0...i { normal[i][j] += observation.weight * row[i] * row[j] }
        }
      }
    }
    for i in 0..<n {
      for j in 0..<i { normal[j][i] = normal[i][j] }
    }
    return (cost, normal, gradient)
  }
}
