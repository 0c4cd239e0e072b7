/// The second radiation constant c₂ of Planck's law, which fixes the scale of color temperatures.
///
/// It only rescales: T(c₂′) = T(c₂)·c₂′/c₂, at the same chromaticity and the same Duv.
public struct RadiationConstant: Hashable, Sendable {
  /// c₂ in meter kelvin.
  public let meterKelvin: Double

  /// Any value; the named ones are those in use.
  ///
  /// - Precondition: the value is positive and finite.
  public init(meterKelvin: Double) {
    precondition(meterKelvin > 0 && meterKelvin.isFinite, "c₂ is positive and finite")
    self.meterKelvin = meterKelvin
  }

  /// 1.4388e-2 m·K: CIE 015:2018 and the International Temperature Scale of 1990.
  public static let cie = RadiationConstant(meterKelvin: 1.4388e-2)
  /// 1.438776877e-2 m·K: CODATA 2018, exact since the SI of 2019. 0.104 K from `cie` at 6500 K.
  public static let codata2018 = RadiationConstant(meterKelvin: 1.438776877e-2)

  /// c₂/(λT), with 1/T in mired and λ in nanometers.
  func exponent(mired: Double, wavelength: Double) -> Double {
    meterKelvin * 1e3 * mired / wavelength
  }
}

/// x/(eˣ − 1) and its first two derivatives: what is left of Planck's law once λ⁻⁴ is taken out.
///
/// Analytic through x = 0, which is infinite temperature; there the closed form loses its digits, so
/// the Bernoulli series stands in for it.
func planckFunction(_ x: Double) -> (value: Double, first: Double, second: Double) {
  if abs(x) < 0.5 {
    // B₂ₙ/(2n)!; the first term left out is below 6e-18 at |x| = 0.5, and below 2e-16 and 5e-15 in the
    // derivatives, which only steer the search.
    let s = x * x
    let even =
      1.0 / 12 + s
      * (-1.0 / 720 + s
        * (1.0 / 30_240 + s
          * (-1.0 / 1_209_600 + s
            * (1.0 / 47_900_160 + s
              * (-691.0 / 1_307_674_368_000 + s * (1.0 / 74_724_249_600))))))
    let slope =
      1.0 / 6 + s
      * (-4.0 / 720 + s
        * (6.0 / 30_240 + s
          * (-8.0 / 1_209_600 + s
            * (10.0 / 47_900_160 + s
              * (-12 * 691.0 / 1_307_674_368_000 + s * (14.0 / 74_724_249_600))))))
    let curvature =
      1.0 / 6 + s
      * (-12.0 / 720 + s
        * (30.0 / 30_240 + s
          * (-56.0 / 1_209_600 + s
            * (90.0 / 47_900_160 + s
              * (-132 * 691.0 / 1_307_674_368_000 + s * (182.0 / 74_724_249_600))))))
    return (1 - x / 2 + s * even, -0.5 + x * slope, curvature)
  }
  let e = exponentialMinusOne(x)
  let c = 1 + 1 / e
  return (x / e, (1 - x * c) / e, c / e * (x * (2 * c - 1) - 2))
}
