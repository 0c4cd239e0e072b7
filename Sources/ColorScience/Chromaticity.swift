/// A CIE 1931 chromaticity.
///
/// ```swift
/// let white = Chromaticity(x: 0.3127, y: 0.3290)
/// print(UCS1960(white))            // u 0.1978, v 0.3122
/// print(XYZ(white, luminance: 1))  // X 0.9505, Y 1.0000, Z 1.0891
/// ```
///
/// Domain: any pair of numbers; nothing is clamped, and chromaticities outside the spectral locus
/// are allowed. Source: CIE 015:2018.
public struct Chromaticity: Hashable, Sendable, Codable, CustomStringConvertible {
  /// X/(X + Y + Z).
  public var x: Double
  /// Y/(X + Y + Z).
  public var y: Double

  /// A chromaticity from its coordinates.
  public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }

  /// The chromaticity of tristimulus values; NaN if their sum is zero.
  public init(_ xyz: XYZ) {
    let sum = xyz.x + xyz.y + xyz.z
    // 0/0 is NaN, but x/0 would be an infinity that later turns into a plausible number.
    self = sum == 0 ? Chromaticity(x: .nan, y: .nan) : Chromaticity(x: xyz.x / sum, y: xyz.y / sum)
  }

  /// The chromaticity at a point of the CIE 1960 diagram; not finite where 2u − 8v + 4 = 0.
  public init(_ ucs: UCS1960) {
    let factor = 1 / (2 * ucs.u - 8 * ucs.v + 4)
    self.init(x: 3 * ucs.u * factor, y: 2 * ucs.v * factor)
  }

  /// The chromaticity at a point of the CIE 1976 diagram; not finite where 6u′ − 16v′ + 12 = 0.
  public init(_ ucs: UCS1976) {
    let denominator = 6 * ucs.uPrime - 16 * ucs.vPrime + 12
    self.init(x: 9 * ucs.uPrime / denominator, y: 4 * ucs.vPrime / denominator)
  }

  /// `true` if both coordinates are finite.
  public var isFinite: Bool { x.isFinite && y.isFinite }

  /// Text such as `x 0.3127, y 0.3290`.
  public var description: String { "x \(fixed(x, decimals: 4)), y \(fixed(y, decimals: 4))" }

  var uniformSum: Double { -2 * x + 12 * y + 3 }

  /// −2x + 12y + 3; NaN if only rounding error remains, which would give a plausible number.
  var uniformDenominator: Double {
    let sum = uniformSum
    return abs(sum) <= 0x1p-50 * (2 * abs(x) + 12 * abs(y) + 3) ? .nan : sum
  }
}
