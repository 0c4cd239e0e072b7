/// The shots that would reduce the error of a camera's gains.
public struct ExpectedShots<Shot: Hashable & Sendable>: Hashable, Sendable {
  /// The error of gains expected without a further shot: 0.01 is 1 %.
  public let expectedError: Double
  /// The shots, the best first.
  public let shots: [Shot]
}
