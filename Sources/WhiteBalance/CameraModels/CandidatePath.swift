import ColorScience

/// The lights that would cause a response if their reciprocal temperature were m, while a camera's
/// matrix changes linearly with m. Of this curve only the points whose temperature is m are
/// solutions.
///
/// XYZ, times the matrix's determinant, is a quadratic in m. For the locus's point c(m) and the
/// candidate's (u, v) = (4X, 6Y)/D, D = X + 15Y + 3Z, the point has the temperature m only where g
/// = (4X − D·c_u, 6Y − D·c_v)·c′ is zero. g is smooth: where the candidate is infinitely far away,
/// its quotients have poles, but g has none.
struct CandidatePath {
  private let start, width: Double
  /// The coefficients of (4X, 6Y, D) by rising power of m − start.
  private let c0, c1, c2: SIMD3<Double>

  /// Creates the path from XYZ, times the determinant, at both ends and in the middle.
  init(
    from start: Double, to end: Double, start first: SIMD3<Double>, middle: SIMD3<Double>,
    end last: SIMD3<Double>
  ) {
    func uniform(_ xyz: SIMD3<Double>) -> SIMD3<Double> {
      SIMD3(4 * xyz.x, 6 * xyz.y, xyz.x + 15 * xyz.y + 3 * xyz.z)
    }
    self.start = start
    width = end - start
    let (q0, q1, q2) = (uniform(first), uniform(middle), uniform(last))
    let bend = 2 * (q0 - 2 * q1 + q2)
    c0 = q0
    c1 = (q2 - q0 - bend) / width
    c2 = bend / (width * width)
  }

  /// g and its derivative with respect to m.
  private func value(_ mired: Double) -> (g: Double, slope: Double) {
    let m = mired - start
    let q = c0 + m * (c1 + m * c2)
    let dq = c1 + 2 * m * c2
    let (c, first, second) = PlanckianLocus().derivatives(mired: mired)
    let e = SIMD2(q.x, q.y) - q.z * c
    let de = SIMD2(dq.x, dq.y) - dq.z * c - q.z * first
    return ((e * first).sum(), (de * first + e * second).sum())
  }

  /// Returns every zero of g, by rising m.
  ///
  /// In a cell of at most 2 mired g either changes its sign, or has an extremum between two zeros,
  /// which are then found on both sides of it. The locus and the quadratic bend too little for more
  /// zeros.
  func roots() -> [Double] {
    let count = Int((width / 2).rounded(.up))
    var roots: [Double] = []
    var (a, low) = (start, value(start))
    for index in 1...count {
      let b = start + width * Double(index) / Double(count)
      let high = value(b)
      if low.g == 0 { roots.append(a) }
      if (low.g < 0) != (high.g < 0) {
        roots.append(zero(in: a...b) { value($0).g })
      } else if low.g * low.slope < 0, high.g * high.slope > 0 {
        let turn = zero(in: a...b) { value($0).slope }
        let extreme = value(turn).g
        if extreme == 0 {
          roots.append(turn)
        } else if (extreme < 0) != (low.g < 0) {
          roots.append(zero(in: a...turn) { value($0).g })
          roots.append(zero(in: turn...b) { value($0).g })
        }
      }
      (a, low) = (b, high)
    }
    if low.g == 0 { roots.append(a) }
    return roots
  }

  /// The zero of a function whose signs differ at the ends of a range, by bisection to the last
  /// bit.
  private func zero(in range: ClosedRange<Double>, of function: (Double) -> Double) -> Double {
    var (low, high) = (range.lowerBound, range.upperBound)
    let isRising = function(low) < 0
    while true {
      let middle = low + (high - low) / 2
      guard middle > low, middle < high else { return middle }
      if (function(middle) < 0) == isRising { low = middle } else { high = middle }
    }
  }
}
