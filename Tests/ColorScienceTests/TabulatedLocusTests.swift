import Testing

@testable import ColorScience

struct TabulatedLocusTests {
  /// The Taylor coefficients at other points equal those by the binomial theorem.
  @Test(arguments: [0, 48, 250, 499]) func taylorCoefficients(piece: Int) {
    let own = (0..<8).map { TabulatedLocus.coefficients[8 * piece + $0] }
    for t in [-1, -0.6, 0, 0.3, 1.1] as [Double] {
      let (c0, c1, c2, c3, c4) = TabulatedLocus.taylor(
        TabulatedLocus.coefficients, piece: piece, at: t)
      for (order, found) in [c0, c1, c2, c3, c4].enumerated() {
        var (expected, scale) = (SIMD2<Double>.zero, 0.0)
        for power in order..<8 {
          let choices = (0..<order).reduce(1.0) { $0 * Double(power - $1) / Double($1 + 1) }
          let term = choices * (0..<power - order).reduce(own[power]) { product, _ in product * t }
          expected += term
          scale += abs(term.x) + abs(term.y)
        }
        let error = found - expected
        #expect(max(abs(error.x), abs(error.y)) <= 1e-14 * scale, "order \(order) at \(t)")
      }
    }
  }
}
