import ColorScience
import Testing

@testable import WhiteBalance

struct SensorGridTests {
  /// The sensitivity is 1 at one wavelength of the grid and 0 at the others; the light differs at
  /// every nanometer and continues beyond the grid.
  @Test func powerIsThatOfEveryNanometer() {
    let values = (0...600).map { Double($0 * 7919 % 101) + 1 }
    let light = SpectralDistribution(first: 300, step: 1, values: values)
    let power = SensorGrid.power(of: light)
    #expect(power.count == 81)
    for (index, power) in power.enumerated() {
      let sum = (380...780).reduce(0.0) { sum, nanometers in
        let distance = abs(Double(nanometers) - (380 + 5 * Double(index)))
        return sum + max(0, 1 - distance / 5) * values[nanometers - 300]
      }
      #expect(abs(power * 5 - sum) < 1e-10 * sum, "\(index)")
    }
  }

  @Test func valuesAreThoseOfTheGrid() {
    let channel = SpectralDistribution(first: 380, step: 5, values: (0...80).map { Double($0) })
    #expect(SensorGrid.values(of: channel) == channel.values)
  }
}
