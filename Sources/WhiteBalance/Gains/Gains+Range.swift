extension Gains {
  /// Returns these gains unchanged if they are in a range, whose limits belong to it.
  ///
  /// - Throws: `GainRangeError`, which names every channel that is out of range.
  @discardableResult
  public func validated(in range: GainRange) throws(GainRangeError) -> Gains {
    let violations = ColorChannel.allCases.compactMap { channel -> GainRangeError.Violation? in
      range[channel].contains(self[channel])
        ? nil
        : GainRangeError.Violation(channel: channel, gain: self[channel], allowed: range[channel])
    }
    if violations.isEmpty { return self }
    throw GainRangeError(violations: violations, nearest: rescaled(into: range))
  }

  /// Checks these gains against one range for all channels and returns them unchanged.
  ///
  /// - Throws: `GainRangeError`, which names every channel that is out of range.
  @discardableResult
  public func validated(in range: ClosedRange<Double>) throws(GainRangeError) -> Gains {
    try validated(in: GainRange(range))
  }

  /// Returns the nearest gains of the same chromaticity in a range; `nil` if there are none.
  public func rescaled(into range: GainRange) -> Gains? {
    guard arePositiveAndFinite else { return nil }
    var low = 0.0
    var high = Double.infinity
    for channel in ColorChannel.allCases {
      low = max(low, range[channel].lowerBound / self[channel])
      high = min(high, range[channel].upperBound / self[channel])
    }
    guard low <= high, high > 0 else { return nil }
    let factor = min(max(1, low), high)
    // The division above may have rounded outward; the limits of a range are exact numbers.
    func end(_ value: Double, _ allowed: ClosedRange<Double>) -> Double {
      min(max(value * factor, allowed.lowerBound), allowed.upperBound)
    }
    return Gains(
      red: end(red, range.red), green: end(green, range.green), blue: end(blue, range.blue))
  }
}
