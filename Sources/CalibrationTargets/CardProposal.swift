public import WhiteBalance

/// A region that may show a gray card.
public struct CardProposal: Hashable, Sendable {
  /// An upright rectangle inside the card.
  public let region: PixelRectangle
  /// The likeness of the surface to a card, reduced if another surface is similarly like one, from
  /// 0 to 1; not a probability.
  public let confidence: Double
}
