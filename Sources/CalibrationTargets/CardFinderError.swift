import ColorScience
public import WhiteBalance

/// A reason why no card can be proposed.
public enum CardFinderError: Error, Hashable, Sendable, CustomStringConvertible {
  /// No surface of one color is large enough, evenly lit, and neither clipped nor dark.
  case nothingUniform
  /// No surface has a color that a neutral card would have under a typical illuminant.
  case notNeutral
  /// The surfaces have no rectangular outline inside the frame.
  case noOutline
  /// The surface that looks most like a card has less than the accepted confidence.
  case doubtful(confidence: Double)
  /// The frame has too few bytes, or too few pixels to read.
  case frame(FrameError)

  /// One sentence that states the reason.
  public var description: String {
    switch self {
    case .nothingUniform:
      "no evenly lit surface of uniform color, neither clipped nor dark, is large enough for a "
        + "card (6 % of the frame, or the given size)"
    case .notNeutral: "the surfaces of uniform color are too colorful for a gray card"
    case .noOutline: "no surface of uniform color has the outline of a card inside the frame"
    case .doubtful(let confidence):
      "the surface that looks most like a card is not a clear match (confidence "
        + "\(fixed(confidence, decimals: 2)))"
    case .frame(let error): "\(error)"
    }
  }
}
