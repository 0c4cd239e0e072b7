public import ColorScience
public import WhiteBalance

/// A function under test that computes gains from a camera's response to a neutral surface.
public struct NeutralGains: Sendable {
  /// The gains for a response; `nil` if there are none.
  public var gains: @Sendable (LinearRGB) -> Gains?
  /// The claimed bound of the relative error.
  public var tolerance: Double

  /// Creates a subject from a function and the error that it claims.
  public init(tolerance: Double = 1e-12, _ gains: @escaping @Sendable (LinearRGB) -> Gains?) {
    self.gains = gains
    self.tolerance = tolerance
  }
}

extension Law<NeutralGains> {
  /// All laws of such functions.
  public static let all = [neutralizes, exposureLeavesGains]

  /// The gains make the response neutral.
  public static let neutralizes = Law(
    "neutralizes", "gains make the three channels of a neutral surface equal",
    for: { _ in .responses }
  ) { subject, response in
    guard let gains = subject.gains(response) else { return "no gains" }
    guard gains.arePositiveAndFinite else { return exactly(gains) }
    let balanced = response.vector * gains.vector
    let error = (balanced.max() - balanced.min()) / balanced.max()
    return excess(error, " (relative)", over: subject.tolerance).map {
      "\(exactly(gains)) make it \(balanced.x), \(balanced.y), \(balanced.z): \($0)"
    }
  }

  /// A change of exposure leaves the gains unchanged.
  public static let exposureLeavesGains = Law(
    "exposure does not change gains", "a response and any multiple of it have the same gains",
    for: { _ in zip(.responses, .number(in: 0.01...1, simplest: 0.5)) }
  ) { subject, input in
    guard let gains = subject.gains(input.0),
      let other = subject.gains(LinearRGB(input.0.vector * input.1))
    else { return "no gains" }
    guard gains.arePositiveAndFinite, other.arePositiveAndFinite else {
      return "\(exactly(gains)), and \(exactly(other))"
    }
    let change = other.vector / gains.vector - 1
    return excess(pointwiseMax(change, -change).max(), " (relative)", over: subject.tolerance).map {
      "\(exactly(gains)), and \(exactly(other)) for \(input.1) times the response: \($0)"
    }
  }
}
