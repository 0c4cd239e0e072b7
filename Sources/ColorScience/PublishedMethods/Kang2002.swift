/// The cubics of Kang et al. for the Planckian locus, known from encyclopedias and many LED
/// controllers.
///
/// Source: B. Kang, O. Moon, C. Hong, H. Lee, B. Cho and Y. Kim, "Design of advanced color
/// temperature control system for HDTV applications", J. Korean Physical Society 41 (2002), 865. It
/// gives the locus only.
public enum Kang2002 {
  /// The temperatures for which the method is published, in kelvin.
  public static let range = 1667.0...25_000

  /// Returns the chromaticity of a black body; `nil` outside 1667…25 000 K.
  ///
  /// Error in u, v: ≤ 4e-4; above 3300 K ≤ 1.4e-4 (`ClosedFormMethodTests`). Edge cases: at 2222
  /// and 4000 K, where two polynomials meet, that of the lower temperatures is used; NaN gives
  /// `nil`.
  public static func chromaticity(kelvin: Double) -> Chromaticity? {
    guard range.contains(kelvin) else { return nil }
    let t = 1e3 / kelvin
    let x =
      kelvin <= 4000
      ? 0.179910 + t * (0.8776956 + t * (-0.2343589 - t * 0.2661239))
      : 0.240390 + t * (0.2226347 + t * (2.1070379 - t * 3.0258469))
    let y =
      switch kelvin {
      case ...2222: -0.20219683 + x * (2.18555832 + x * (-1.34811020 - x * 1.1063814))
      case ...4000: -0.16748867 + x * (2.09137015 + x * (-1.37418593 - x * 0.9549476))
      default: -0.37001483 + x * (3.75112997 + x * (-5.8733867 + x * 3.0817580))
      }
    return Chromaticity(x: x, y: y)
  }
}
