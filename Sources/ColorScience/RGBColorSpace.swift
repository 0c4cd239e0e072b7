/// A linear RGB space, derived from its primaries and its white.
public struct RGBColorSpace: Hashable, Sendable {
  /// From linear red, green, blue to XYZ with Y = 1 for the white.
  public let toXYZ: Matrix3x3
  /// From XYZ to linear red, green, blue.
  public let fromXYZ: Matrix3x3

  /// The space whose red = green = blue is the white; `nil` where three of the four points lie on one
  /// line.
  public init?(red: Chromaticity, green: Chromaticity, blue: Chromaticity, white: Chromaticity) {
    func column(_ c: Chromaticity) -> SIMD3<Double> { SIMD3(c.x, c.y, 1 - c.x - c.y) }
    let (r, g, b) = (column(red), column(green), column(blue))
    let primaries = Matrix3x3(
      SIMD3(r.x, g.x, b.x), SIMD3(r.y, g.y, b.y), SIMD3(r.z, g.z, b.z))
    guard let inverse = primaries.inverse else { return nil }
    let toXYZ = primaries * Matrix3x3(diagonal: inverse * XYZ(white).vector)
    guard let fromXYZ = toXYZ.inverse else { return nil }
    self.toXYZ = toXYZ
    self.fromXYZ = fromXYZ
  }

  /// The primaries and white of sRGB and Rec. ITU-R BT.709; `white` is (0.3127, 0.3290).
  ///
  /// Source: IEC 61966-2-1:1999, table 1.
  public static let sRGB = RGBColorSpace(
    red: Chromaticity(x: 0.64, y: 0.33), green: Chromaticity(x: 0.30, y: 0.60),
    blue: Chromaticity(x: 0.15, y: 0.06), white: Chromaticity(x: 0.3127, y: 0.3290))!
}
