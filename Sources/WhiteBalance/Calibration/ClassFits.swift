import ColorScience

/// Fits one matrix for each class of light, and one for any light, to gains known under all
/// reference lamps.
///
/// A common matrix for thermal light and daylight is fitted first. The matrices of thermal light,
/// daylight, LEDs and fluorescent lamps are regularized towards it. The matrices for other lamps
/// and for any light are weighted fits over several technologies, regularized towards the mean
/// camera. The weights were chosen by the errors that `make evaluate` prints.
enum ClassFits {
  /// The standard deviation of a matrix's residuals, in the logarithm of a gain.
  private static let deviation = 0.02

  /// Fits the matrices; `nil` if a fit does not converge.
  static func model(_ logGains: [SIMD2<Double>], shape: CameraShape) -> ClassifiedCameraModel? {
    func fit(
      _ weights: [LampTechnology: Double], each: Bool, near start: CameraParameters,
      precision: [[Double]]
    ) -> CameraParameters? {
      let observations = ReferenceLamps.all.indices.compactMap { index in
        weights[ReferenceLamps.all[index].technology].map { weight in
          CameraParameterFit.Observation(
            light: lights[index], logGains: logGains[index],
            weight: weight / (each ? 1 : counts[ReferenceLamps.all[index].technology, default: 1])
              / (deviation * deviation))
        }
      }
      return CameraParameterFit(observations: observations, start: start, precision: precision)
        .solved()
    }
    func diagonal(scales: Double, shape: Double) -> [[Double]] {
      (0..<CameraParameters.count).map { i in
        (0..<CameraParameters.count).map { i == $0 ? (i < 2 ? scales : shape) : 0 }
      }
    }
    var loose = diagonal(scales: 1e-6, shape: 0)
    for i in shape.precision.indices {
      for j in shape.precision.indices { loose[i + 2][j + 2] = 0.02 * shape.precision[i][j] }
    }
    guard
      let natural = fit(
        [.thermal: 1, .daylight: 1], each: true, near: shape.mean, precision: loose),
      let general = fit(
        [
          .thermal: 10, .daylight: 10, .ciePhosphorLED: 30, .fluorescent: 20, .discharge: 20,
          .mixedLED: 3,
        ], each: false, near: shape.mean, precision: loose),
      let other = fit(
        [
          .thermal: 7, .daylight: 7, .ciePhosphorLED: 25, .fluorescent: 22, .discharge: 25,
          .mixedLED: 5,
        ], each: false, near: shape.mean, precision: loose)
    else { return nil }
    let classes: [(LightClass, LampTechnology, Double)] = [
      (.thermal, .thermal, 100), (.daylight, .daylight, 100), (.led, .ciePhosphorLED, 10),
      (.fluorescent, .fluorescent, 1),
    ]
    var fitted: [LightClass: CameraParameters] = [.other: other]
    for (lightClass, technology, hold) in classes {
      fitted[lightClass] = fit(
        [technology: 1], each: true, near: natural, precision: diagonal(scales: 0.1, shape: hold))
    }
    func model(_ parameters: CameraParameters) -> MatrixCameraModel? {
      try? parameters.model(relativeTo: shape.mean)
    }
    guard fitted.count == LightClass.allCases.count, let general = model(general) else {
      return nil
    }
    let byClass = fitted.compactMapValues(model)
    guard byClass.count == fitted.count else { return nil }
    return ClassifiedCameraModel(general: general, byClass: byClass)
  }

  private static let lights = ReferenceLamps.all.map {
    CameraParameters.LightOffset($0.chromaticity)
  }
  private static let counts = ReferenceLamps.all.reduce(into: [LampTechnology: Double]()) {
    $0[$1.technology, default: 0] += 1
  }
}
