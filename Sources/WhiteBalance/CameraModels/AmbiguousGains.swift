public import ColorScience

/// Gains that make more than one light neutral, according to a camera model.
public struct AmbiguousGains: Error, Hashable, Sendable, CustomStringConvertible {
  /// The gains.
  public let gains: Gains
  /// All the lights that the gains make neutral.
  public let lights: [Chromaticity]

  /// One sentence that states the error.
  public var description: String {
    "the gains \(gains.red), \(gains.green), \(gains.blue) make \(lights.count) lights neutral: "
      + lights.map { "x \($0.x), y \($0.y)" }.joined(separator: "; ")
  }
}
