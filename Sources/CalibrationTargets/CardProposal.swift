public import WhiteBalance

/// A region that may show a gray card.
public struct CardProposal: Hashable, Sendable {
  /// An upright rectangle inside the card.
  public let region: PixelRectangle
  /// A score from 0 to 1 of how much the surface resembles a card, lower if another surface
  /// resembles one about as much. It is not a probability.
  public let confidence: Double
}
