internal import ColorScience

/// What an exposure is described by.
public enum ExposureQuantity: Hashable, Sendable {
  /// Seconds of exposure.
  case duration
  /// Amplification beside the smallest.
  case amplification
  /// Stops of light above middle gray.
  case stops

  func description(of value: Double) -> String {
    switch self {
    case .duration: "an exposure of \(shortNumber(value * 1000)) ms"
    case .amplification: "an amplification of \(shortNumber(value))"
    case .stops: "\(shortNumber(value)) stops"
    }
  }
}
