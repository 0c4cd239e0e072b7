public import ColorScience
public import WhiteBalance

/// A conversion under test between the chromaticities of lights and the gains that make a camera
/// neutral under them.
public struct GainConversion: Sendable {
  /// The gains for a light; `nil` if there are none.
  public var gains: @Sendable (Chromaticity) -> Gains?
  /// The light for which gains are right; `nil` if there is none.
  public var chromaticity: @Sendable (Gains) -> Chromaticity?
  /// The temperatures for which it claims to have gains, in mired: 1e6 divided by kelvin.
  public var mired: ClosedRange<Double>
  /// The tints for which it claims to have gains; 0…0 for a camera of which only the locus is
  /// known.
  public var tints: ClosedRange<Double>
  /// The claimed bound of the error of x and of y.
  public var tolerance: Double

  /// Creates a subject from the two functions of a conversion and its claims.
  ///
  /// - Precondition: `mired` is positive and at least 20 wide.
  public init(
    mired: ClosedRange<Double> = 100...400, tints: ClosedRange<Double> = -30...30,
    tolerance: Double = 1e-9, gains: @escaping @Sendable (Chromaticity) -> Gains?,
    chromaticity: @escaping @Sendable (Gains) -> Chromaticity?
  ) {
    precondition(
      mired.lowerBound > 0 && mired.upperBound - mired.lowerBound >= 20,
      "`mired` must be positive and at least 20 wide")
    self.mired = mired
    self.tints = tints
    self.gains = gains
    self.chromaticity = chromaticity
    self.tolerance = tolerance
  }

  /// Creates the conversion of a camera model.
  public init(
    _ model: some CameraModel, mired: ClosedRange<Double> = 100...400,
    tints: ClosedRange<Double> = -30...30, tolerance: Double = 1e-9
  ) {
    self.init(
      mired: mired, tints: tints, tolerance: tolerance, gains: { model.gains(for: $0) },
      chromaticity: { try? model.chromaticity(for: $0) })
  }
}

extension Law<GainConversion> {
  /// All laws of such conversions.
  public static let all = [
    warmLightNeedsBlue, gainsLeadBack, onlyRatiosCount, noClampedGains,
  ]

  /// Red and blue are not exchanged.
  public static let warmLightNeedsBlue = Law(
    "warm light needs blue",
    "the ratio of the gains of blue and red is larger for a cooler black body",
    for: { subject in
      let (low, high) = (subject.mired.lowerBound, subject.mired.upperBound)
      return zip(.temperatures(mired: low...high - 10), .number(in: 0.1...1, simplest: 1)).map {
        let mired = 1e6 / $0
        return [$0, 1e6 / (mired + max(10, $1 * min(100, high - mired)))]
      }
    }
  ) { subject, kelvins in
    let gains = kelvins.compactMap {
      subject.gains(Chromaticity(TemperatureAndTint(temperature: $0, tint: 0)))
    }
    guard gains.count == 2 else { return "no gains" }
    let ratios = gains.map { $0.blue / $0.red }
    return ratios[0] < ratios[1]
      ? nil
      : "blue/red is \(ratios[0]) at \(kelvins[0]) K, and not larger at \(kelvins[1]) K: "
        + "\(ratios[1])"
  }

  /// The gains for a light lead back to that light.
  public static let gainsLeadBack = Law(
    "gains convert back", "the gains for a light are positive and convert back to that light",
    for: { .lights(mired: $0.mired, tints: $0.tints) }
  ) { subject, light in
    let xy = Chromaticity(light)
    guard let gains = subject.gains(xy) else { return "no gains for \(exactly(xy))" }
    guard gains.arePositiveAndFinite else { return exactly(gains) }
    guard let back = subject.chromaticity(gains) else {
      return "\(exactly(gains)) correspond to no light"
    }
    return subject.difference(back, xy, atMost: subject.tolerance)
  }

  /// Gains twice as large make the same light neutral.
  public static let onlyRatiosCount = Law(
    "only ratios count", "gains that differ by a factor correspond to the same light",
    for: { zip(.lights(mired: $0.mired, tints: $0.tints), .number(in: 0.01...100, simplest: 2)) }
  ) { subject, input in
    guard let gains = subject.gains(Chromaticity(input.0)) else { return "no gains" }
    guard let light = subject.chromaticity(gains),
      let other = subject.chromaticity(Gains(gains.vector * input.1))
    else { return "\(exactly(gains)), or \(input.1) times as much, correspond to no light" }
    return subject.difference(other, light, atMost: subject.tolerance)
  }

  /// A light under which the camera cannot be made neutral has no gains, rather than wrong ones.
  ///
  /// A conversion without tint is tested only with claimed lights: it has the same gains for all
  /// lights of one temperature.
  public static let noClampedGains = Law(
    "no clamped gains", "a light has no gains, or gains that convert back to it",
    for: { subject in .chromaticities(mired: subject.mired, tints: subject.tints) }
  ) { subject, xy in
    guard let gains = subject.gains(xy) else { return nil }
    // NaN gains count as no answer.
    guard gains.vector.sum().isFinite else { return nil }
    guard xy.isFinite, gains.arePositiveAndFinite else { return exactly(gains) }
    guard let back = subject.chromaticity(gains) else { return nil }
    let size = max(1, abs(xy.x), abs(xy.y))
    return subject.difference(back, xy, atMost: 1e3 * subject.tolerance * size * size)
  }
}

extension GainConversion {
  /// Returns a text that states the difference of a light from the expected one, or `nil` if it is
  /// within a bound in x and y.
  fileprivate func difference(
    _ found: Chromaticity, _ expected: Chromaticity, atMost bound: Double
  ) -> String? {
    let (dx, dy) = (abs(found.x - expected.x), abs(found.y - expected.y))
    let error = dx <= bound ? dy : dx
    return excess(error, over: bound).map {
      "converts back to \(exactly(found)) instead of \(exactly(expected)): \($0)"
    }
  }
}
