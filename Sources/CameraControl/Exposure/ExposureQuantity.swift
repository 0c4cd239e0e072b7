internal import ColorScience

/// A quantity that describes an exposure.
public enum ExposureQuantity: Hashable, Sendable {
  /// The exposure time, in seconds.
  case duration
  /// The gain relative to the smallest.
  case amplification
  /// The exposure, in stops above middle gray.
  case stops

  /// Returns a message that a value is out of range.
  func refusal(of value: Double, allowed: ClosedRange<Double>) -> String {
    let (noun, scale, unit) =
      switch self {
      case .duration: ("an exposure", 1000.0, " ms")
      case .amplification: ("a gain", 1.0, "")
      case .stops: ("an exposure", 1.0, " stops")
      }
    func text(_ value: Double) -> String {
      value.isFinite ? shortNumber(value) : value < 0 ? "the darkest" : "the brightest"
    }
    /// Returns a bound, rounded inwards so that the camera accepts the number as written.
    func bound(_ value: Double, inwards sign: Double) -> String {
      let written = text(value)
      guard let read = Double(written), sign * (read - value) < 0 else { return written }
      var unit = 1.0
      while unit > abs(value) { unit /= 10 }
      while 10 * unit <= abs(value) { unit *= 10 }
      return text(value + sign * 0.5e-3 * unit)
    }
    return "\(noun) of \(text(value * scale))\(unit) is out of the camera's current range: "
      + "\(bound(allowed.lowerBound * scale, inwards: 1)) to "
      + "\(bound(allowed.upperBound * scale, inwards: -1))\(unit)"
  }
}
