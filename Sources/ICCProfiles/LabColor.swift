internal import CLittleCMS
public import ColorScience

/// A color in CIE 1976 L*a*b*.
public struct LabColor: Hashable, Sendable {
  /// Lightness: 0 black, 100 the white.
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

  /// The color of tristimulus values seen against a white.
  public init(_ xyz: XYZ, white: XYZ) {
    var white = cmsCIEXYZ(X: white.x, Y: white.y, Z: white.z)
    var color = cmsCIEXYZ(X: xyz.x, Y: xyz.y, Z: xyz.z)
    var lab = cmsCIELab()
    unsafe cmsXYZ2Lab(&white, &lab, &color)
    self.init(l: lab.L, a: lab.a, b: lab.b)
  }

  /// The CIEDE2000 difference, with k_L = k_C = k_H = 1.
  ///
  /// Error: agrees with the published pairs to their four decimals (`LabColorTests`). Source: ISO/CIE
  /// 11664-6:2022, by Little CMS.
  public func ciede2000(to other: LabColor) -> Double {
    var first = cmsCIELab(L: l, a: a, b: b)
    var second = cmsCIELab(L: other.l, a: other.a, b: other.b)
    return unsafe cmsCIE2000DeltaE(&first, &second, 1, 1, 1)
  }
}
