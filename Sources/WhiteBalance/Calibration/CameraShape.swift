import ColorScience

/// The distribution of the parameters of the prior's cameras: their mean, and the inverse
/// covariance of all but the two scales.
struct CameraShape: Sendable {
  let mean: CameraParameters
  /// The inverse covariance of the six parameters after the two scales.
  let precision: [[Double]]

  /// Fits each camera of the prior; `nil` if a fit fails.
  init?(_ lamps: [LampResponse]) {
    let lights = ReferenceLamps.all.map { CameraParameters.LightOffset($0.chromaticity) }
    var fitted: [[Double]] = []
    for camera in lamps[0].logGains.indices {
      let fit = CameraParameterFit(
        observations: zip(lights, lamps).map {
          .init(light: $0, logGains: $1.logGains[camera], weight: 1)
        }, start: CameraParameters(values: Self.typical))
      guard let solution = fit.solved() else { return nil }
      fitted.append(solution.values)
    }
    let count = Double(fitted.count)
    let mean = (0..<CameraParameters.count).map { i in fitted.reduce(0) { $0 + $1[i] } / count }
    let covariance = (2..<CameraParameters.count).map { i in
      (2..<CameraParameters.count).map { j -> Double in
        var sum = 0.0
        for one in fitted { sum += (one[i] - mean[i]) * (one[j] - mean[j]) }
        return sum / (count - 1)
      }
    }
    guard let factor = CholeskyFactor(covariance) else { return nil }
    self.mean = CameraParameters(values: mean)
    precision = factor.inverse
  }

  /// The parameters at which a fit without a prior starts. If their rows were equal, the equations
  /// of the fit would be singular.
  private static let typical = [0.9, 0.3, 1.4, -0.3, -0.9, 0, -0.5, 0.7]
}
