import ColorScience
import WhiteBalance

/// How a neutral surface may look to a camera under the lights that people see by.
///
/// The lights are Planckian and daylight-like ones of 2300…10 000 K with |Duv| ≤ 0.03, seen by the
/// average public camera. How the camera at hand differs from that one is unknown; so is, for a
/// picture that has been balanced, the light that it was balanced for.
struct PlausibleNeutrals {
  /// ln(red/green) and ln(blue/green).
  private let logRatios: [SIMD2<Double>]
  /// The standard deviation of cameras from their average: that of 28 public ones is 0.14 in
  /// ln(red/green) and 0.10 in ln(blue/green).
  private let deviation: Double

  /// - Parameter isBalanced: whether the picture was made for people to look at, instead of being
  ///   a sensor's raw numbers from under a color filter array.
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

  /// How plausible it is, from 0 to 1, that a surface is neutral whose ln(red/green) and
  /// ln(blue/green) are these.
  func plausibility(of color: SIMD2<Double>) -> Double {
    let squares = logRatios.map { ratios in
      let distance = ratios - color
      return (distance * distance).sum()
    }
    return exponential(-(squares.min() ?? .infinity) / (2 * deviation * deviation))
  }
}
