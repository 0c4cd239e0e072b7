/// A point of the CIE 1960 uniform chromaticity scale diagram, in which correlated color
/// temperature is defined.
public struct UCS1960: Hashable, Sendable, CustomStringConvertible {
  /// The horizontal coordinate.
  public var u: Double
  /// The vertical coordinate.
  public var v: Double

  /// A point from its coordinates.
  public init(u: Double, v: Double) {
    self.u = u
    self.v = v
  }

  /// The point of a chromaticity; NaN on the line −2x + 12y + 3 = 0.
  public init(_ chromaticity: Chromaticity) {
    let factor = 1 / chromaticity.uniformDenominator
    self.init(u: 4 * chromaticity.x * factor, v: 6 * chromaticity.y * factor)
  }

  /// Text such as `u 0.1978, v 0.3122`.
  public var description: String { "u \(fixed(u, decimals: 4)), v \(fixed(v, decimals: 4))" }
}
