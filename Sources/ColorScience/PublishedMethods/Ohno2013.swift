/// Ohno's method: a table of the locus in steps of 1 %, and a triangle or a parabola through the
/// three rows nearest to a chromaticity.
///
/// Lighting engineers use it for temperature and Duv. The rows run from 1000 K upward by a factor
/// of 1.01, and are taken from `PlanckianLocus`; an additional row on the red side gives 1000 K
/// itself two neighbors. Source: Y. Ohno, "Practical use and calculation of CCT and Duv", LEUKOS
/// 10:1 (2014), 47, published online in 2013.
public enum Ohno2013 {
  /// The temperatures for which the method is published, in kelvin.
  public static let range = 1000.0...20_000

  /// Returns the color temperature and Duv of a chromaticity.
  ///
  /// Domain: temperatures in `range`; published for |Duv| ≤ 0.03 with an error of 1 K. The measured
  /// error within both is ≤ 1 K and ≤ 5e-5 Duv (`Ohno2013Tests`). Edge cases: `nil` for NaN,
  /// infinities and other temperatures. Complexity: O(304).
  public static func correlatedColorTemperature(
    of chromaticity: Chromaticity
  ) -> CorrelatedColorTemperature? {
    let p = UCS1960(chromaticity)
    guard chromaticity.isFinite, p.u.isFinite, p.v.isFinite else { return nil }
    var nearest = 0
    var least = Double.infinity
    for index in 0..<rowCount {
      let square = rows[index].squaredDistance(p)
      if square < least { (nearest, least) = (index, square) }
    }
    guard nearest > 0, nearest < rowCount - 1 else { return nil }
    let (before, row, after) = (rows[nearest - 1], rows[nearest], rows[nearest + 1])
    var value = triangular(p, before, after)
    if abs(value.duv) >= 0.002 { value = parabolic(p, before, row, after, sign: value.duv) }
    // With steps of 1 % both solutions are too high by up to 1e-4 of the temperature; Ohno's factor
    // removes the mean of this error.
    let kelvin = value.kelvin * 0.99991
    guard range.contains(kelvin), value.duv.isFinite else { return nil }
    return CorrelatedColorTemperature(kelvin: kelvin, duv: value.duv)
  }

  /// Returns the chromaticity at a color temperature and Duv, from the locus and its normal, whose
  /// direction follows from the point 0.01 K further.
  ///
  /// Domain: temperatures in `range`. Error in u, v: ≤ 5e-8 for |Duv| ≤ 0.03 (`Ohno2013Tests`).
  /// Edge cases: `nil` for NaN, infinities and other temperatures.
  public static func chromaticity(of temperature: CorrelatedColorTemperature) -> Chromaticity? {
    let kelvin = temperature.kelvin
    guard range.contains(kelvin), temperature.duv.isFinite else { return nil }
    let (row, further) = (Row(kelvin: kelvin), Row(kelvin: kelvin + 0.01))
    let (du, dv) = (row.u - further.u, row.v - further.v)
    let scale = temperature.duv / (du * du + dv * dv).squareRoot()
    return Chromaticity(UCS1960(u: row.u - scale * dv, v: row.v + scale * du))
  }

  private struct Row: BitwiseCopyable {
    var kelvin, u, v: Double

    init(kelvin: Double) {
      let point = LocusPoint(mired: 1e6 / kelvin)
      (self.kelvin, u, v) = (kelvin, point.u, point.v)
    }

    func squaredDistance(_ p: UCS1960) -> Double { (p.u - u) * (p.u - u) + (p.v - v) * (p.v - v) }
  }

  private static let rowCount = 304
  private static let rows = ImmortalTable(
    (-1..<rowCount - 1).map { Row(kelvin: 1000 * power(1.01, Double($0))) })

  /// Returns the solution by the height of a triangle over the chord of two rows, which is good
  /// near the locus.
  private static func triangular(
    _ p: UCS1960, _ before: Row, _ after: Row
  ) -> (kelvin: Double, duv: Double) {
    let (du, dv) = (after.u - before.u, after.v - before.v)
    let (pu, pv) = (p.u - before.u, p.v - before.v)
    let length = (du * du + dv * dv).squareRoot()
    let share = (du * pu + dv * pv) / (length * length)
    let kelvin = before.kelvin + share * (after.kelvin - before.kelvin)
    return (kelvin, (dv * pu - du * pv) / length)
  }

  /// Returns the solution by the vertex of the parabola through three distances, which is good off
  /// the locus.
  private static func parabolic(
    _ p: UCS1960, _ before: Row, _ row: Row, _ after: Row, sign: Double
  ) -> (kelvin: Double, duv: Double) {
    let distance = row.squaredDistance(p).squareRoot()
    let (stepBefore, stepAfter) = (before.kelvin - row.kelvin, after.kelvin - row.kelvin)
    let slopeBefore = (before.squaredDistance(p).squareRoot() - distance) / stepBefore
    let slopeAfter = (after.squaredDistance(p).squareRoot() - distance) / stepAfter
    let curvature = (slopeAfter - slopeBefore) / (stepAfter - stepBefore)
    let slope = slopeAfter - curvature * stepAfter
    let duv = distance - slope * slope / (4 * curvature)
    return (row.kelvin - slope / (2 * curvature), sign < 0 ? -duv : duv)
  }
}
