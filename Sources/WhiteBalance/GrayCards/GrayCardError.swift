/// The reasons why the estimate from a gray card cannot be trusted.
public struct GrayCardError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The reasons, at least one.
  public let refusals: [GrayCardEstimate.Refusal]

  /// All reasons as one text.
  public var description: String { refusals.sentence }
}
