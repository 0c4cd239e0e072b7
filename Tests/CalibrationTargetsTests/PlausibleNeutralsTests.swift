import ColorScience
import Testing
import WhiteBalance

@testable import CalibrationTargets

struct PlausibleNeutralsTests {
  private func color(_ kelvin: Double, _ duv: Double) throws -> SIMD2<Double> {
    let response = try #require(
      CameraPrior.publicCameras.average.response(
        to: Chromaticity(CorrelatedColorTemperature(kelvin: kelvin, duv: duv)), lightClass: nil))
    return SIMD2(
      logarithm(response.red / response.green), logarithm(response.blue / response.green))
  }

  /// The neutrals under common illuminants have a plausibility of nearly 1. A color one standard
  /// deviation beyond the corners of their field has exp(−1/2).
  @Test(arguments: [(false, 0.15), (true, 0.05)]) func corners(
    isBalanced: Bool, deviation: Double
  ) throws {
    let neutrals = PlausibleNeutrals(isBalanced: isBalanced)
    // For a picture balanced for another illuminant the field is wider by these colors.
    let (cold, warm) =
      isBalanced ? (try color(7500, 0), try color(2850, 0)) : (SIMD2.zero, SIMD2.zero)
    let middle = try color(5000, 0) - (isBalanced ? color(5000, 0) : .zero)
    for (kelvin, reference) in [(10_000.0, warm), (1e6 / 435, cold)] {
      for duv in [-0.03, 0.03] {
        let corner = try color(kelvin, duv) - reference
        #expect(neutrals.plausibility(of: corner) > 0.99)
        let way = corner - middle
        let outside = corner + deviation * way / (way * way).sum().squareRoot()
        #expect(
          abs(neutrals.plausibility(of: outside) - exponential(-0.5)) < 0.02, "\(kelvin) \(duv)")
      }
    }
    #expect(neutrals.plausibility(of: middle) > 0.9)
    #expect(neutrals.plausibility(of: SIMD2(3, 3)) < 1e-6)
  }
}
