/// The Planckian locus under c₂ = 1.4388e-2 m·K in the CIE 1960 diagram, from `PlanckianLocusTable`.
///
/// Pieces of 8 mired, polynomials of degree 8 in t, −1…1 over the piece: the nearest singularity is 157
/// mired away, so that their error is below the rounding of u and v.
enum TabulatedLocus {
  static let pieceCount = 250
  static let pieceWidth = 8.0
  static let coldEnd = 2000.0

  /// Nine coefficients of (u, v) a piece, by rising power of t.
  static let coefficients = ImmortalTable(
    (0..<pieceCount * 9).map {
      SIMD2(
        Double(bitPattern: PlanckianLocusTable.coefficients[2 * $0]),
        Double(bitPattern: PlanckianLocusTable.coefficients[2 * $0 + 1]))
    })

  /// The normal through an end of a piece: how far a point lies behind it along the locus is
  /// u·tangentU + v·tangentV − offset.
  struct Isotherm: BitwiseCopyable {
    var tangentU, tangentV, offset: Double

    func distance(_ u: Double, _ v: Double) -> Double { u * tangentU + v * tangentV - offset }
  }

  /// The isotherms at 0, 8 … 2048 mired; those beyond the cold end belong to its tangent.
  static let isotherms = ImmortalTable(
    (0...256).map { index -> Isotherm in
      let point = node(min(index, pieceCount))
      let beyond = Double(max(0, index - pieceCount)) * pieceWidth * point.speed
      let tangent = SIMD2(point.du, point.dv) / point.speed
      return Isotherm(
        tangentU: tangent.x, tangentV: tangent.y,
        offset: point.u * tangent.x + point.v * tangent.y + beyond)
    })

  /// Infinite temperature, where the tangent to the blue side begins.
  static let infinite = node(0)
  /// 500 K, where the tangent to the red side begins.
  static let cold = node(pieceCount)

  private static func node(_ index: Int) -> LocusPoint {
    let value = (0..<5).map { Double(bitPattern: PlanckianLocusTable.nodes[5 * index + $0]) }
    return LocusPoint(
      u: value[0], v: value[1], du: value[2] * value[4], dv: value[3] * value[4])
  }

  /// The piece whose isotherms have a point between them, by halving.
  ///
  /// Above the evolute the distances to the isotherms fall monotonically, so that there is one.
  @inline(__always)
  static func piece(_ u: Double, _ v: Double) -> Int {
    var index = 0
    var step = 128
    while step > 0 {
      index = advanced(index, by: step, isotherms, u, v)
      step >>= 1
    }
    return min(index, pieceCount - 1)
  }

  /// The index `step` further on, if a point lies behind the isotherm there, else the same.
  ///
  /// By the sign's bit: a branch would be guessed wrong half the time, and the compiler makes one of a
  /// comparison.
  @inline(__always)
  static func advanced(
    _ index: Int, by step: Int, _ isotherms: ImmortalTable<Isotherm>, _ u: Double, _ v: Double
  ) -> Int {
    let next = index &+ step
    let sign = Int64(bitPattern: isotherms[next].distance(u, v).bitPattern) >> 63
    return next &- (step & Int(truncatingIfNeeded: sign))
  }

  /// Where the foot of the normal lies in a piece, if the locus were straight.
  @inline(__always)
  static func seed(_ u: Double, _ v: Double, piece: Int) -> Double {
    let before = isotherms[piece].distance(u, v)
    let after = isotherms[piece + 1].distance(u, v)
    return 2 * (before / (before - after)) - 1
  }

  /// The Taylor coefficients of (u, v) at t in a piece, up to the fourth.
  @inline(__always)
  static func taylor(
    _ coefficients: ImmortalTable<SIMD2<Double>>, piece: Int, at t: Double
  ) -> (SIMD2<Double>, SIMD2<Double>, SIMD2<Double>, SIMD2<Double>, SIMD2<Double>) {
    let first = 9 * piece
    let t = SIMD2(repeating: t)
    var (c0, c1, c2) = (coefficients[first], coefficients[first + 1], coefficients[first + 2])
    var (c3, c4, c5) = (coefficients[first + 3], coefficients[first + 4], coefficients[first + 5])
    var (c6, c7) = (coefficients[first + 6], coefficients[first + 7])
    let c8 = coefficients[first + 8]
    // Synthetic division, once for each coefficient.
    c7 += t * c8
    c6 += t * c7
    c5 += t * c6
    c4 += t * c5
    c3 += t * c4
    c2 += t * c3
    c1 += t * c2
    c0 += t * c1
    c7 += t * c8
    c6 += t * c7
    c5 += t * c6
    c4 += t * c5
    c3 += t * c4
    c2 += t * c3
    c1 += t * c2
    c7 += t * c8
    c6 += t * c7
    c5 += t * c6
    c4 += t * c5
    c3 += t * c4
    c2 += t * c3
    c7 += t * c8
    c6 += t * c7
    c5 += t * c6
    c4 += t * c5
    c3 += t * c4
    c7 += t * c8
    c6 += t * c7
    c5 += t * c6
    c4 += t * c5
    return (c0, c1, c2, c3, c4)
  }

  /// The foot of the normal through a point: δ in t from where the Taylor coefficients (a, b) were
  /// taken, and Duv.
  ///
  /// One step of Halley's kind on (p − c)·c′ and one of Newton's on the quartic itself; the distance
  /// comes from the same residual. Scalar, so that a loop over it is vectorized.
  @inline(__always)
  static func foot(
    eu: Double, ev: Double, _ a1: Double, _ b1: Double, _ a2: Double, _ b2: Double, _ a3: Double,
    _ b3: Double, _ a4: Double, _ b4: Double
  ) -> (delta: Double, duv: Double) {
    let g0 = eu * a1 + ev * b1
    let g1 = 2 * (eu * a2 + ev * b2) - (a1 * a1 + b1 * b1)
    let g2 = 3 * (eu * a3 + ev * b3 - (a1 * a2 + b1 * b2))
    let inverse = 1 / g1
    let step = g0 * inverse
    var delta = -(step * (1 + step * g2 * inverse))
    let ru3 = a3 + delta * a4
    let rv3 = b3 + delta * b4
    let ru2 = a2 + delta * ru3
    let rv2 = b2 + delta * rv3
    var ru = eu - delta * (a1 + delta * ru2)
    var rv = ev - delta * (b1 + delta * rv2)
    let tu3 = 3 * a3 + delta * (4 * a4)
    let tv3 = 3 * b3 + delta * (4 * b4)
    let tu = a1 + delta * (2 * a2 + delta * tu3)
    let tv = b1 + delta * (2 * b2 + delta * tv3)
    let square = tu * tu + tv * tv
    let curvature = ru * (a2 + 3 * delta * a3) + rv * (b2 + 3 * delta * b3)
    let correction = (ru * tu + rv * tv) / (2 * curvature - square)
    delta -= correction
    ru += correction * tu
    rv += correction * tv
    return (delta, (tu * rv - tv * ru) / square.squareRoot())
  }
}

/// A point of the locus or of the tangents beyond its ends, with its derivatives by mired.
struct LocusPoint: Sendable {
  var u, v, du, dv: Double

  init(u: Double, v: Double, du: Double, dv: Double) {
    (self.u, self.v, self.du, self.dv) = (u, v, du, dv)
  }

  /// The point at a reciprocal temperature; NaN gives NaN.
  @inline(__always)
  init(mired m: Double) {
    guard m >= 0, m <= TabulatedLocus.coldEnd else {
      let end = m < 0 ? TabulatedLocus.infinite : TabulatedLocus.cold
      let distance = m < 0 ? m : m - TabulatedLocus.coldEnd
      self.init(u: end.u + distance * end.du, v: end.v + distance * end.dv, du: end.du, dv: end.dv)
      return
    }
    let piece = min(Int(m / TabulatedLocus.pieceWidth), TabulatedLocus.pieceCount - 1)
    let t = SIMD2(repeating: m / 4 - Double(2 * piece + 1))
    let first = 9 * piece
    var value = TabulatedLocus.coefficients[first + 8]
    var slope = SIMD2<Double>.zero
    for power in stride(from: 7, through: 0, by: -1) {
      slope = slope * t + value
      value = value * t + TabulatedLocus.coefficients[first + power]
    }
    self.init(u: value.x, v: value.y, du: slope.x / 4, dv: slope.y / 4)
  }

  var speed: Double { (du * du + dv * dv).squareRoot() }

  /// How far a point lies behind this point's isotherm, along the locus.
  func tangentDistance(_ pu: Double, _ pv: Double) -> Double {
    ((pu - u) * du + (pv - v) * dv) / speed
  }

  /// How far a point lies from the locus along this point's isotherm, positive towards +v (green).
  func normalDistance(_ pu: Double, _ pv: Double) -> Double {
    ((pv - v) * du - (pu - u) * dv) / speed
  }
}
