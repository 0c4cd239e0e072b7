internal import ColorScience

/// What an exposure is described by.
public enum ExposureQuantity: Hashable, Sendable {
  /// Seconds of exposure.
  case duration
  /// Amplification beside the smallest.
  case amplification
  /// Stops of light above middle gray.
  case stops

  /// What is outside a range, in words.
  func refusal(of value: Double, allowed: ClosedRange<Double>) -> String {
    let (noun, scale, unit) =
      switch self {
      case .duration: ("an exposure", 1000.0, " ms")
      case .amplification: ("an amplification", 1.0, "")
      case .stops: ("an exposure", 1.0, " stops")
      }
    func text(_ value: Double) -> String {
      value.isFinite ? shortNumber(value) : value < 0 ? "the darkest" : "the brightest"
    }
    /// A bound, rounded so that the camera accepts what is written.
    func bound(_ value: Double, inwards sign: Double) -> String {
      let written = text(value)
      guard let read = Double(written), sign * (read - value) < 0 else { return written }
      var unit = 1.0
      while unit > abs(value) { unit /= 10 }
      while 10 * unit <= abs(value) { unit *= 10 }
      return text(value + sign * 0.5e-3 * unit)
    }
    return "\(noun) of \(text(value * scale))\(unit) is beyond what the camera can do now: "
      + "\(bound(allowed.lowerBound * scale, inwards: 1)) to "
      + "\(bound(allowed.upperBound * scale, inwards: -1))\(unit)"
  }
}
