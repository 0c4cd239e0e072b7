#if ICC
public import ColorScience

/// How far a surface that should be gray is from the neutral of its lightness.
public struct NeutralDifference: Hashable, Sendable {
  /// The surface's color, against the white of sRGB.
  public let lab: LabColor
  /// The CIEDE2000 difference to the same lightness with a* = b* = 0.
  public let ciede2000: Double

  /// The difference of a linear sRGB color (1 is the white).
  public init(linearSRGB: LinearRGB) {
    let space = RGBColorSpace.sRGB
    lab = LabColor(
      XYZ(space.toXYZ * linearSRGB.vector), white: XYZ(space.toXYZ * SIMD3(1, 1, 1)))
    ciede2000 = lab.ciede2000(to: LabColor(l: lab.l, a: 0, b: 0))
  }
}
#endif
