/// Why the estimate from a gray card cannot be trusted.
public struct GrayCardError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The reasons, of which there is at least one.
  public let refusals: [GrayCardEstimate.Refusal]

  /// All that is wrong.
  public var description: String { refusals.sentence }
}
