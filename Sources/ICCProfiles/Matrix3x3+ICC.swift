#if ICC
internal import CWbcalLittleCMS
public import ColorScience

extension Matrix3x3 {
  /// Creates the matrix of a picture's ICC profile, from linear red, green and blue to XYZ under
  /// D50, with Y = 1 for white.
  ///
  /// Returns `nil` for a profile without the three colorants, such as one with tables.
  ///
  /// Error: that of the profile's numbers, 2⁻¹⁶ (`ToneCurveTests`). Complexity: O(bytes).
  public init?(iccProfile bytes: [UInt8]) {
    let columns = unsafe LittleCMSSession.reading(bytes) { session, profile in
      unsafe cmsGetPCS(profile) == cmsSigXYZData
        ? ICCInputProfile.colorants.compactMap { unsafe session.vector(of: profile, $0) } : nil
    }
    guard let columns, columns.count == 3 else { return nil }
    self.init(columns: columns[0], columns[1], columns[2])
    guard inverse != nil else { return nil }
  }
}
#endif
