internal import ColorScience

/// Gains that a device does not accept.
public struct GainRangeError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A channel out of its range.
  public struct Violation: Hashable, Sendable {
    /// The channel.
    public let channel: ColorChannel
    /// Its gain.
    public let gain: Double
    /// The range of the channel.
    public let allowed: ClosedRange<Double>

    /// The gain divided by the limit that it violates: above 1 if the gain is too large, below 1 if
    /// it is too small, NaN if it is not a number.
    public var factor: Double {
      gain / (gain > allowed.upperBound ? allowed.upperBound : allowed.lowerBound)
    }
  }

  /// Every channel that is out of range, in the order red, green, blue.
  public let violations: [Violation]
  /// The nearest gains of the same chromaticity that are in range; `nil` if there are none.
  public let nearest: Gains?

  /// The channels out of range, by how much, and the nearest gains that are in range.
  public var description: String {
    let parts = violations.map { violation in
      let gain = shortNumber(violation.gain)
      if violation.gain <= 0 { return "\(violation.channel.rawValue) gain \(gain) is not positive" }
      if violation.gain > violation.allowed.upperBound {
        return
          "\(violation.channel.rawValue) gain \(gain) is \(percent(violation.factor - 1)) above "
          + "the largest, \(shortNumber(violation.allowed.upperBound))"
      }
      if violation.gain < violation.allowed.lowerBound {
        return
          "\(violation.channel.rawValue) gain \(gain) is \(percent(1 - violation.factor)) below "
          + "the smallest, \(shortNumber(violation.allowed.lowerBound))"
      }
      return "\(violation.channel.rawValue) gain is not a number"
    }
    let fit =
      nearest.map { "nearest gains in range with this color: \($0)" }
      ?? "no gains with this color are in range"
    return parts.joined(separator: "; ") + "; " + fit
  }

  private func percent(_ value: Double) -> String { shortNumber(value * 100) + " %" }
}
