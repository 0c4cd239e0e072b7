extension SpectralDistribution {
  /// CIE daylight of a temperature in kelvin, 100 at 560 nm, 300…830 nm at 10 nm.
  ///
  /// The temperature is that of `DaylightLocus`: D65 is 6500 K times
  /// `DaylightLocus.nominalCorrection`. CIE's rule rounds the factors M₁ and M₂ to three decimals,
  /// as the published tables require. As temperature rises, chromaticity therefore moves in steps,
  /// up to 2.4e-5 away from where it would be without rounding. Between the tabulated wavelengths
  /// daylight is linear by definition.
  ///
  /// Domain: 4000…25 000 K; `nil` outside, and for NaN. Error: 5.1e-4 from the tables of D50, D55
  /// and D75, which have three decimals, and 8.6e-4 from that of D65, three of whose figures are
  /// rounded twice; 5.1e-5 from D60's (`DaylightSpectrumTests`). Source: CIE 015:2018, Judd,
  /// MacAdam and Wyszecki, J. Opt. Soc. Am. 54(8), 1964.
  public static func daylight(kelvin: Double) -> SpectralDistribution? {
    guard let white = DaylightLocus.chromaticity(kelvin: kelvin) else { return nil }
    let (x, y) = (white.x, white.y)
    let m = 0.0241 + 0.2562 * x - 0.7341 * y
    let m1 = ((-1.3515 - 1.7703 * x + 5.9114 * y) / m * 1000).rounded() / 1000
    let m2 = ((0.0300 - 31.4424 * x + 30.0717 * y) / m * 1000).rounded() / 1000
    return SpectralDistribution(
      first: 300, step: 10,
      values: DaylightComponents.hundredths.map {
        (Double($0.s0) + m1 * Double($0.s1) + m2 * Double($0.s2)) / 100
      })
  }
}
