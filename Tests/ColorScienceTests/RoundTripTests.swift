import ColorScience
import Foundation
import Testing
import WhiteBalanceTestSupport

struct RoundTripTests {
  /// The number of points; `make soak` sets ten million.
  static let count =
    ProcessInfo.processInfo.environment["WBCAL_SOAK_POINTS"].flatMap { Int($0) } ?? 100_000

  /// Every chromaticity above the evolute is recovered: mired over −500…4000, Duv over −0.0999…0.2,
  /// and x, y not so far away that u, v no longer resolve them.
  @Test func everyPointAboveTheEvolute() {
    var random = SeededRandom(seed: 20)
    let locus = PlanckianLocus()
    let block = 10_000
    var (worst, used) = (0.0, 0)
    var (x, y) = ([Double](), [Double]())
    for start in stride(from: 0, to: Self.count, by: block) {
      (x, y) = ([], [])
      while x.count < min(block, Self.count - start) {
        let xy = Chromaticity(
          CorrelatedColorTemperature(
            mired: .random(in: -500...4000, using: &random),
            duv: .random(in: -0.0999...0.2, using: &random)))
        guard max(abs(xy.x), abs(xy.y)) <= 2 else { continue }
        x.append(xy.x)
        y.append(xy.y)
      }
      var mired = x
      var duv = x
      var (backX, backY) = (x, x)
      convert(x, y, &mired, &duv) {
        locus.correlatedColorTemperatures(x: $0, y: $1, mired: &$2, duv: &$3)
      }
      convert(mired, duv, &backX, &backY) {
        locus.chromaticities(mired: $0, duv: $1, x: &$2, y: &$3)
      }
      for index in x.indices {
        let error = max(abs(backX[index] - x[index]), abs(backY[index] - y[index]))
        worst = error <= worst ? worst : error
        used += 1
      }
    }
    #expect(used == Self.count)
    #expect(worst <= 1e-14)
  }

  private func convert(
    _ a: [Double], _ b: [Double], _ c: inout [Double], _ d: inout [Double],
    _ body: (Span<Double>, Span<Double>, inout MutableSpan<Double>, inout MutableSpan<Double>) ->
      Void
  ) {
    var first = c.mutableSpan
    var second = d.mutableSpan
    body(a.span, b.span, &first, &second)
  }

  /// Temperature and tint continue with the same slope across both ends, and across the ends of
  /// pieces.
  @Test(arguments: [0, 4, 192, 196, 1996, 2000.0])
  func continuous(mired: Double) throws {
    for duv in [-0.08, -0.03, 0, 0.05, 0.2] {
      let steps = try (-50...50).map { step -> CorrelatedColorTemperature in
        let input = CorrelatedColorTemperature(
          mired: mired + Double(step) * 1e-6, duv: duv + Double(step) * 1e-9)
        return try #require(CorrelatedColorTemperature(Chromaticity(input)))
      }
      for (before, after) in zip(steps, steps.dropFirst()) {
        #expect(abs(after.mired - before.mired - 1e-6) <= 2e-10)
        #expect(abs(after.duv - before.duv - 1e-9) <= 1e-14)
      }
    }
  }
}
