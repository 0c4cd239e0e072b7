/// The Planckian locus under c₂ = 1.4388e-2 m·K in the CIE 1960 diagram, from
/// `PlanckianLocusTable`.
///
/// It consists of pieces of 4 mired, each a polynomial of degree 7 in t, which is −1…1 over the
/// piece. The nearest singularity is 157 mired away, so that the error is below the rounding of u
/// and v.
enum TabulatedLocus {
  static let pieceCount = 500
  static let pieceWidth = 4.0
  static let coldEnd = 2000.0

  /// Eight coefficients of (u, v) for each piece, by rising power of t.
  static let coefficients = ImmortalTable(
    (0..<pieceCount * 8).map {
      SIMD2(
        Double(bitPattern: PlanckianLocusTable.coefficients[2 * $0]),
        Double(bitPattern: PlanckianLocusTable.coefficients[2 * $0 + 1]))
    })

  static let guess = PieceGuess(Isotherms(nodes: (0...pieceCount).map(node)))
  static var isotherms: Isotherms { guess.isotherms }

  /// The point at infinite temperature, where the tangent on the blue side begins.
  static let infinite = node(0)
  /// The point at 500 K, where the tangent on the red side begins.
  static let cold = node(pieceCount)

  private static func node(_ index: Int) -> LocusPoint {
    let value = (0..<5).map { Double(bitPattern: PlanckianLocusTable.nodes[5 * index + $0]) }
    return LocusPoint(u: value[0], v: value[1], du: value[2] * value[4], dv: value[3] * value[4])
  }

  /// Returns the Taylor coefficients of (u, v) at t in a piece, up to the fourth.
  @inline(__always)
  static func taylor(
    _ coefficients: ImmortalTable<SIMD2<Double>>, piece: Int, at t: Double
  ) -> (SIMD2<Double>, SIMD2<Double>, SIMD2<Double>, SIMD2<Double>, SIMD2<Double>) {
    let first = 8 * piece
    let t = SIMD2(repeating: t)
    var (c0, c1, c2) = (coefficients[first], coefficients[first + 1], coefficients[first + 2])
    var (c3, c4, c5) = (coefficients[first + 3], coefficients[first + 4], coefficients[first + 5])
    var c6 = coefficients[first + 6]
    let c7 = coefficients[first + 7]
    // Synthetic division, once for each coefficient.
    c6 += t * c7
    c5 += t * c6
    c4 += t * c5
    c3 += t * c4
    c2 += t * c3
    c1 += t * c2
    c0 += t * c1
    c6 += t * c7
    c5 += t * c6
    c4 += t * c5
    c3 += t * c4
    c2 += t * c3
    c1 += t * c2
    c6 += t * c7
    c5 += t * c6
    c4 += t * c5
    c3 += t * c4
    c2 += t * c3
    c6 += t * c7
    c5 += t * c6
    c4 += t * c5
    c3 += t * c4
    c6 += t * c7
    c5 += t * c6
    c4 += t * c5
    return (c0, c1, c2, c3, c4)
  }

  /// Takes one step of Halley's method towards the root of g = (p − c)·c′, from the point of the
  /// Taylor coefficients (a, b) of c, and returns it with the slope of g at its end.
  ///
  /// It takes scalars, like the next function, so that loops over it are vectorized. The two are
  /// separate so that a processor that waits for one point's step can work on the next point's.
  @inline(__always)
  static func step(
    eu: Double, ev: Double, _ a1: Double, _ b1: Double, _ a2: Double, _ b2: Double, _ a3: Double,
    _ b3: Double
  ) -> (delta: Double, slope: Double) {
    let g0 = eu * a1 + ev * b1
    let g1 = 2 * (eu * a2 + ev * b2) - (a1 * a1 + b1 * b1)
    let g2 = 3 * (eu * a3 + ev * b3 - (a1 * a2 + b1 * b2))
    let inverse = 1 / g1
    let step = g0 * inverse
    let delta = -(step * (1 + step * g2 * inverse))
    return (delta, g1 + 2 * (delta * g2))
  }

  /// Takes one step of Newton's method from there, on the quartic itself. Returns δ, and
  /// r·normal·|τ| and |τ|² of the same residual r; the quotient of the former and |τ| is Duv.
  @inline(__always)
  static func refined(
    _ delta: Double, slope: Double, eu: Double, ev: Double, _ a1: Double, _ b1: Double,
    _ a2: Double, _ b2: Double, _ a3: Double, _ b3: Double, _ a4: Double, _ b4: Double
  ) -> (delta: Double, cross: Double, square: Double) {
    let inverse = 1 / slope
    let ru = eu - delta * (a1 + delta * (a2 + delta * (a3 + delta * a4)))
    let rv = ev - delta * (b1 + delta * (b2 + delta * (b3 + delta * b4)))
    let tu = a1 + delta * (2 * a2 + delta * (3 * a3 + delta * (4 * a4)))
    let tv = b1 + delta * (2 * b2 + delta * (3 * b3 + delta * (4 * b4)))
    let correction = (ru * tu + rv * tv) * inverse
    return (delta - correction, tu * rv - tv * ru, tu * tu + tv * tv)
  }

  /// Returns mired and Duv from these. Duv is NaN if another method must be used: the steps began
  /// too far away for the quartic, or the foot is outside the piece, beyond an end, or one of
  /// several.
  @inline(__always)
  static func foot(
    piece: Int, t: Double, delta: Double, cross: Double, length: Double
  ) -> (mired: Double, duv: Double) {
    let place = t + delta
    let mired = 2 * (2 * PieceGuess.number(piece) + 1 + place)
    var duv = cross / length
    // These are separate and not joined by &&, which would make branches.
    duv = abs(delta) <= 0.02 ? duv : .nan
    duv = abs(place) <= 1.1 ? duv : .nan
    duv = mired >= 0 ? duv : .nan
    duv = mired <= coldEnd ? duv : .nan
    duv = duv >= PlanckianLocus.monotonicAbove ? duv : .nan
    return (mired, duv <= 1 ? duv : .nan)
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
    let t = SIMD2(repeating: m / 2 - Double(2 * piece + 1))
    let first = 8 * piece
    var value = TabulatedLocus.coefficients[first + 7]
    var slope = SIMD2<Double>.zero
    for power in stride(from: 6, through: 0, by: -1) {
      slope = slope * t + value
      value = value * t + TabulatedLocus.coefficients[first + power]
    }
    self.init(u: value.x, v: value.y, du: slope.x / 2, dv: slope.y / 2)
  }

  var speed: Double { (du * du + dv * dv).squareRoot() }

  /// Returns the distance of (pu, pv) from the locus along this point's isotherm, positive towards
  /// +v (green).
  func normalDistance(_ pu: Double, _ pv: Double) -> Double {
    ((pv - v) * du - (pu - u) * dv) / speed
  }
}
