/// The second radiation constant c₂ of Planck's law, which fixes the scale of color temperatures.
///
/// Another constant only rescales temperature: T(c₂′) = T(c₂)·c₂′/c₂ at the same chromaticity and
/// Duv.
public struct RadiationConstant: Hashable, Sendable {
  /// c₂ in meter kelvin.
  public let meterKelvin: Double

  /// A constant with the given value. Those in use have names.
  ///
  /// - Precondition: the value is positive and finite.
  public init(meterKelvin: Double) {
    precondition(meterKelvin > 0 && meterKelvin.isFinite, "c₂ must be positive and finite")
    self.meterKelvin = meterKelvin
  }

  /// 1.4388e-2 m·K: CIE 015:2018 and the International Temperature Scale of 1990.
  public static let cie = RadiationConstant(meterKelvin: 1.4388e-2)
  /// 1.438776877e-2 m·K: CODATA 2018, exact since the revision of the SI in 2019. It differs from
  /// `cie` by 0.104 K at 6500 K.
  public static let codata2018 = RadiationConstant(meterKelvin: 1.438776877e-2)

  /// c₂/(λT), with 1/T in mired and λ in nanometers.
  func exponent(mired: Double, wavelength: Double) -> Double {
    meterKelvin * 1e3 * mired / wavelength
  }
}
