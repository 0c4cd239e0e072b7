/// A point of the CIE 1976 uniform chromaticity scale diagram, which is that of 1960 with v
/// stretched by 3/2.
public struct UCS1976: Hashable, Sendable, CustomStringConvertible {
  /// u′, equal to u of 1960.
  public var uPrime: Double
  /// v′, 3/2 of v of 1960.
  public var vPrime: Double

  /// A point from its coordinates.
  public init(uPrime: Double, vPrime: Double) {
    self.uPrime = uPrime
    self.vPrime = vPrime
  }

  /// The point of a chromaticity; NaN on the line −2x + 12y + 3 = 0.
  public init(_ chromaticity: Chromaticity) {
    let denominator = chromaticity.uniformDenominator
    self.init(uPrime: 4 * chromaticity.x / denominator, vPrime: 9 * chromaticity.y / denominator)
  }

  /// Text such as `u′ 0.1978, v′ 0.4683`.
  public var description: String {
    "u′ \(fixed(uPrime, decimals: 4)), v′ \(fixed(vPrime, decimals: 4))"
  }
}
