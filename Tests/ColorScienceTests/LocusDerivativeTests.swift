import ColorScience
import Testing

struct LocusDerivativeTests {
  /// The gradient equals differences over 1e-5 in x and y, on both sides of both ends of the locus.
  @Test(arguments: [RadiationConstant.cie, .codata2018])
  func gradientIsThatOfTheConversion(constant: RadiationConstant) throws {
    let locus = PlanckianLocus(constant: constant)
    func mired(_ x: Double, _ y: Double) throws -> Double {
      try #require(locus.correlatedColorTemperature(of: Chromaticity(x: x, y: y))).mired
    }
    for start in stride(from: -41.0, to: 2200, by: 17) {
      for duv in [-0.05, -0.01, 0, 0.02, 0.05] {
        let xy = locus.chromaticity(of: CorrelatedColorTemperature(mired: start, duv: duv))
        let gradient = try #require(locus.miredGradient(at: xy))
        let byX = try (mired(xy.x + 1e-5, xy.y) - mired(xy.x - 1e-5, xy.y)) / 2e-5
        let byY = try (mired(xy.x, xy.y + 1e-5) - mired(xy.x, xy.y - 1e-5)) / 2e-5
        let size = (gradient * gradient).sum().squareRoot()
        #expect(abs(gradient.x - byX) <= 1e-6 * size)
        #expect(abs(gradient.y - byY) <= 1e-6 * size)
      }
    }
  }

  /// Redder light has the higher reciprocal temperature.
  @Test func sign() throws {
    let gradient = try #require(
      PlanckianLocus().miredGradient(at: StandardIlluminant.d65.chromaticity))
    #expect(gradient.x > 0)
  }

  @Test func noAnswerIsNil() {
    let locus = PlanckianLocus()
    #expect(locus.miredGradient(at: Chromaticity(x: .nan, y: 0.3)) == nil)
    #expect(locus.miredGradient(at: Chromaticity(x: 0.3, y: .infinity)) == nil)
    // At this point u and v are singular.
    #expect(locus.miredGradient(at: Chromaticity(x: 1.5, y: 0)) == nil)
  }
}
