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
      value.isFinite ? shortNumber(value * scale) : value < 0 ? "the darkest" : "the brightest"
    }
    return "\(noun) of \(text(value))\(unit) is beyond what the camera can do now: "
      + "\(text(allowed.lowerBound)) to \(text(allowed.upperBound))\(unit)"
  }
}
