import ColorScience
import WhiteBalance

/// The colors that a neutral surface may have in a camera under common illuminants.
///
/// The illuminants are Planckian and daylight-like, of 2300…10 000 K with |Duv| ≤ 0.03, as seen by
/// the average public camera. The difference of the camera in use from this one is unknown, as is,
/// for a balanced picture, the illuminant for which it was balanced.
struct PlausibleNeutrals {
  /// The values of ln(red/green) and ln(blue/green).
  private let logRatios: [SIMD2<Double>]
  /// The standard deviation of cameras from their average; for 28 public ones it is 0.14 in
  /// ln(red/green) and 0.10 in ln(blue/green).
  private let deviation: Double

  /// - Parameter isBalanced: `true` for a picture made for people to look at, `false` for a
  ///   sensor's raw values behind a color filter array.
  init(isBalanced: Bool) {
    let camera = CameraPrior.publicCameras.average
    func ratios(_ kelvin: Double, _ duv: Double) -> SIMD2<Double>? {
      camera.response(
        to: Chromaticity(CorrelatedColorTemperature(kelvin: kelvin, duv: duv)), lightClass: nil
      )?.logRatios
    }
    let temperatures = stride(from: 100.0, through: 435, by: 16.75).map { 1e6 / $0 }
    let lights = temperatures.flatMap { kelvin in
      [-0.03, -0.02, -0.01, 0, 0.01, 0.02, 0.03].compactMap { ratios(kelvin, $0) }
    }
    if isBalanced {
      let references = [2850.0, 4000, 5500, 7500].compactMap { ratios($0, 0) }
      logRatios = lights.flatMap { light in references.map { light - $0 } }
      deviation = 0.05
    } else {
      logRatios = lights
      deviation = 0.15
    }
  }

  /// Returns the plausibility, from 0 to 1, that a surface with these ln(red/green) and
  /// ln(blue/green) is neutral.
  func plausibility(of color: SIMD2<Double>) -> Double {
    let squares = logRatios.map { ratios in
      let distance = ratios - color
      return (distance * distance).sum()
    }
    return exponential(-(squares.min() ?? .infinity) / (2 * deviation * deviation))
  }
}
