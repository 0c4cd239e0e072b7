public import ColorScience
public import WhiteBalance

/// A gray card that was made neutral.
public struct NeutralizedCard: Hashable, Sendable {
  /// What was set, and the frame that shows it; its remainder is what the picture still lacks.
  public let applied: AppliedWhiteBalance
  /// The card as it looks now.
  public let estimate: GrayCardEstimate
  /// The camera's response to the card at the controls' reference, green 1: a calibration shot.
  public let response: LinearRGB
}
