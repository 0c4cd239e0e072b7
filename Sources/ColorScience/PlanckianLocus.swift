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
public struct PlanckianLocus: Hashable, Sendable {
  /// The scale of temperatures.
  public let constant: RadiationConstant

  /// The locus under a second radiation constant.
  public init(constant: RadiationConstant = .cie) { self.constant = constant }

  /// Reciprocal temperatures of physical light, in mired: infinite temperature to 500 K.
  public var physicalRange: ClosedRange<Double> { 0...Self.coldEnd / scale }

  /// Whether a color temperature is that of a physical black body, not of the tangents beyond.
  public func contains(_ temperature: CorrelatedColorTemperature) -> Bool {
    physicalRange.contains(temperature.mired)
  }

  /// The chromaticity at a temperature and a signed distance from the locus.
  ///
  /// Domain: any finite mired and Duv. Error: ≤ 5e-15 in x and y over 1000…100 000 K, |Duv| ≤ 0.05
  /// (`ReferenceVectorTests`). Edge cases: NaN or infinite input gives NaN. Complexity: one spectral
  /// sum of 471 terms.
  public func chromaticity(of temperature: CorrelatedColorTemperature) -> Chromaticity {
    let point = LocusPoint(mired: temperature.mired * scale)
    let speed = point.speed
    return Chromaticity(
      UCS1960(
        u: point.u - temperature.duv * point.dv / speed,
        v: point.v + temperature.duv * point.du / speed))
  }

  /// The correlated color temperature and Duv of a chromaticity: the nearest point of the locus and
  /// its tangents.
  ///
  /// Domain: any chromaticity. Error: ≤ 1e-7 K and ≤ 1e-14 Duv over 1000…100 000 K, |Duv| ≤ 0.05
  /// (`ReferenceVectorTests`). Edge cases: `nil` for NaN, infinities and where u, v are singular
  /// (−2x + 12y + 3 = 0). Below the evolute there may be two normals; the nearer point is returned.
  /// Complexity: about six spectral sums of 471 terms.
  public func correlatedColorTemperature(
    of chromaticity: Chromaticity
  ) -> CorrelatedColorTemperature? {
    let p = UCS1960(chromaticity)
    guard chromaticity.isFinite, p.u.isFinite, p.v.isFinite else { return nil }
    let nodes = Self.nodes
    var best: (mired: Double, duv: Double)?
    func consider(mired: Double) {
      let duv = LocusPoint(mired: mired).normalDistance(to: p)
      if best.map({ abs(duv) < abs($0.duv) }) ?? true { best = (mired, duv) }
    }
    var distance = nodes[0].tangentDistance(to: p)
    if distance < 0 { consider(mired: distance / nodes[0].speed) }
    for index in 1..<nodes.count {
      let next = nodes[index].tangentDistance(to: p)
      if distance >= 0, next < 0 {
        consider(mired: Self.foot(of: p, after: index - 1, distances: (distance, next)))
      }
      distance = next
    }
    if distance >= 0 { consider(mired: Self.coldEnd + distance / nodes[nodes.count - 1].speed) }
    // Every point has a nearest point, but where the numbers overflow none may be found.
    return best.map { CorrelatedColorTemperature(mired: $0.mired / scale, duv: $0.duv) }
  }

  private var scale: Double { constant.meterKelvin / RadiationConstant.cie.meterKelvin }

  fileprivate static let coldEnd = 2000.0
  private static let nodeSpacing = 8.0
  private static let nodes: [LocusPoint] = stride(from: 0, through: coldEnd, by: nodeSpacing).map {
    LocusPoint(mired: $0)
  }

  /// The root of (p − c)·c′ between two nodes: Newton's method, held in a shrinking bracket.
  private static func foot(
    of p: UCS1960, after index: Int, distances: (Double, Double)
  ) -> Double {
    var low = Double(index) * nodeSpacing
    var high = low + nodeSpacing
    var m = low + nodeSpacing * (distances.0 / (distances.0 - distances.1))
    for _ in 0..<60 {
      let c = LocusPoint(mired: m)
      let (a, b) = (p.u - c.u, p.v - c.v)
      let g = a * c.du + b * c.dv
      if g >= 0 { low = m } else { high = m }
      let slope = a * c.d2u + b * c.d2v - c.du * c.du - c.dv * c.dv
      var next = m - g / slope
      if !(next >= low && next <= high) { next = (low + high) / 2 }
      let step = abs(next - m)
      m = next
      if step <= 1e-13 * max(1, m) { break }
    }
    return m
  }
}

/// A point of the locus under c₂ = 1.4388e-2 m·K, with derivatives by mired.
struct LocusPoint: Sendable {
  var u, v, du, dv, d2u, d2v: Double

  /// The point of the physical locus, or of the tangents beyond its ends.
  init(mired m: Double) {
    guard m < 0 || m > PlanckianLocus.coldEnd else {
      self.init(sumAt: m)
      return
    }
    let end = m < 0 ? Self.infinite : Self.cold
    let distance = m < 0 ? m : m - PlanckianLocus.coldEnd
    self = end
    u += distance * end.du
    v += distance * end.dv
    d2u = 0
    d2v = 0
  }

  private static let infinite = LocusPoint(sumAt: 0)
  private static let cold = LocusPoint(sumAt: PlanckianLocus.coldEnd)

  /// The spectral sum. λ⁻⁵/(exp(c₂/λT) − 1) is written λ⁻⁴·f(c₂/λT)·T/c₂ with f(x) = x/(eˣ − 1), and
  /// the last factor, common to X, Y and Z, left out.
  private init(sumAt m: Double) {
    var n0 = SIMD3<Double>.zero
    var n1 = SIMD3<Double>.zero
    var n2 = SIMD3<Double>.zero
    for (index, weight) in StandardObserver1931.functions.enumerated() {
      let wavelength = Double(StandardObserver1931.firstWavelength + index)
      let slope = RadiationConstant.cie.exponent(mired: 1, wavelength: wavelength)
      let f = planckFunction(slope * m)
      let ratio = 560 / wavelength
      let power = ratio * ratio * ratio * ratio
      let w = SIMD3(weight.x, weight.y, weight.z) * power
      n0 += w * f.value
      n1 += w * (f.first * slope)
      n2 += w * (f.second * slope * slope)
    }
    func total(_ n: SIMD3<Double>) -> Double { n.x + 15 * n.y + 3 * n.z }
    let (d0, d1, d2) = (total(n0), total(n1), total(n2))
    func quotient(_ a: Double, _ b: Double, _ c: Double) -> (Double, Double, Double) {
      let value = a / d0
      let first = (b - value * d1) / d0
      return (value, first, (c - 2 * first * d1 - value * d2) / d0)
    }
    (u, du, d2u) = quotient(4 * n0.x, 4 * n1.x, 4 * n2.x)
    (v, dv, d2v) = quotient(6 * n0.y, 6 * n1.y, 6 * n2.y)
  }

  var speed: Double { (du * du + dv * dv).squareRoot() }

  /// How far a point lies behind this point's isotherm, along the locus.
  func tangentDistance(to p: UCS1960) -> Double {
    ((p.u - u) * du + (p.v - v) * dv) / speed
  }

  /// How far a point lies from the locus along this point's isotherm, positive towards +v (green).
  func normalDistance(to p: UCS1960) -> Double {
    ((p.v - v) * du - (p.u - u) * dv) / speed
  }
}
