package import ColorScience

/// The wavelengths at which cameras are measured: 380, 385 … 780 nm.
package enum SensorGrid {
  static let count = 81

  static func wavelength(_ index: Int) -> Double { 380 + 5 * Double(index) }

  static func values(of channel: SpectralDistribution) -> [Double] {
    (0..<count).map { channel[wavelength($0)] }
  }

  /// The power for which a sum over the grid equals the sum over every nanometer, for sensitivities
  /// that are linear between the wavelengths.
  package static func power(of light: SpectralDistribution) -> [Double] {
    (0..<count).map { index in
      (-4...4).reduce(0.0) { sum, offset in
        let nanometers = wavelength(index) + Double(offset)
        guard (380...780).contains(nanometers) else { return sum }
        return sum + (1 - abs(Double(offset)) / 5) * light[nanometers] / 5
      }
    }
  }

  /// The power, as by `power(of:)`, of the light that a surface reflects; its reflectance is
  /// constant beyond the ends of its table.
  static func power(
    of light: SpectralDistribution, on surface: SpectralDistribution
  ) -> [Double] {
    let last = surface.firstWavelength + surface.step * Double(surface.values.count - 1)
    return power(
      of: SpectralDistribution(
        first: 380, step: 1,
        values: (380...780).map { nanometers in
          let wavelength = Double(nanometers)
          return light[wavelength] * surface[max(surface.firstWavelength, min(wavelength, last))]
        }))
  }

  /// A basis of smooth random filters: 23 bumps 25 nm apart, each as its values at the wavelengths.
  /// With independent standard normal heights they add up to a change of transmission with standard
  /// deviation 0.06, correlated over 50 nm.
  static let filters = bumps(deviation: 0.06, correlation: 50, spacing: 25)

  /// Bumps, each as its values at the wavelengths, that with independent standard normal heights
  /// add up to a function of a given standard deviation, correlated over a distance in nanometers.
  static func bumps(deviation: Double, correlation: Double, spacing: Double) -> [[Double]] {
    let width = correlation / 2.0.squareRoot()
    let height = deviation * (spacing / (width * Double.pi.squareRoot())).squareRoot()
    return stride(from: 380 - 3 * spacing, through: 780 + 3 * spacing, by: spacing).map { center in
      (0..<count).map { index in
        let z = (wavelength(index) - center) / width
        return height * exponential(-z * z / 2)
      }
    }
  }
  static let filterCount = 23
}
