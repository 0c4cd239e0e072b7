/// The chromaticities of black bodies in the CIE 1960 diagram, as a function of reciprocal
/// temperature.
///
/// ```swift
/// let locus = PlanckianLocus()
/// let light = locus.correlatedColorTemperature(of: Chromaticity(x: 0.3127, y: 0.3290))
///
/// // Many at once, of any floating-point type. The outputs are spans in variables of their own:
/// // `&temperature.mutableSpan` does not compile.
/// func temperatures(x: [Float], y: [Float]) -> [Float] {
///   var (temperature, tint) = (x, y)
///   var temperatureSpan = temperature.mutableSpan
///   var tintSpan = tint.mutableSpan
///   locus.temperaturesAndTints(
///     x: x.span, y: y.span, temperature: &temperatureSpan, tint: &tintSpan)
///   return temperature
/// }
/// ```
///
/// Definition: CIE 015:2018, Planck's law summed with the CIE 1931 2° functions at 1 nm from 360 to
/// 830 nm. Physical temperatures run from infinite to 500 K (0…2000 mired under
/// `RadiationConstant.cie`). Beyond both ends the locus continues along its tangent, with parallel
/// isotherms, so that every chromaticity above the locus's evolute (Duv > −0.100) has exactly one
/// temperature and Duv. <doc:LocusRepresentation> gives the reasons.
public struct PlanckianLocus: Hashable, Sendable {
  /// The radiation constant, which fixes the scale of temperatures.
  public let constant: RadiationConstant

  /// Creates the locus for a second radiation constant.
  public init(constant: RadiationConstant = .cie) {
    self.constant = constant
    scale = constant.meterKelvin / RadiationConstant.cie.meterKelvin
    inverseScale = RadiationConstant.cie.meterKelvin / constant.meterKelvin
  }

  /// The factor from mired under this constant to mired under `RadiationConstant.cie`, as in the
  /// table.
  let scale: Double
  let inverseScale: Double

  /// The reciprocal temperatures of black bodies that the locus covers, in mired: infinite
  /// temperature to 500 K.
  public var physicalRange: ClosedRange<Double> { 0...TabulatedLocus.coldEnd / scale }

  /// Returns `true` if a color temperature is that of a physical black body, not one on the
  /// tangents beyond the ends.
  public func contains(_ temperature: CorrelatedColorTemperature) -> Bool {
    physicalRange.contains(temperature.mired)
  }

  /// Returns the chromaticity at a temperature and a signed distance from the locus.
  ///
  /// Domain: any finite mired and Duv. Error: ≤ 1e-15 in x and y over 1000…100 000 K, |Duv| ≤ 0.05
  /// (`ReferenceVectorTests`). Edge cases: NaN or infinite input gives NaN. Complexity: O(1).
  public func chromaticity(of temperature: CorrelatedColorTemperature) -> Chromaticity {
    let point = LocusPoint(mired: temperature.mired * scale)
    let distance = temperature.duv / point.speed
    return Chromaticity(UCS1960(u: point.u - distance * point.dv, v: point.v + distance * point.du))
  }

  /// Returns the correlated color temperature and Duv of a chromaticity, those of the nearest point
  /// of the locus and its tangents.
  ///
  /// Domain: any chromaticity. Error: ≤ 1e-7 K and ≤ 1e-13 Duv over 1000…100 000 K, |Duv| ≤ 0.05
  /// (`ReferenceVectorTests`). Edge cases: `nil` for NaN, infinities and where u, v are singular
  /// (−2x + 12y + 3 = 0). Below the evolute there may be two normals; the nearer point is returned,
  /// and `isUnique(_:)` detects this. Complexity: O(1); O(500) for Duv below −0.09.
  public func correlatedColorTemperature(
    of chromaticity: Chromaticity
  ) -> CorrelatedColorTemperature? {
    let p = UCS1960(chromaticity)
    let quick = Self.foot(p.u, p.v, near: TabulatedLocus.guess.hint(PieceGuess.cell(p.u, p.v)))
    guard let (mired, duv) = quick.duv.isNaN ? Self.coordinates(p) : quick else { return nil }
    return CorrelatedColorTemperature(mired: mired * inverseScale, duv: duv)
  }

  /// Returns every temperature and Duv that a chromaticity has, the nearest point of the locus
  /// first: one above the evolute, two in the wedge below it, none where
  /// `correlatedColorTemperature(of:)` is `nil`.
  ///
  /// Complexity: O(500).
  public func correlatedColorTemperatures(
    of chromaticity: Chromaticity
  ) -> [CorrelatedColorTemperature] {
    let p = UCS1960(chromaticity)
    guard p.u.isFinite, p.v.isFinite else { return [] }
    var all: [CorrelatedColorTemperature] = []
    Self.forEachFoot(p.u, p.v) { mired, duv in
      guard mired.isFinite, duv.isFinite else { return }
      all.append(CorrelatedColorTemperature(mired: mired * inverseScale, duv: duv))
    }
    return all.sorted { abs($0.duv) < abs($1.duv) }
  }

  /// Returns `true` if a temperature and Duv are the only ones of their chromaticity.
  ///
  /// They are for Duv above −0.100. Below, conversions to temperature return the nearer of two
  /// points, and jump where the two are equally near.
  public func isUnique(_ temperature: CorrelatedColorTemperature) -> Bool {
    temperature.duv >= Self.monotonicAbove
      || correlatedColorTemperatures(of: chromaticity(of: temperature)).count == 1
  }

  /// Returns the derivatives of reciprocal temperature by x and y, in mired: (∂/∂x, ∂/∂y).
  ///
  /// Domain: any chromaticity that has a temperature. For the foot c of a point p, (p − c)·c′ = 0,
  /// and so ∇mired = c′/(|c′|² − (p − c)·c″), transformed from u, v to x, y. Relative error: ≤ 1e-6
  /// against differences over 1e-5 (`LocusDerivativeTests`). Edge cases: `nil` where
  /// `correlatedColorTemperature(of:)` is `nil`, and on the evolute, where the gradient is
  /// infinite. Complexity: O(1).
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

  /// Returns the locus's u and v at a reciprocal temperature, and their first and second
  /// derivatives by mired; NaN for NaN.
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
    // One unit of a piece's own variable is 2 mired.
    return (c0, c1 * (scale / 2), c2 * (scale * scale / 2))
  }

  /// The Duv below which the distances to the isotherms may not be monotonic: the locus's smallest
  /// radius of curvature is 0.1001.
  static let monotonicAbove = -0.09

  /// Returns mired and Duv by an estimate and two steps; Duv is NaN if these do not suffice.
  @inline(__always)
  private static func foot(_ u: Double, _ v: Double, near piece: Int) -> (
    mired: Double, duv: Double
  ) {
    var place = (piece: piece, t: 0.0)
    for _ in 0..<2 {
      let distances = TabulatedLocus.isotherms.distances(place.piece, u, v)
      place = PieceGuess.place(distances.x, distances.y, near: place.piece)
    }
    let (c0, c1, c2, c3, c4) = TabulatedLocus.taylor(
      TabulatedLocus.coefficients, piece: place.piece, at: place.t)
    let (eu, ev) = (u - c0.x, v - c0.y)
    let step = TabulatedLocus.step(eu: eu, ev: ev, c1.x, c1.y, c2.x, c2.y, c3.x, c3.y)
    let refined = TabulatedLocus.refined(
      step.delta, slope: step.slope, eu: eu, ev: ev, c1.x, c1.y, c2.x, c2.y, c3.x, c3.y, c4.x, c4.y)
    return TabulatedLocus.foot(
      piece: place.piece, t: place.t, delta: refined.delta, cross: refined.cross,
      length: refined.square.squareRoot())
  }

  /// Returns mired and Duv of any point, without an estimate; `nil` for a point that is not finite,
  /// and if the numbers overflow.
  static func coordinates(_ p: UCS1960) -> (mired: Double, duv: Double)? {
    let (u, v) = (p.u, p.v)
    guard u.isFinite, v.isFinite else { return nil }
    let isotherms = TabulatedLocus.isotherms
    let blue = isotherms.distance(0, u, v)
    let red = isotherms.distance(TabulatedLocus.pieceCount, u, v)
    let mired =
      blue < 0
      ? blue / TabulatedLocus.infinite.speed
      : red >= 0
        ? TabulatedLocus.coldEnd + red / TabulatedLocus.cold.speed
        : foot(u, v, piece: isotherms.piece(u, v))
    var result = (mired: mired, duv: LocusPoint(mired: mired).normalDistance(u, v))
    if !(result.duv >= monotonicAbove) {
      result.duv = -.infinity
      forEachFoot(u, v) { mired, duv in if abs(duv) < abs(result.duv) { result = (mired, duv) } }
    }
    return result.mired.isFinite && result.duv.isFinite ? result : nil
  }

  /// Calls `body` for all points of the locus whose normal passes through (u, v), by rising mired.
  private static func forEachFoot(
    _ u: Double, _ v: Double, _ body: (_ mired: Double, _ duv: Double) -> Void
  ) {
    func consider(_ mired: Double) { body(mired, LocusPoint(mired: mired).normalDistance(u, v)) }
    let isotherms = TabulatedLocus.isotherms
    var distance = isotherms.distance(0, u, v)
    if distance < 0 { consider(distance / TabulatedLocus.infinite.speed) }
    for piece in 0..<TabulatedLocus.pieceCount {
      let next = isotherms.distance(piece + 1, u, v)
      if distance >= 0, next < 0 { consider(foot(u, v, piece: piece)) }
      distance = next
    }
    if distance >= 0 { consider(TabulatedLocus.coldEnd + distance / TabulatedLocus.cold.speed) }
  }

  /// Returns the mired of the root of (p − c)·c′ in a piece, by Newton's method within a shrinking
  /// bracket, because it converges slowly near the evolute.
  private static func foot(_ u: Double, _ v: Double, piece: Int) -> Double {
    var (low, high) = (-1.0, 1.0)
    var t = 0.0
    for _ in 0..<60 {
      let (c0, c1, c2, _, _) = TabulatedLocus.taylor(
        TabulatedLocus.coefficients, piece: piece, at: t)
      let (eu, ev) = (u - c0.x, v - c0.y)
      let g = eu * c1.x + ev * c1.y
      if g >= 0 { low = t } else { high = t }
      let slope = 2 * (eu * c2.x + ev * c2.y) - (c1.x * c1.x + c1.y * c1.y)
      var next = t - g / slope
      if !(next >= low && next <= high) { next = (low + high) / 2 }
      let step = abs(next - t)
      t = next
      if step <= 1e-15 { break }
    }
    return 2 * (Double(2 * piece + 1) + t)
  }
}
