public import WhiteBalance

/// A function under test that scales gains so that the smallest is 1.
public struct GainNormalization: Sendable {
  /// The function.
  public var normalized: @Sendable (Gains) -> Gains

  /// Creates a subject from a function of this package's types.
  public init(_ normalized: @escaping @Sendable (Gains) -> Gains) { self.normalized = normalized }
}

extension Law<GainNormalization> {
  /// All laws of such functions.
  public static let all = [smallestIsOne, normalizationKeepsColor, normalizationIsIdempotent]

  private static func values(_: GainNormalization) -> Generator<Gains> { .gains(in: 0.01...100) }

  /// Normalizing keeps white: with no gain below 1, a channel that clips stays at white.
  public static let smallestIsOne = Law(
    "the smallest is 1", "the smallest of normalized gains is 1", for: values
  ) { subject, gains in
    let result = subject.normalized(gains)
    return result.arePositiveAndFinite && result.vector.min() == 1 ? nil : exactly(result)
  }

  /// All factors change by a common factor.
  public static let normalizationKeepsColor = Law(
    "normalization keeps the color", "normalizing multiplies all channels by the same number",
    for: values
  ) { subject, gains in
    let result = subject.normalized(gains)
    guard result.arePositiveAndFinite else { return exactly(result) }
    let factors = result.vector / gains.vector
    return factors.max() - factors.min() <= 1e-14 * factors.max()
      ? nil
      : "red, green, blue are multiplied by \(factors.x), \(factors.y), \(factors.z) instead of by "
        + "the same number, to 1e-14"
  }

  /// Normalizing a second time changes nothing.
  public static let normalizationIsIdempotent = Law(
    "normalization is idempotent", "normalizing twice gives the same as normalizing once",
    for: values
  ) { subject, gains in
    let once = subject.normalized(gains)
    let twice = subject.normalized(once)
    return once == twice ? nil : "\(exactly(once)), then \(exactly(twice))"
  }
}
