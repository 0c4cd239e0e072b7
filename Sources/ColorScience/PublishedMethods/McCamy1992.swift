/// McCamy's cubic, the shortest of all formulas for color temperature, used by many light sensors.
///
/// Temperature is a function of the slope of the line from an epicenter, a point where the
/// isotherms approximately meet. Source: C. S. McCamy, "Correlated color temperature as an explicit
/// function of chromaticity coordinates", Color Research & Application 17 (1992), 142. It gives no
/// Duv and has no inverse.
public enum McCamy1992 {
  /// Returns the color temperature of a chromaticity, in kelvin.
  ///
  /// Domain: McCamy states no limits. Here they are the cubic's turning point, 1620 K, and the
  /// height of the epicenter; for a black body of infinite temperature the result is 34 540 K.
  /// Error: for black bodies from 2856 to 6500 K, for which 2 K is often quoted, ≤ 10.1 K; for
  /// lights of |Duv| ≤ 0.02, 2.8 mired from 3000 to 9000 K and 23 mired from 1700 to 25 000 K
  /// (`ClosedFormMethodTests`). Edge cases: `nil` outside the domain, for NaN and for infinities.
  public static func kelvin(of chromaticity: Chromaticity) -> Double? {
    let (x, y) = (chromaticity.x, chromaticity.y)
    guard chromaticity.isFinite, y > 0.1858 else { return nil }
    let n = (x - 0.3320) / (y - 0.1858)
    guard n < turningPoint else { return nil }
    let kelvin = 5520.33 + n * (-6823.3 + n * (3525 - n * 449))
    return kelvin.isFinite ? kelvin : nil
  }

  /// The minimum of the cubic: 3·449·n² − 2·3525·n + 6823.3 = 0.
  private static let turningPoint = 1.2817
}
