/// The exponentials of Hernández-Andrés, Lee and Romero, for skylight.
///
/// Temperature is a function of the slope of the line from an epicenter, a point where the
/// isotherms approximately meet; a second epicenter serves temperatures above 50 000 K. Source: J.
/// Hernández-Andrés, R. L. Lee and J. Romero, "Calculating correlated color temperatures across the
/// entire gamut of daylight and skylight chromaticities", Applied Optics 38 (1999), 5703. It gives
/// no Duv and has no inverse.
public enum HernandezAndres1999 {
  /// The temperatures for which the method is published, in kelvin.
  public static let range = 3000.0...800_000

  /// Returns the color temperature of a chromaticity, in kelvin; `nil` outside 3000…800 000 K and
  /// below the epicenter.
  ///
  /// Error: from 4000 K upward ≤ 0.64 mired on the locus and ≤ 6.2 mired for |Duv| ≤ 0.02; from
  /// 3200 to 4000 K ≤ 8.2 mired for |Duv| ≤ 0.02 (`ClosedFormMethodTests`). Edge cases: NaN and
  /// infinities give `nil`.
  public static func kelvin(of chromaticity: Chromaticity) -> Double? {
    let (x, y) = (chromaticity.x, chromaticity.y)
    guard chromaticity.isFinite, y > 0.1735 else { return nil }
    let n = (x - 0.3366) / (y - 0.1735)
    var kelvin =
      -949.86315 + 6253.80338 * exponential(-n / 0.92159) + 28.70599 * exponential(-n / 0.20039)
      + 0.00004 * exponential(-n / 0.07125)
    if kelvin > 50_000 {
      let n = (x - 0.3356) / (y - 0.1691)
      kelvin =
        36284.48953 + 0.00228 * exponential(-n / 0.07861) + 5.4535e-36 * exponential(-n / 0.01543)
    }
    return range.contains(kelvin) ? kelvin : nil
  }
}
