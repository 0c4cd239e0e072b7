public import ColorScience
public import WhiteBalance

/// Temperatures in kelvin at which published methods and tables switch formulas or end.
private let seams = [1000, 1667, 2222, 3077, 4000, 5000, 6504, 7000, 25_000, 40_000, 100_000.0]

extension Generator<Double> {
  /// Temperatures in kelvin, uniformly distributed in mired; the simplest is 5000 K.
  ///
  /// - Parameter mired: the range, 1…1000 by default; 0 is an infinite temperature. The limits and
  ///   the temperatures at which published methods switch formulas are edge cases.
  public static func temperatures(mired: ClosedRange<Double> = 1...1000) -> Generator {
    precondition(mired.lowerBound >= 0, "`mired` must not be negative")
    let kelvins = 1e6 / mired.upperBound...1e6 / mired.lowerBound
    let simplest = min(max(5000, kelvins.lowerBound), kelvins.upperBound)
    func shrinkable(_ kelvin: Double) -> Shrinkable<Double> {
      .number(kelvin, in: kelvins, simplest: simplest)
    }
    let edges = [simplest, kelvins.lowerBound, kelvins.upperBound] + seams
    return Generator(edgeCases: edges.filter(kelvins.contains).map(shrinkable)) { random in
      .number(
        min(max(1e6 / .random(in: mired, using: &random), kelvins.lowerBound), kelvins.upperBound),
        in: kelvins, simplest: simplest)
    }
  }

  /// Tints, uniformly distributed; the simplest is 0.
  public static func tints(_ range: ClosedRange<Double> = -150...150) -> Generator {
    number(in: range, simplest: min(max(0, range.lowerBound), range.upperBound))
  }
}

extension Generator<TemperatureAndTint> {
  /// Temperatures and tints, by default within the limits in which CIE defines a correlated
  /// temperature.
  public static func lights(
    mired: ClosedRange<Double> = 1...1000, tints: ClosedRange<Double> = -150...150
  ) -> Generator {
    zip(.temperatures(mired: mired), .tints(tints)).map {
      TemperatureAndTint(temperature: $0, tint: $1)
    }
  }
}

extension Generator<Chromaticity> {
  private static func pairs(
    x: ClosedRange<Double>, y: ClosedRange<Double>, edgeCases: [Double] = []
  ) -> Generator {
    zip(
      .number(in: x, simplest: 0.3, edgeCases: edgeCases),
      .number(in: y, simplest: 0.3, edgeCases: edgeCases)
    ).map { Chromaticity(x: $0, y: $1) }
  }

  /// Chromaticities of lights that are white or colored to the eye: x 0.2…0.55, y 0.2…0.5.
  public static let nearChromaticities = pairs(x: 0.2...0.55, y: 0.2...0.5)

  /// Chromaticities of all lights, and some that no light can have: x and y −0.5…1.5.
  public static let farChromaticities = pairs(x: -0.5...1.5, y: -0.5...1.5, edgeCases: [0, 1])

  /// Pairs that are hardly chromaticities: x and y up to ±10⁹, zeros, points without an image in
  /// CIE 1960, and NaN.
  public static let absurdChromaticities = oneOf(
    pairs(x: -1e9...1e9, y: -1e9...1e9, edgeCases: [0, 1, 1e-300]), pairs(x: -10...10, y: -10...10)
  ).always(
    Chromaticity(x: .nan, y: .nan), Chromaticity(x: .nan, y: 0.3), Chromaticity(x: 0.3, y: .nan),
    Chromaticity(x: .infinity, y: 0.3), Chromaticity(x: 0.3, y: -.infinity),
    Chromaticity(x: 1.5, y: 0))

  /// Near, far and absurd chromaticities, a third each.
  public static let chromaticities = oneOf(
    nearChromaticities, farChromaticities, absurdChromaticities)

  /// The inputs for a conversion that must not clamp: any chromaticity. For a conversion without
  /// tint, which cannot distinguish lights of one temperature, these are only the lights that it is
  /// defined for.
  static func chromaticities(mired: ClosedRange<Double>, tints: ClosedRange<Double>) -> Generator {
    tints.lowerBound < tints.upperBound
      ? .chromaticities
      : Generator<TemperatureAndTint>.lights(mired: mired, tints: tints).map { Chromaticity($0) }
  }
}

extension Generator<Gains> {
  /// Gains with every channel in a range; simpler ones are nearer to 1.
  public static func gains(in range: ClosedRange<Double>) -> Generator {
    let channel = Generator<Double>.number(
      in: range, simplest: min(max(1, range.lowerBound), range.upperBound))
    return zip(channel, channel, channel).map { Gains(red: $0, green: $1, blue: $2) }
  }

  /// Gains of all sizes: those of cameras, those out of every range, and some that no device can
  /// have.
  public static let gains = oneOf(
    gains(in: 1...4), gains(in: 0.01...100), gains(in: -10...1e12)
  ).always(
    Gains(red: .nan, green: 1, blue: 1), Gains(red: 1, green: .infinity, blue: 1),
    Gains(red: 1, green: 1, blue: 0),
    Gains(red: .leastNonzeroMagnitude, green: 1, blue: .greatestFiniteMagnitude))
}

extension Generator<LinearRGB> {
  /// A camera's responses to a neutral surface: each channel is in 0.01…1; the simplest is 1.
  public static let responses = {
    let channel = Generator<Double>.number(in: 0.01...1, simplest: 1)
    return zip(channel, channel, channel).map { LinearRGB(red: $0, green: $1, blue: $2) }
  }()
}
