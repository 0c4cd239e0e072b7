/// A color in CIE 1976 L\*u\*v\*.
///
/// Source: CIE 015:2018 §8.2.2, ISO/CIE 11664-5:2016, with the exact constants of `LabColor`.
/// Nothing is clamped: lightness below 0 and above 100 follows the formulas.
public struct LuvColor: Hashable, Sendable, Codable, CustomStringConvertible {
  /// Lightness, as in `LabColor`: 0 for black, 100 for the white.
  public var l: Double
  /// 13·L\*·(u′ − u′n): positive towards red, negative towards green.
  public var u: Double
  /// 13·L\*·(v′ − v′n): positive towards yellow, negative towards blue.
  public var v: Double

  /// A color from its coordinates.
  public init(l: Double, u: Double, v: Double) {
    self.l = l
    self.u = u
    self.v = v
  }

  /// A color from its lightness, chroma and hue angle in degrees.
  public init(l: Double, chroma: Double, hue: Double) {
    let point = PolarCoordinates(radius: chroma, degrees: hue)
    self.init(l: l, u: point.x, v: point.y)
  }

  /// The color of tristimulus values seen against a white on the same scale.
  ///
  /// Domain: any tristimulus values with X + 15Y + 3Z ≠ 0. Error: ≤ 1e-12 for X, Y, Z in ±3
  /// (`CIELUVTests`). Edge cases: X = Y = Z = 0 is black; Y = 0 with another X or Z gives L\* = 0,
  /// which has no chromaticity; u\* and v\* are NaN or infinite on X + 15Y + 3Z = 0; NaN unless X,
  /// Y and Z of the white are positive and finite. Complexity: O(1).
  public init(_ xyz: XYZ, white: XYZ) {
    let white = white.asWhite
    let neutral = uniform(white)
    // Black has no chromaticity; that of the white gives u* = v* = 0.
    let color = xyz == XYZ(x: 0, y: 0, z: 0) ? neutral : uniform(xyz)
    let l = lightness(xyz.y / white.y)
    self.init(l: l, u: 13 * l * (color.u - neutral.u), v: 13 * l * (color.v - neutral.v))
  }

  /// C\*uv, the distance from neutral.
  public var chroma: Double { PolarCoordinates(x: u, y: v).radius }

  /// h_uv in degrees, 0 ≤ h < 360: 0 towards red, 90 towards yellow; also 0 for u\* = v\* = 0.
  public var hue: Double { PolarCoordinates(x: u, y: v).degrees }

  /// Text such as `L* 53.24, u* 80.09, v* 67.20`.
  public var description: String {
    "L* \(fixed(l, decimals: 2)), u* \(fixed(u, decimals: 2)), v* \(fixed(v, decimals: 2))"
  }
}

extension XYZ {
  /// The tristimulus values of a color in L\*u\*v\* under a white.
  ///
  /// Error: ≤ 2e-15 for the colors of `CIELUVTests`. Edge cases: L\* = u\* = v\* = 0 is black; L\*
  /// = 0 with another u\* or v\* is no color and gives NaN; not finite for v′ = 0; NaN unless X, Y
  /// and Z of the white are positive and finite.
  public init(_ luv: LuvColor, white: XYZ) {
    let white = white.asWhite
    guard luv.l != 0 else {
      let scale = luv.u == 0 && luv.v == 0 ? 0 : Double.nan
      self.init(scale * white.vector)
      return
    }
    let neutral = uniform(white)
    let u = luv.u / (13 * luv.l) + neutral.u
    let v = luv.v / (13 * luv.l) + neutral.v
    let y = white.y * luminance(luv.l)
    self.init(x: y * 9 * u / (4 * v), y: y, z: y * (12 - 3 * u - 20 * v) / (4 * v))
  }
}

/// Returns u′ and v′ without computing x and y, which are not finite if X + Y + Z = 0.
private func uniform(_ xyz: XYZ) -> (u: Double, v: Double) {
  let sum = xyz.x + 15 * xyz.y + 3 * xyz.z
  return (4 * xyz.x / sum, 9 * xyz.y / sum)
}
