extension PlanckianLocus {
  /// How fast reciprocal temperature changes with x and y, in mired: (∂/∂x, ∂/∂y).
  ///
  /// Domain: any chromaticity that has a temperature. For the foot c of a point p, (p − c)·c′ = 0,
  /// and so ∇mired = c′/(|c′|² − (p − c)·c″), carried from u, v to x, y. Error: ≤ 1e-6 of itself
  /// against differences over 1e-5 (`LocusDerivativeTests`). Edge cases: `nil` where
  /// `correlatedColorTemperature(of:)` is, and on the evolute, where it is infinite. Complexity:
  /// O(1).
  public func miredGradient(at chromaticity: Chromaticity) -> SIMD2<Double>? {
    guard let mired = correlatedColorTemperature(of: chromaticity)?.mired else { return nil }
    let p = UCS1960(chromaticity)
    let (c, first, second) = derivatives(mired: mired)
    let towards = (first * first - (SIMD2(p.u, p.v) - c) * second).sum()
    let (byU, byV) = (first.x / towards, first.y / towards)
    let (x, y, sum) = (chromaticity.x, chromaticity.y, chromaticity.uniformSum)
    let gradient =
      SIMD2(byU * (48 * y + 12) + byV * 12 * y, byV * (18 - 12 * x) - byU * 48 * x) / (sum * sum)
    return gradient.x.isFinite && gradient.y.isFinite ? gradient : nil
  }

  /// The locus's u and v at a reciprocal temperature, and their first and second derivatives by
  /// mired; NaN for NaN.
  package func derivatives(
    mired: Double
  ) -> (point: SIMD2<Double>, first: SIMD2<Double>, second: SIMD2<Double>) {
    let m = mired * scale
    guard m >= 0, m < TabulatedLocus.coldEnd else {
      let end = LocusPoint(mired: m)
      return (SIMD2(end.u, end.v), SIMD2(end.du, end.dv) * scale, .zero)
    }
    let piece = Int(m / TabulatedLocus.pieceWidth)
    let (c0, c1, c2, _, _) = TabulatedLocus.taylor(
      TabulatedLocus.coefficients, piece: piece, at: m / 2 - Double(2 * piece + 1))
    // A piece's own variable runs half as fast as mired.
    return (c0, c1 * (scale / 2), c2 * (scale * scale / 2))
  }
}
