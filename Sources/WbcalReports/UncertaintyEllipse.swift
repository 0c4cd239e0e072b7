package import ColorScience
package import WhiteBalance

/// The region in which a camera's estimate of a light lies with a probability of 95 %, given the
/// uncertainty of its gains.
///
/// The covariance of the gains' logarithms is mapped to x and y by the inverse of their slopes, so
/// the ellipse is as accurate as a linear approximation over its width. Two normal coordinates lie
/// within k standard deviations with the probability 1 − exp(−k²/2).
package struct UncertaintyEllipse {
  let name: String
  let center: Chromaticity
  /// Two conjugate half-diameters, in x and y.
  private let halves: (SIMD2<Double>, SIMD2<Double>)

  /// Creates the ellipse of a light; `nil` if the camera does not respond to the light, or its
  /// gains do not distinguish x from y.
  init?(_ light: Light, lightClass: LightClass?, of calibration: Calibration) {
    let center = light.chromaticity
    guard let covariance = calibration.uncertainty.covariance(at: center, lightClass: lightClass),
      let slopes = calibration.model.logGainSlopes(at: center, lightClass: lightClass)
    else { return nil }
    guard let halves = Self.halves(covariance, slopes) else { return nil }
    self.halves = halves
    name = light.name
    self.center = center
  }

  private static func halves(
    _ covariance: GainUncertainty.Covariance, _ slopes: LogGainSlopes
  ) -> (SIMD2<Double>, SIMD2<Double>)? {
    let (red, blue) = (slopes.red, slopes.blue)
    let determinant = red.x * blue.y - red.y * blue.x
    func offset(_ error: SIMD2<Double>) -> SIMD2<Double> {
      SIMD2(blue.y * error.x - red.y * error.y, red.x * error.y - blue.x * error.x) / determinant
    }
    // The columns of Cholesky's factor are conjugate.
    let first = covariance.red.squareRoot()
    let lean = covariance.redBlue / first
    let second = (covariance.blue - lean * lean).squareRoot()
    let scale = (-2 * logarithm(0.05)).squareRoot()
    let halves = (offset(scale * SIMD2(first, lean)), offset(scale * SIMD2(0, second)))
    return (halves.0 + halves.1).sum().isFinite ? halves : nil
  }

  var outline: [Chromaticity] { Self.outline(around: center, halves) }

  private static func outline(
    around center: Chromaticity, _ halves: (SIMD2<Double>, SIMD2<Double>)
  ) -> [Chromaticity] {
    (0..<48).map { step in
      let angle = Double(step) / 24 * Double.pi
      let offset = cosine(angle) * halves.0 + sine(angle) * halves.1
      return Chromaticity(x: center.x + offset.x, y: center.y + offset.y)
    }
  }

  /// Returns the outline around an estimate whose gains have a covariance; `nil` if these do not
  /// distinguish x from y.
  package static func outline(
    around center: Chromaticity, _ covariance: GainUncertainty.Covariance, _ slopes: LogGainSlopes
  ) -> [Chromaticity]? {
    halves(covariance, slopes).map { outline(around: center, $0) }
  }

  /// Returns the ellipses of the shots' lights. One shot gives little information on other lights,
  /// so for one shot these are the ellipses of A, D50 and D65.
  static func all(of calibration: Calibration) -> [UncertaintyEllipse] {
    let lights =
      calibration.shots.count == 1
      ? ["A", "D50", "D65"].compactMap { name in
        (try? Light(named: name)).map { ($0, $0.impliedClass) }
      } : calibration.shots.map { ($0.shot.light, $0.shot.knownClass) }
    return lights.compactMap { UncertaintyEllipse($0, lightClass: $1, of: calibration) }
  }
}
