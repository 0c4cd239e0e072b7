package import ColorScience

/// 380, 385 … 780 nm: the wavelengths at which cameras are measured.
package enum SensorGrid {
  static let count = 81

  static func wavelength(_ index: Int) -> Double { 380 + 5 * Double(index) }

  static func values(of channel: SpectralDistribution) -> [Double] {
    (0..<count).map { channel[wavelength($0)] }
  }

  /// The power by which a sum over the grid equals the sum over every nanometer, for sensitivities
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

  /// A basis of smooth random filters: 23 bumps 25 nm apart. With independent normal heights they
  /// add up to a transmission with standard deviation 0.06 that is correlated over 50 nm. The
  /// values of each bump at the wavelengths.
  static let filters: [[Double]] = {
    let (deviation, correlation, spacing) = (0.06, 50.0, 25.0)
    let width = correlation / 2.0.squareRoot()
    let height = deviation * (spacing / (width * Double.pi.squareRoot())).squareRoot()
    return (0..<filterCount).map { bump in
      (0..<count).map { index in
        let z = (wavelength(index) - (305 + spacing * Double(bump))) / width
        return height * exponential(-z * z / 2)
      }
    }
  }()
  static let filterCount = 23
}
