/// The CIE daylight locus. Source: CIE 015:2018, equations for x_D and y_D.
public enum DaylightLocus {
  /// The nominal temperatures for which CIE defines the locus, in kelvin.
  public static let range = 4000.0...25_000.0

  /// 1.4388/1.4380, the factor from the temperature in the name of D50, D55, D65 or D75 to that of
  /// the illuminant.
  public static let nominalCorrection = 1.4388 / 1.4380

  /// Returns the chromaticity at a nominal temperature; `nil` outside 4000…25 000 K.
  ///
  /// The temperature of D65 is 6504 K because the names are older than c₂ = 1.4388e-2 m·K. Error: ≤
  /// 1e-15 (`ReferenceVectorTests`). Edge cases: at 7000 K the first of CIE's two polynomials is
  /// used; NaN gives `nil`.
  public static func chromaticity(kelvin: Double) -> Chromaticity? {
    guard range.contains(kelvin) else { return nil }
    let t = 1e3 / kelvin
    let x =
      kelvin <= 7000
      ? 0.244063 + t * (0.09911 + t * (2.9678 - t * 4.6070))
      : 0.237040 + t * (0.24748 + t * (1.9018 - t * 2.0064))
    return Chromaticity(x: x, y: -0.275 + x * (2.870 - 3.000 * x))
  }
}
