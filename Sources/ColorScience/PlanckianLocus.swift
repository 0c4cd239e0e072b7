/// The chromaticities of black bodies, in the CIE 1960 diagram, as a function of reciprocal
/// temperature.
///
/// Definition: CIE 015:2018, Planck's law summed with the CIE 1931 2° functions at 1 nm from 360
/// to 830 nm. Reciprocal temperature is the parameter, because in it the locus is smooth up to and
/// through infinite temperature. Physical temperatures run from infinite to 500 K (0…2000 mired under
/// `RadiationConstant.cie`). Beyond both ends the locus goes on along its tangent, with parallel
/// isotherms, so that every chromaticity above the locus's evolute (Duv > −0.100) has exactly one
/// temperature and Duv. Both ends are fixed points of the curve, so that another constant rescales
/// temperature and nothing else.
///
/// The locus is tabulated (`TabulatedLocus`) from the definition in twice the precision of `Double`.
public struct PlanckianLocus: Hashable, Sendable {
  /// The scale of temperatures.
  public let constant: RadiationConstant

  /// The locus under a second radiation constant.
  public init(constant: RadiationConstant = .cie) {
    self.constant = constant
    scale = constant.meterKelvin / RadiationConstant.cie.meterKelvin
    inverseScale = RadiationConstant.cie.meterKelvin / constant.meterKelvin
  }

  /// From mired under this constant to mired under `RadiationConstant.cie`, those of the table.
  let scale: Double
  let inverseScale: Double

  /// Reciprocal temperatures of physical light, in mired: infinite temperature to 500 K.
  public var physicalRange: ClosedRange<Double> { 0...TabulatedLocus.coldEnd / scale }

  /// Whether a color temperature is that of a physical black body, not of the tangents beyond.
  public func contains(_ temperature: CorrelatedColorTemperature) -> Bool {
    physicalRange.contains(temperature.mired)
  }

  /// The chromaticity at a temperature and a signed distance from the locus.
  ///
  /// Domain: any finite mired and Duv. Error: ≤ 1e-15 in x and y over 1000…100 000 K, |Duv| ≤ 0.05
  /// (`ReferenceVectorTests`). Edge cases: NaN or infinite input gives NaN. Complexity: O(1).
  public func chromaticity(of temperature: CorrelatedColorTemperature) -> Chromaticity {
    let point = LocusPoint(mired: temperature.mired * scale)
    let distance = temperature.duv / point.speed
    return Chromaticity(
      UCS1960(u: point.u - distance * point.dv, v: point.v + distance * point.du))
  }

  /// The correlated color temperature and Duv of a chromaticity: the nearest point of the locus and
  /// its tangents.
  ///
  /// Domain: any chromaticity. Error: ≤ 1e-7 K and ≤ 1e-13 Duv over 1000…100 000 K, |Duv| ≤ 0.05
  /// (`ReferenceVectorTests`). Edge cases: `nil` for NaN, infinities and where u, v are singular
  /// (−2x + 12y + 3 = 0). Below the evolute there may be two normals; the nearer point is returned.
  /// Complexity: O(1); O(250) for Duv below −0.09.
  public func correlatedColorTemperature(
    of chromaticity: Chromaticity
  ) -> CorrelatedColorTemperature? {
    let p = UCS1960(chromaticity)
    guard chromaticity.isFinite, p.u.isFinite, p.v.isFinite else { return nil }
    let (mired, duv) = Self.coordinates(p.u, p.v)
    guard mired.isFinite, duv.isFinite else { return nil }
    return CorrelatedColorTemperature(mired: mired * inverseScale, duv: duv)
  }

  /// Below this Duv the distances to the isotherms need not be monotonic: the locus's least radius of
  /// curvature is 0.1001.
  static let monotonicAbove = -0.09

  /// Mired and Duv of a finite point; NaN where the numbers overflow.
  static func coordinates(_ u: Double, _ v: Double) -> (mired: Double, duv: Double) {
    let (mired, duv): (Double, Double)
    if TabulatedLocus.isotherms[0].distance(u, v) < 0 {
      let end = TabulatedLocus.infinite
      (mired, duv) = (end.tangentDistance(u, v) / end.speed, end.normalDistance(u, v))
    } else if TabulatedLocus.isotherms[TabulatedLocus.pieceCount].distance(u, v) >= 0 {
      let end = TabulatedLocus.cold
      (mired, duv) = (
        TabulatedLocus.coldEnd + end.tangentDistance(u, v) / end.speed, end.normalDistance(u, v)
      )
    } else {
      let piece = TabulatedLocus.piece(u, v)
      let t = TabulatedLocus.seed(u, v, piece: piece)
      let (c0, c1, c2, c3, c4) = TabulatedLocus.taylor(
        TabulatedLocus.coefficients, piece: piece, at: t)
      let foot = TabulatedLocus.foot(
        eu: u - c0.x, ev: v - c0.y, c1.x, c1.y, c2.x, c2.y, c3.x, c3.y, c4.x, c4.y)
      (mired, duv) = (4 * (Double(2 * piece + 1) + (t + foot.delta)), foot.duv)
    }
    return duv >= monotonicAbove ? (mired, duv) : nearest(u, v)
  }

  /// The nearest of all points whose normal goes through a point, in the wedge below the evolute where
  /// there may be several.
  private static func nearest(_ u: Double, _ v: Double) -> (mired: Double, duv: Double) {
    var best = (mired: Double.nan, duv: Double.infinity)
    func consider(_ mired: Double) {
      let duv = LocusPoint(mired: mired).normalDistance(u, v)
      if abs(duv) < abs(best.duv) { best = (mired, duv) }
    }
    let isotherms = TabulatedLocus.isotherms
    var distance = isotherms[0].distance(u, v)
    if distance < 0 { consider(distance / TabulatedLocus.infinite.speed) }
    for piece in 0..<TabulatedLocus.pieceCount {
      let next = isotherms[piece + 1].distance(u, v)
      if distance >= 0, next < 0 { consider(foot(u, v, piece: piece)) }
      distance = next
    }
    if distance >= 0 { consider(TabulatedLocus.coldEnd + distance / TabulatedLocus.cold.speed) }
    return best
  }

  /// The root of (p − c)·c′ in a piece, by Newton's method held in a shrinking bracket: near the evolute
  /// it converges slowly.
  private static func foot(_ u: Double, _ v: Double, piece: Int) -> Double {
    var (low, high) = (-1.0, 1.0)
    var t = TabulatedLocus.seed(u, v, piece: piece)
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
    return 4 * (Double(2 * piece + 1) + t)
  }
}
