import ColorScience
import Testing

struct SpectralSampleTests {
  /// The last wavelength belongs to the table, regardless of the rounding of the step; an empty
  /// table contains no wavelength.
  @Test func theEndsOfTheTable() {
    for count in 2...200 {
      let table = SpectralDistribution(
        first: 300, step: 700 / Double(count - 1), values: (0..<count).map { Double($0 + 1) })
      #expect(table[300] == 1)
      #expect(abs(table[1000] - Double(count)) < 1e-9, "\(count)")
      #expect(table[1000.001] == 0 && table[299.999] == 0)
    }
    for step in [1, 1e-20] {
      let empty = SpectralDistribution(first: 380, step: step, values: [])
      #expect(empty[380] == 0 && empty[381] == 0 && empty.xyz == XYZ(.zero))
    }
    let one = SpectralDistribution(first: 380, step: 5, values: [3])
    #expect(one[380] == 3 && one[381] == 0 && one[379] == 0)
  }

  typealias Samples = [(wavelength: Double, value: Double)]

  @Test func equalSteps() throws {
    let table = try SpectralDistribution(samples: [(400, 1), (410, 0), (420, 3)])
    #expect(table == SpectralDistribution(first: 400, step: 10, values: [1, 0, 3]))
  }

  /// Steps of a third of a nanometer, written with two digits.
  @Test func roundedWavelengths() throws {
    let samples: Samples = (0...90).map { index in
      let nanometers: Double = (Double(index) * 1000 / 3).rounded() / 100
      return (400 + nanometers, 1)
    }
    let table = try SpectralDistribution(samples: samples)
    #expect(abs(table.step - 10 / 3.0) < 1e-12 && table[700] == 1)
  }

  /// Steps that differ by 1 % of 100 nm are accepted, and slightly more is not.
  @Test func unequalSteps() throws {
    for last in [399.0, 401] {
      let table = try SpectralDistribution(samples: [(100, 1), (200, 1), (300, 1), (last, 1)])
      #expect(table.step == (last - 100) / 3)
    }
    for last in [398.99, 401.01] {
      #expect(throws: SpectralDistribution.InvalidSample.self) {
        try SpectralDistribution(samples: [(100, 1), (200, 1), (300, 1), (last, 1)])
      }
    }
  }

  /// Between samples at unequal steps values are linear, at whole nanometers.
  @Test func resampled() throws {
    let table = try SpectralDistribution(
      unequalSamples: [(399.5, 0), (401.5, 2), (402, 3), (404.2, 3)])
    #expect(table.firstWavelength == 400 && table.step == 1)
    #expect(table.values.count == 5)
    for (value, expected) in zip(table.values, [0.5, 1.5, 3, 3, 3]) {
      #expect(abs(value - expected) < 1e-12)
    }
    #expect(throws: SpectralDistribution.InvalidSample.falling(wavelength: 401, after: 402)) {
      try SpectralDistribution(unequalSamples: [(400, 1), (402, 1), (401, 1)])
    }
    #expect(throws: SpectralDistribution.InvalidSample.tooFew(2)) {
      try SpectralDistribution(unequalSamples: [(400.1, 1), (400.9, 1)])
    }
  }

  /// Values below zero are accepted up to the noise, a fraction of the largest value, and stay
  /// unchanged.
  @Test func noise() throws {
    let samples: Samples = [(400, -0.001), (410, 1), (420, 0.5)]
    #expect(try SpectralDistribution(samples: samples, noise: 0.001).values == [-0.001, 1, 0.5])
    #expect(throws: SpectralDistribution.InvalidSample.negative(wavelength: 400, value: -0.001)) {
      try SpectralDistribution(samples: samples, noise: 0.0009)
    }
  }

  @Test(
    arguments: [
      ([], .tooFew(0), "2 samples, not 0"),
      ([(550, 1)], .tooFew(1), "2 samples, not 1"),
      (
        [(400, 1), (.infinity, 1)], .wavelength(.infinity, index: 1),
        "wavelength of sample 2, inf nm"
      ),
      ([(-10, 1), (0, 1)], .wavelength(-10, index: 0), "wavelength of sample 1, -10.0 nm"),
      ([(400, 1), (410, 1), (410, 2)], .repeated(wavelength: 410), "410.0 nm occurs twice"),
      (
        [(400, 1), (420, 1), (410, 1)], .falling(wavelength: 410, after: 420),
        "410.0 nm comes after"
      ),
      (
        [(400, 1), (410, -0.5)], .negative(wavelength: 410, value: -0.5),
        "at 410.0 nm, -0.5, is neg"
      ),
      (
        [(400, 1), (410, .infinity)], .notFinite(wavelength: 410, value: .infinity),
        "at 410.0 nm, inf"
      ),
      (
        [(400, 1), (410, 1), (430, 1), (440, 1)], .unequalStep(from: 410, to: 430, typical: 10),
        "from 410.0 nm to 430.0 nm"
      ),
      (
        [(400, 1), (410, 1), (413, 1), (420, 1), (430, 1)],
        .unequalStep(from: 410, to: 413, typical: 10), "are 10.0 nm"
      ),
    ] as [(Samples, SpectralDistribution.InvalidSample, String)])
  func badSamples(samples: Samples, error: SpectralDistribution.InvalidSample, text: String) {
    #expect(throws: error) { try SpectralDistribution(samples: samples) }
    #expect(error.description.contains(text), "\(error)")
  }

  @Test func notANumber() {
    #expect {
      try SpectralDistribution(samples: [(400, 1), (410, .nan)])
    } throws: {
      "\($0)" == "the value at 410.0 nm, nan, is not a finite number"
    }
    #expect {
      try SpectralDistribution(samples: [(.nan, 1), (410, 1)])
    } throws: {
      "\($0)" == "the wavelength of sample 1, nan nm, is not positive and finite"
    }
  }
}
