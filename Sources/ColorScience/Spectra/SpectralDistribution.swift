/// A quantity tabulated at equally spaced wavelengths, such as a lamp's power or a sensor's
/// sensitivity.
///
/// ```swift
/// let lamp = SpectralDistribution.planckian(kelvin: 2856)
/// print(lamp[560])               // 1.0
/// print(UCS1960(Chromaticity(lamp.xyz)))  // u 0.2560, v 0.3495
/// ```
public struct SpectralDistribution: Hashable, Sendable {
  /// The wavelength of the first value, in nanometers.
  public let firstWavelength: Double
  /// The step between values, in nanometers.
  public let step: Double
  /// The values, in any unit.
  public let values: [Double]

  /// Creates a table of values at `first`, `first` + `step`, …
  ///
  /// - Precondition: `step` is positive and finite, `first` finite.
  public init(first: Double, step: Double, values: [Double]) {
    precondition(
      step > 0 && step.isFinite && first.isFinite, "wavelengths must increase in finite steps")
    self.firstWavelength = first
    self.step = step
    self.values = values
  }

  /// Returns the value at a wavelength in nanometers: linear between tabulated values, zero outside
  /// the table.
  ///
  /// Edge cases: NaN gives NaN.
  public subscript(wavelength: Double) -> Double {
    if wavelength.isNaN { return .nan }
    let last = Double(values.count - 1)
    let steps = (wavelength - firstWavelength) / step
    // Rounding may place the wavelength of the last value slightly beyond the end of the table.
    guard last >= 0, steps >= 0, steps <= last * (1 + 4 * .ulpOfOne) else { return 0 }
    let position = min(steps, last)
    let index = Int(position)
    let fraction = position - Double(index)
    if fraction == 0 { return values[index] }
    return values[index] * (1 - fraction) + values[index + 1] * fraction
  }

  /// The CIE 1931 2° tristimulus values, those of `xyz(observer:)`.
  public var xyz: XYZ { xyz(observer: .cie1931) }

  /// Returns the tristimulus values: the plain sum over 360…830 nm at 1 nm, on no absolute scale.
  ///
  /// Power between the tabulated wavelengths is linear, as CIE defines it for daylight. Error: the
  /// spectra of `StandardIlluminant`, all at 5 nm, give the published x and y within 7e-5 for A, B,
  /// C, D and E, and within 2.7e-4 for lamps with narrow lines, which CIE summed at 5 nm; after
  /// interpolation by `interpolatedBySprague(parts:)`, within 6.1e-5 for all
  /// (`IlluminantSpectrumTests`). Edge cases: NaN among the values gives NaN. Complexity: O(471).
  public func xyz(observer: StandardObserver) -> XYZ {
    var sum = SIMD3<Double>.zero
    for (index, weight) in observer.table.enumerated() {
      let power = self[StandardObserver.range.lowerBound + Double(index)]
      sum += power * SIMD3(weight.x, weight.y, weight.z)
    }
    return XYZ(sum)
  }

  /// Returns the spectrum of a black body at a temperature in kelvin, 1 at 560 nm, 300…830 nm at 1
  /// nm.
  ///
  /// Domain: 100 K to infinite; at lower temperatures the shorter wavelengths underflow.
  public static func planckian(
    kelvin: Double, constant: RadiationConstant = .cie
  ) -> SpectralDistribution {
    let mired = 1e6 / kelvin
    func power(_ wavelength: Double) -> Double {
      let x = constant.exponent(mired: mired, wavelength: wavelength)
      let square = wavelength * wavelength
      // λ⁻⁵/(eˣ − 1), times x·λ, a factor common to all wavelengths; this is finite at infinite
      // temperature.
      return (x == 0 ? 1 : x / exponentialMinusOne(x)) / (square * square)
    }
    let reference = power(560)
    return SpectralDistribution(
      first: 300, step: 1, values: (300...830).map { power(Double($0)) / reference })
  }

  /// Returns CIE daylight of a temperature in kelvin, 100 at 560 nm, 300…830 nm at 10 nm.
  ///
  /// The temperature is that of `DaylightLocus`: D65 is 6500 K times
  /// `DaylightLocus.nominalCorrection`. CIE's procedure rounds the factors M₁ and M₂ to three
  /// decimals, so that chromaticity moves in steps, up to 2.4e-5 away from its value without
  /// rounding.
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
