extension SpectralDistribution {
  /// Creates a table from the samples of an instrument or a file: wavelengths in nanometers that
  /// rise in equal steps, and values that are not negative.
  ///
  /// Steps may differ by 1 %, as they do if wavelengths are written with few digits; the table's
  /// step is then their mean.
  ///
  /// - Parameters:
  ///   - samples: wavelengths with their values.
  ///   - noise: the amount by which a value may be below zero, as a fraction of the largest. Such a
  ///     value is stored unchanged.
  /// - Throws: `InvalidSample` for the first invalid sample, with its wavelength
  ///   (`SpectralSampleTests`). Complexity: O(n log n).
  public init(
    samples: [(wavelength: Double, value: Double)], noise: Double = 0
  ) throws(InvalidSample) {
    let steps = try Self.steps(of: samples, noise: noise)
    let typical = steps.sorted()[steps.count / 2]
    for (index, step) in steps.enumerated() where !(abs(step - typical) <= typical / 100) {
      throw .unequalStep(
        from: samples[index].wavelength, to: samples[index + 1].wavelength, typical: typical)
    }
    let first = samples[0].wavelength
    self.init(
      first: first, step: (samples[steps.count].wavelength - first) / Double(steps.count),
      values: samples.map { $0.value })
  }

  /// Creates a table at every whole nanometer from samples at unequal steps, between which values
  /// are linear, as in IES TM-27.
  ///
  /// - Parameters:
  ///   - samples: wavelengths that rise, with their values.
  ///   - noise: the amount by which a value may be below zero, as a fraction of the largest.
  /// - Throws: `InvalidSample` as for equal steps, and `.tooFew` if the samples span fewer than two
  ///   whole nanometers or more than 100 000 nm (`SpectralSampleTests`). Complexity: O(n +
  ///   nanometers).
  public init(
    unequalSamples samples: [(wavelength: Double, value: Double)], noise: Double = 0
  ) throws(InvalidSample) {
    _ = try Self.steps(of: samples, noise: noise)
    let first = samples[0].wavelength.rounded(.up)
    let last = samples[samples.count - 1].wavelength.rounded(.down)
    // No useful data is longer, and a file must not cause an unlimited allocation.
    guard last > first, last - first <= 100_000 else { throw .tooFew(samples.count) }
    var (values, next): ([Double], Int) = ([], 1)
    for wavelength in stride(from: first, through: last, by: 1) {
      while samples[next].wavelength < wavelength { next += 1 }
      let (low, high) = (samples[next - 1], samples[next])
      let share = (wavelength - low.wavelength) / (high.wavelength - low.wavelength)
      values.append(low.value * (1 - share) + high.value * share)
    }
    self.init(first: first, step: 1, values: values)
  }

  /// Checks samples for everything but equal steps, and returns their steps.
  private static func steps(
    of samples: [(wavelength: Double, value: Double)], noise: Double
  ) throws(InvalidSample) -> [Double] {
    guard samples.count >= 2 else { throw .tooFew(samples.count) }
    let least = noise > 0 ? -noise * samples.reduce(0) { max($0, $1.value) } : 0
    var steps: [Double] = []
    for (index, sample) in samples.enumerated() {
      let (wavelength, value) = sample
      guard wavelength > 0, wavelength.isFinite else { throw .wavelength(wavelength, index: index) }
      if index > 0 {
        let last = samples[index - 1].wavelength
        guard wavelength != last else { throw .repeated(wavelength: wavelength) }
        guard wavelength > last else { throw .falling(wavelength: wavelength, after: last) }
        steps.append(wavelength - last)
      }
      guard value.isFinite else { throw .notFinite(wavelength: wavelength, value: value) }
      guard value >= least else { throw .negative(wavelength: wavelength, value: value) }
    }
    return steps
  }

  /// An error in samples that are to become a table.
  public enum InvalidSample: Error, Hashable, Sendable, CustomStringConvertible {
    /// There are fewer than two samples, or too few for the table.
    case tooFew(Int)
    /// A wavelength is not a positive, finite number; `index` counts samples from 0.
    case wavelength(Double, index: Int)
    /// Two samples have the same wavelength.
    case repeated(wavelength: Double)
    /// A wavelength is less than the one before it.
    case falling(wavelength: Double, after: Double)
    /// A value is not finite.
    case notFinite(wavelength: Double, value: Double)
    /// A value is negative.
    case negative(wavelength: Double, value: Double)
    /// A step differs from `typical`, the median: there is a gap, or a sample between the others.
    case unequalStep(from: Double, to: Double, typical: Double)

    /// One sentence that states the error and its place.
    public var description: String {
      switch self {
      case .tooFew(let count): "a spectrum needs at least 2 samples, not \(count)"
      case .wavelength(let wavelength, let index):
        "the wavelength of sample \(index + 1), \(wavelength) nm, is not positive and finite"
      case .repeated(let wavelength): "\(wavelength) nm occurs twice; wavelengths must increase"
      case .falling(let wavelength, let last):
        "\(wavelength) nm comes after \(last) nm; wavelengths must increase"
      case .notFinite(let wavelength, let value):
        "the value at \(wavelength) nm, \(value), is not a finite number"
      case .negative(let wavelength, let value):
        "the value at \(wavelength) nm, \(value), is negative"
      case .unequalStep(let from, let to, let typical):
        "the step from \(from) nm to \(to) nm differs from the others, which are \(typical) nm"
      }
    }
  }
}
