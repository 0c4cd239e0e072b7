public import WhiteBalance

/// A region that may show a gray card.
public struct CardProposal: Hashable, Sendable {
  /// An upright rectangle inside the card.
  public let region: PixelRectangle
  /// How much the surface looks like a card, and how much less every other one does, from 0 to 1;
  /// not a probability.
  public let confidence: Double
}
