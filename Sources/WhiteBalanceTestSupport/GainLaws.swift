public import ColorScience
public import WhiteBalance

/// A conversion between chromaticities of lights and the gains that make a camera neutral under
/// them, whoever's.
public struct GainConversion: Sendable {
  /// The gains for a light; `nil` where there are none.
  public var gains: @Sendable (Chromaticity) -> Gains?
  /// The light of gains; `nil` where there is none.
  public var chromaticity: @Sendable (Gains) -> Chromaticity?
  /// The temperatures at which it claims to have gains, in mired: 1e6 divided by kelvin.
  public var mired: ClosedRange<Double>
  /// The tints at which it claims to have gains; 0…0 for a camera of which only the locus is known.
  public var tints: ClosedRange<Double>
  /// The error that it claims to stay within, of x and y.
  public var tolerance: Double

  /// A conversion of our types.
  ///
  /// - Precondition: `mired` is positive, and at least 20 wide.
  public init(
    mired: ClosedRange<Double> = 100...400, tints: ClosedRange<Double> = -30...30,
    tolerance: Double = 1e-9, gains: @escaping @Sendable (Chromaticity) -> Gains?,
    chromaticity: @escaping @Sendable (Gains) -> Chromaticity?
  ) {
    precondition(
      mired.lowerBound > 0 && mired.upperBound - mired.lowerBound >= 20, "too narrow a claim")
    self.mired = mired
    self.tints = tints
    self.gains = gains
    self.chromaticity = chromaticity
    self.tolerance = tolerance
  }

  /// That of a camera model.
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
    "from one black body to a cooler one the gain of blue grows against that of red",
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
    return gains[0].blue / gains[0].red < gains[1].blue / gains[1].red
      ? nil : "\(gains[0]) at \(kelvins[0]) K and \(gains[1]) at \(kelvins[1]) K"
  }

  /// The gains of a light tell the light.
  public static let gainsLeadBack = Law(
    "gains lead back", "the gains for a light are positive and tell that light",
    for: { .lights(mired: $0.mired, tints: $0.tints) }
  ) { subject, light in
    let xy = Chromaticity(light)
    guard let gains = subject.gains(xy) else { return "no gains for \(xy)" }
    guard gains.arePositiveAndFinite else { return "\(gains)" }
    guard let back = subject.chromaticity(gains) else { return "\(gains) tell no light" }
    return subject.differ(xy, back) ? "\(xy) comes back from \(gains) as \(back)" : nil
  }

  /// Gains twice as large make the same light neutral.
  public static let onlyRatiosCount = Law(
    "only ratios count", "gains that differ by a factor tell the same light",
    for: {
      zip(.lights(mired: $0.mired, tints: $0.tints), .number(in: 0.01...100, simplest: 2))
    }
  ) { subject, input in
    guard let gains = subject.gains(Chromaticity(input.0)) else { return "no gains" }
    guard let light = subject.chromaticity(gains),
      let other = subject.chromaticity(Gains(vector: gains.vector * input.1))
    else { return "\(gains), or \(input.1) times as much, tell no light" }
    return subject.differ(light, other) ? "\(light) and \(other)" : nil
  }

  /// A light that the camera cannot be made neutral under gets no gains, rather than others.
  public static let noClampedGains = Law(
    "no clamped gains", "any light gets no gains, or gains that tell it",
    for: { _ in .chromaticities }
  ) { subject, xy in
    guard let gains = subject.gains(xy) else { return nil }
    // No numbers are no gains.
    guard gains.vector.sum().isFinite else { return nil }
    guard xy.isFinite, gains.arePositiveAndFinite else { return "\(gains)" }
    guard let back = subject.chromaticity(gains) else { return nil }
    let size = max(1, abs(xy.x), abs(xy.y))
    let most = 1e3 * subject.tolerance * size * size
    return abs(back.x - xy.x) <= most && abs(back.y - xy.y) <= most
      ? nil : "\(gains), which tell \(back)"
  }
}

extension GainConversion {
  fileprivate func differ(_ a: Chromaticity, _ b: Chromaticity) -> Bool {
    !(abs(a.x - b.x) <= tolerance && abs(a.y - b.y) <= tolerance)
  }
}

/// A function that tells gains from what a camera makes of a neutral surface.
public struct NeutralGains: Sendable {
  /// The gains for a response; `nil` where there are none.
  public var gains: @Sendable (LinearRGB) -> Gains?
  /// The relative error that it claims to stay within.
  public var tolerance: Double

  /// A function of our types.
  public init(tolerance: Double = 1e-12, _ gains: @escaping @Sendable (LinearRGB) -> Gains?) {
    self.gains = gains
    self.tolerance = tolerance
  }
}

extension Law<NeutralGains> {
  /// All laws of such functions.
  public static let all = [neutralizes, exposureLeavesGains]

  /// What the gains are for.
  public static let neutralizes = Law(
    "neutralizes", "gains make the three channels of a neutral equal", for: { _ in .responses }
  ) { subject, response in
    guard let gains = subject.gains(response) else { return "no gains" }
    guard gains.arePositiveAndFinite else { return "\(gains)" }
    let balanced = response.vector * gains.vector
    return balanced.max() - balanced.min() <= subject.tolerance * balanced.max()
      ? nil : "\(gains) make it \(balanced.x), \(balanced.y), \(balanced.z)"
  }

  /// More light of the same color needs the same gains.
  public static let exposureLeavesGains = Law(
    "exposure leaves gains", "a response and its double, or any multiple, have the same gains",
    for: { _ in zip(.responses, .number(in: 0.01...1, simplest: 0.5)) }
  ) { subject, input in
    guard let gains = subject.gains(input.0),
      let other = subject.gains(LinearRGB(input.0.vector * input.1))
    else { return "no gains" }
    guard gains.arePositiveAndFinite, other.arePositiveAndFinite else {
      return "\(gains), and \(other)"
    }
    let change = (other.vector / gains.vector - 1).map { abs($0) }.max()
    return change <= subject.tolerance
      ? nil : "\(gains), and \(other) of \(input.1) times the light"
  }
}

extension SIMD3<Double> {
  fileprivate func map(_ transform: (Double) -> Double) -> SIMD3 {
    SIMD3(transform(x), transform(y), transform(z))
  }
}

/// A function that gives gains of the same color whose smallest is 1.
public struct GainNormalization: Sendable {
  /// The function.
  public var normalized: @Sendable (Gains) -> Gains

  /// A function of our types.
  public init(_ normalized: @escaping @Sendable (Gains) -> Gains) { self.normalized = normalized }
}

extension Law<GainNormalization> {
  /// All laws of such functions.
  public static let all = [smallestIsOne, normalizationKeepsColor, normalizationIsIdempotent]

  private static func values(_: GainNormalization) -> Generator<Gains> { .gains(in: 0.01...100) }

  /// Nothing is lost: with the smallest gain 1 no channel that clips stays below white.
  public static let smallestIsOne = Law(
    "the smallest is 1", "the smallest of normalized gains is 1", for: values
  ) { subject, gains in
    let result = subject.normalized(gains)
    return result.arePositiveAndFinite && result.vector.min() == 1 ? nil : "\(result)"
  }

  /// Only the size changes.
  public static let normalizationKeepsColor = Law(
    "normalization keeps the color", "normalizing multiplies all channels by one number",
    for: values
  ) { subject, gains in
    let result = subject.normalized(gains)
    guard result.arePositiveAndFinite else { return "\(result)" }
    let factors = result.vector / gains.vector
    return factors.max() - factors.min() <= 1e-14 * factors.max()
      ? nil : "red, green, blue are multiplied by \(factors.x), \(factors.y), \(factors.z)"
  }

  /// Once is enough.
  public static let normalizationIsIdempotent = Law(
    "normalization is idempotent", "normalizing twice gives what normalizing once gives",
    for: values
  ) { subject, gains in
    let once = subject.normalized(gains)
    let twice = subject.normalized(once)
    return once == twice ? nil : "\(once), then \(twice)"
  }
}

/// A function that tells whether all gains lie in a range, whose ends belong to it.
public struct GainValidation: Sendable {
  /// The function.
  public var accepts: @Sendable (Gains, ClosedRange<Double>) -> Bool

  /// A function of our types.
  public init(_ accepts: @escaping @Sendable (Gains, ClosedRange<Double>) -> Bool) {
    self.accepts = accepts
  }
}

extension Law<GainValidation> {
  /// All laws of such functions.
  public static let all = [validationIsExact]

  /// The ends of a range belong to it, and the next number beyond does not, in each channel.
  public static let validationIsExact = Law(
    "validation is exact",
    "gains at the ends of a range are accepted, and the next number beyond an end refused",
    for: { _ in
      zip(
        .number(in: 0.01...2, simplest: 1), .number(in: 2...100, simplest: 4),
        .element(of: ColorChannel.allCases))
    }
  ) { subject, input in
    let (low, high, channel) = input
    func gains(_ value: Double, others: Double) -> Gains {
      Gains(
        red: channel == .red ? value : others, green: channel == .green ? value : others,
        blue: channel == .blue ? value : others)
    }
    for (inside, outside) in [(low, low.nextDown), (high, high.nextUp)] {
      if !subject.accepts(gains(inside, others: low), low...high) {
        return "\(gains(inside, others: low)) is refused in \(low)…\(high)"
      }
      if subject.accepts(gains(outside, others: high), low...high) {
        return "\(gains(outside, others: high)) is accepted in \(low)…\(high)"
      }
    }
    return subject.accepts(gains(.nan, others: low), low...high)
      ? "\(channel.rawValue) that is not a number is accepted" : nil
  }
}
