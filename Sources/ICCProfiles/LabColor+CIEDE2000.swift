#if ICC
internal import CWbcalLittleCMS
public import ColorScience

extension LabColor {
  /// The CIEDE2000 difference, with k_L = k_C = k_H = 1.
  ///
  /// Error: agrees with the published pairs to their four decimals (`LabColorTests`). Source:
  /// ISO/CIE 11664-6:2022, by Little CMS.
  public func ciede2000(to other: LabColor) -> Double {
    var first = cmsCIELab(L: l, a: a, b: b)
    var second = cmsCIELab(L: other.l, a: other.a, b: other.b)
    return unsafe cmsCIE2000DeltaE(&first, &second, 1, 1, 1)
  }
}
#endif
