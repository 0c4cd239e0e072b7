/// Krystek's rational functions for the Planckian locus.
///
/// Source: M. Krystek, "An algorithm to calculate correlated colour temperature", Color Research &
/// Application 10 (1985), 38. It gives the locus only; the paper inverts it by a search.
public enum Krystek1985 {
  /// The temperatures for which the method is published, in kelvin.
  public static let range = 1000.0...15_000

  /// Returns the chromaticity of a black body; `nil` outside 1000…15 000 K, and for NaN. Error in
  /// u, v: ≤ 1.4e-4 (`ClosedFormMethodTests`).
  public static func chromaticity(kelvin t: Double) -> Chromaticity? {
    guard range.contains(t) else { return nil }
    return Chromaticity(
      UCS1960(
        u: (0.860117757 + t * (1.54118254e-4 + t * 1.28641212e-7))
          / (1 + t * (8.42420235e-4 + t * 7.08145163e-7)),
        v: (0.317398726 + t * (4.22806245e-5 + t * 4.20481691e-8))
          / (1 + t * (-2.89741816e-5 + t * 1.61456053e-7))))
  }
}
