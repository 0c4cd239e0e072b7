/// A color in CIE 1976 L\*a\*b\*.
///
/// ```swift
/// let white = XYZ(StandardIlluminant.d50.chromaticity)
/// let paper = LabColor(XYZ(x: 0.86, y: 0.90, z: 0.72), white: white)
/// print(paper)  // L* 96.00, a* -1.44, b* 1.98
/// print(paper.ciede2000(to: paper.neutral))  // 2.754…, how far it is from gray
/// ```
///
/// Source: CIE 015:2018 §8.2.1, ISO/CIE 11664-4:2019, with the exact constants 216/24389 and
/// 24389/27, with which the straight piece meets the cube root. Nothing is clamped: negative
/// tristimulus values follow the straight piece, and values above the white's follow the cube root.
public struct LabColor: Hashable, Sendable, Codable, CustomStringConvertible {
  /// Lightness: 0 for black, 100 for the white.
  public var l: Double
  /// Positive towards red, negative towards green.
  public var a: Double
  /// Positive towards yellow, negative towards blue.
  public var b: Double

  /// A color from its coordinates.
  public init(l: Double, a: Double, b: Double) {
    self.l = l
    self.a = a
    self.b = b
  }

  /// A color from its lightness, chroma and hue angle in degrees.
  public init(l: Double, chroma: Double, hue: Double) {
    let point = PolarCoordinates(radius: chroma, degrees: hue)
    self.init(l: l, a: point.x, b: point.y)
  }

  /// The color of tristimulus values seen against a white on the same scale.
  ///
  /// Domain: any tristimulus values. Error: ≤ 1e-12 for X, Y, Z in ±3 (`CIELABTests`). Edge cases:
  /// NaN unless X, Y and Z of the white are positive and finite. Complexity: O(1).
  public init(_ xyz: XYZ, white: XYZ) {
    let white = white.asWhite
    // a* and b* are differences of f, which is (L* + 16)/116.
    let x = lightness(xyz.x / white.x)
    let y = lightness(xyz.y / white.y)
    let z = lightness(xyz.z / white.z)
    self.init(l: y, a: 500 * (x - y) / 116, b: 200 * (y - z) / 116)
  }

  /// The color of linear light in an RGB space, seen against that space's own white.
  public init(_ linear: LinearRGB, in space: RGBColorSpace) {
    self.init(XYZ(space.toXYZ * linear.vector), white: XYZ(space.toXYZ * SIMD3(1, 1, 1)))
  }

  /// The gray of the same lightness.
  public var neutral: LabColor { LabColor(l: l, a: 0, b: 0) }

  /// C\*ab, the distance from neutral.
  public var chroma: Double { PolarCoordinates(x: a, y: b).radius }

  /// h_ab in degrees, 0 ≤ h < 360: 0 towards red, 90 towards yellow; also 0 for a\* = b\* = 0.
  public var hue: Double { PolarCoordinates(x: a, y: b).degrees }

  /// Text such as `L* 53.24, a* 80.09, b* 67.20`.
  public var description: String {
    "L* \(fixed(l, decimals: 2)), a* \(fixed(a, decimals: 2)), b* \(fixed(b, decimals: 2))"
  }
}

extension XYZ {
  /// The tristimulus values of a color in L\*a\*b\* under a white.
  ///
  /// Error: ≤ 1e-15 for X, Y, Z in ±3 (`CIELABTests`). Edge cases: NaN unless X, Y and Z of the
  /// white are positive and finite.
  public init(_ lab: LabColor, white: XYZ) {
    let white = white.asWhite
    self.init(
      x: white.x * luminance(lab.l + 116 * lab.a / 500), y: white.y * luminance(lab.l),
      z: white.z * luminance(lab.l - 116 * lab.b / 200))
  }

  /// These values if they are positive and finite, as those of a white must be; otherwise NaN.
  var asWhite: XYZ { LinearRGB(vector).isPositive ? self : XYZ(SIMD3(repeating: .nan)) }
}

/// Returns L\* of a luminance relative to the white's.
func lightness(_ relative: Double) -> Double {
  relative > 216 / 24389 ? 116 * cubeRoot(relative) - 16 : relative * 24389 / 27
}

/// Returns the luminance, relative to the white's, of a value of L\*.
func luminance(_ lightness: Double) -> Double {
  let root = (lightness + 16) / 116
  return lightness > 8 ? root * root * root : lightness * 27 / 24389
}
