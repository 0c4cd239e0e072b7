public import WhiteBalance

/// A function under test that checks whether all gains are in a range, limits included.
public struct GainValidation: Sendable {
  /// The function.
  public var accepts: @Sendable (Gains, ClosedRange<Double>) -> Bool

  /// Creates a subject from a function of this package's types.
  public init(_ accepts: @escaping @Sendable (Gains, ClosedRange<Double>) -> Bool) {
    self.accepts = accepts
  }
}

extension Law<GainValidation> {
  /// All laws of such functions.
  public static let all = [validationIsExact]

  /// In each channel, the limits of a range are accepted and the next number beyond them is not.
  public static let validationIsExact = Law(
    "validation is exact",
    "gains at the limits of a range are accepted, and the next numbers beyond them refused",
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
        return "\(exactly(gains(inside, others: low))) is refused in \(low)…\(high)"
      }
      if subject.accepts(gains(outside, others: high), low...high) {
        return "\(exactly(gains(outside, others: high))) is accepted in \(low)…\(high)"
      }
    }
    return subject.accepts(gains(.nan, others: low), low...high)
      ? "a \(channel.rawValue) gain that is not a number is accepted" : nil
  }
}
