import ColorScience

/// The gains that a device accepts, channel by channel.
public struct GainRange: Hashable, Sendable, Codable {
  /// Accepted factors of red.
  public var red: ClosedRange<Double>
  /// Accepted factors of green; 1…1 where a device has no control for it.
  public var green: ClosedRange<Double>
  /// Accepted factors of blue.
  public var blue: ClosedRange<Double>

  /// A range for each channel.
  public init(
    red: ClosedRange<Double>, green: ClosedRange<Double>, blue: ClosedRange<Double>
  ) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  /// One range for all channels.
  public init(_ all: ClosedRange<Double>) { self.init(red: all, green: all, blue: all) }

  /// The range of a channel.
  public subscript(channel: ColorChannel) -> ClosedRange<Double> {
    switch channel {
    case .red: red
    case .green: green
    case .blue: blue
    }
  }
}

/// One of the three channels of a camera.
public enum ColorChannel: String, CaseIterable, Hashable, Sendable, Codable {
  /// The long-wave channel.
  case red
  /// The middle channel, to which gains are usually related.
  case green
  /// The short-wave channel.
  case blue
}

extension Gains {
  /// The factor of a channel.
  public subscript(channel: ColorChannel) -> Double {
    switch channel {
    case .red: red
    case .green: green
    case .blue: blue
    }
  }

  /// These gains, checked: nothing is changed, and the ends of a range belong to it.
  ///
  /// - Throws: `GainRangeError`, which names every channel that is out of range.
  @discardableResult
  public func validated(in range: GainRange) throws(GainRangeError) -> Gains {
    let violations = ColorChannel.allCases.compactMap { channel -> GainRangeError.Violation? in
      range[channel].contains(self[channel])
        ? nil
        : GainRangeError.Violation(
          channel: channel, gain: self[channel], allowed: range[channel])
    }
    if violations.isEmpty { return self }
    throw GainRangeError(violations: violations, nearest: rescaled(into: range))
  }

  /// These gains, checked against one range for all channels.
  ///
  /// - Throws: `GainRangeError`, which names every channel that is out of range.
  @discardableResult
  public func validated(in range: ClosedRange<Double>) throws(GainRangeError) -> Gains {
    try validated(in: GainRange(range))
  }

  /// The gains of the same chromaticity that lie in a range and differ least from these; `nil` if
  /// there are none.
  public func rescaled(into range: GainRange) -> Gains? {
    guard areUsable else { return nil }
    var low = 0.0
    var high = Double.infinity
    for channel in ColorChannel.allCases {
      low = max(low, range[channel].lowerBound / self[channel])
      high = min(high, range[channel].upperBound / self[channel])
    }
    guard low <= high, high > 0 else { return nil }
    let factor = min(max(1, low), high)
    // The division above may have rounded outwards; the ends of a range are exact numbers.
    func end(_ value: Double, _ allowed: ClosedRange<Double>) -> Double {
      min(max(value * factor, allowed.lowerBound), allowed.upperBound)
    }
    return Gains(
      red: end(red, range.red), green: end(green, range.green), blue: end(blue, range.blue))
  }
}

/// Gains that a device does not accept.
public struct GainRangeError: Error, Hashable, Sendable {
  /// A channel out of its range.
  public struct Violation: Hashable, Sendable {
    /// The channel.
    public let channel: ColorChannel
    /// Its gain.
    public let gain: Double
    /// The range it is not in.
    public let allowed: ClosedRange<Double>

    /// By how much the gain misses: the ratio to the nearer end, above 1 if too large, below 1 if
    /// too small. NaN if the gain is.
    public var factor: Double {
      gain / (gain > allowed.upperBound ? allowed.upperBound : allowed.lowerBound)
    }
  }

  /// Every channel that is out of range, in the order red, green, blue.
  public let violations: [Violation]
  /// The nearest gains of the same chromaticity that fit, if there are any.
  public let nearest: Gains?
}

extension GainRangeError: CustomStringConvertible {
  /// Every channel out of range and by how much, and what would fit.
  public var description: String {
    let parts = violations.map { violation in
      let gain = shortNumber(violation.gain)
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
      nearest.map {
        "gains of the same color that fit: red \(shortNumber($0.red)), green "
          + "\(shortNumber($0.green)), blue \(shortNumber($0.blue))"
      } ?? "no gains of this color fit"
    return parts.joined(separator: "; ") + "; " + fit
  }

  private func percent(_ value: Double) -> String { shortNumber(value * 100) + " %" }
}
