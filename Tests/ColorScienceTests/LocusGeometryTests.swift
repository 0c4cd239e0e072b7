import ColorScience
import Testing
import WhiteBalanceTestSupport

/// Tests of the figures in the article on the locus.
struct LocusGeometryTests {
  /// A point of the locus in u, v and the unit normal towards green.
  private static func point(_ mired: Double) -> (p: SIMD2<Double>, normal: SIMD2<Double>) {
    func uv(_ duv: Double) -> SIMD2<Double> {
      let p = UCS1960(Chromaticity(CorrelatedColorTemperature(mired: mired, duv: duv)))
      return SIMD2(p.u, p.v)
    }
    return (uv(0), (uv(0.1) - uv(-0.1)) / 0.2)
  }

  private static func radius(_ mired: Double) -> Double {
    let (a, b) = (point(mired - 0.5), point(mired + 0.5))
    let step = b.p - a.p
    let turn = a.normal.x * b.normal.y - a.normal.y * b.normal.x
    return -(step * step).sum().squareRoot() / turn
  }

  /// The evolute is nearest to the locus at 5192 K, 0.1001 below it.
  @Test func leastRadiusOfCurvature() throws {
    let radii = stride(from: 1.0, to: 1999, by: 0.1).map { (mired: $0, radius: Self.radius($0)) }
    #expect(radii.allSatisfy { $0.radius > 0 })
    let least = try #require(radii.min { $0.radius < $1.radius })
    #expect(abs(least.radius - 0.100093) <= 1e-6)
    #expect(abs(least.mired - 192.6) <= 0.15)
  }

  /// The locus turns downwards at 1626 K, where its isotherm is vertical and has no slope.
  @Test func verticalIsotherm() {
    let (before, at, after) = (Self.point(615.0), Self.point(615.09), Self.point(615.2))
    #expect(before.normal.x < 0 && abs(at.normal.x) < 1e-5 && after.normal.x > 0)
    #expect(at.normal.y > 0.99999)
  }

  /// Rounding x and y to `Double` costs this precision: the error of 1e-16 in u, v, divided by the
  /// speed of the locus.
  @Test func precisionFloor() throws {
    var random = SeededRandom(seed: 5)
    var (worst, nearInfinite) = (0.0, 0.0)
    for index in 0..<20_000 {
      let mired = index % 2 == 0 ? Double.random(in: 0...500, using: &random) : 0.01
      let input = CorrelatedColorTemperature(
        mired: mired, duv: .random(in: -0.05...0.05, using: &random))
      let found = try #require(CorrelatedColorTemperature(Chromaticity(input)))
      let error = abs(found.mired - mired)
      if index % 2 == 0 {
        worst = max(worst, error)
      } else {
        nearInfinite = max(nearInfinite, error)
      }
    }
    #expect(worst <= 1e-12)
    #expect(nearInfinite <= 1e-12)
  }

  /// By Planck's law the locus at negative temperatures ends in the chromaticity of λ⁻⁵, as do its
  /// isotherms.
  @Test func negativeTemperaturesByPlanck() {
    func uv(_ mired: Double) -> UCS1960 {
      UCS1960(Chromaticity(SpectralDistribution.planckian(kelvin: 1e6 / mired).xyz))
    }
    let end = Chromaticity(SpectralDistribution.planckian(kelvin: -1000).xyz)
    #expect(abs(end.x - 0.2226) <= 5e-5 && abs(end.y - 0.2085) <= 5e-5)
    let (start, far, further) = (uv(-1e-9), uv(-400), uv(-800))
    #expect(abs(far.u - start.u) < 0.02 && abs(far.v - start.v) < 0.02)
    #expect(abs(further.u - far.u) < 1e-5 && abs(further.v - far.v) < 1e-5)
  }
}
