extension SpectralDistribution {
  /// A table from samples as an instrument or a file gives them: wavelengths in nanometers that
  /// rise in equal steps, and values that are not negative.
  ///
  /// Steps may differ by a hundredth, as they do where wavelengths are written with few digits; the
  /// table's step is then their mean.
  ///
  /// - Throws: `InvalidSample` for the first sample that does not fit, with its wavelength
  ///   (`SpectralSampleTests`). Complexity: O(n log n).
  public init(samples: [(wavelength: Double, value: Double)]) throws(InvalidSample) {
    guard samples.count >= 2 else { throw .tooFew(samples.count) }
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
      guard value >= 0 else { throw .negative(wavelength: wavelength, value: value) }
    }
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

  /// Why samples do not make a table.
  public enum InvalidSample: Error, Hashable, Sendable, CustomStringConvertible {
    /// There are fewer than two, so that there is no step.
    case tooFew(Int)
    /// A wavelength is not a positive, finite number; `index` counts samples from 0.
    case wavelength(Double, index: Int)
    /// Two samples have the same wavelength.
    case repeated(wavelength: Double)
    /// A wavelength is less than the one before.
    case falling(wavelength: Double, after: Double)
    /// A value is not a number or not finite.
    case notFinite(wavelength: Double, value: Double)
    /// A value is negative.
    case negative(wavelength: Double, value: Double)
    /// A gap, or a sample between the others: a step that differs from `typical`, the median.
    case unequalStep(from: Double, to: Double, typical: Double)

    /// One sentence that says what is wrong, and where.
    public var description: String {
      switch self {
      case .tooFew(let count): "a spectrum needs two samples or more, and there are \(count)"
      case .wavelength(let wavelength, let index):
        "the wavelength of sample \(index + 1), \(wavelength) nm, is not positive and finite"
      case .repeated(let wavelength): "\(wavelength) nm comes twice; wavelengths must rise"
      case .falling(let wavelength, let last):
        "\(wavelength) nm comes after \(last) nm; wavelengths must rise"
      case .notFinite(let wavelength, let value):
        "the value at \(wavelength) nm, \(value), is not a finite number"
      case .negative(let wavelength, let value):
        "the value at \(wavelength) nm, \(value), is negative"
      case .unequalStep(let from, let to, let typical):
        "the step from \(from) nm to \(to) nm differs from the others, which are of \(typical) nm"
      }
    }
  }
}
