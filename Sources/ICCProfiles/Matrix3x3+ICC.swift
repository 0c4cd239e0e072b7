#if ICC
internal import CWbcalLittleCMS
public import ColorScience

extension Matrix3x3 {
  /// The colors of a picture with an ICC profile: from its linear red, green and blue to XYZ under
  /// D50, in which white has Y = 1.
  ///
  /// Returns `nil` for a profile without the three colorants, as those of tables are.
  ///
  /// Error: that of the profile's numbers, 2⁻¹⁶ (`ToneCurveTests`). Complexity: O(bytes).
  public init?(iccProfile bytes: [UInt8]) {
    guard let session = try? LittleCMSSession(), let profile = unsafe session.open(bytes) else {
      return nil
    }
    defer { unsafe cmsCloseProfile(profile) }
    guard unsafe cmsGetColorSpace(profile) == cmsSigRgbData,
      unsafe cmsGetPCS(profile) == cmsSigXYZData
    else { return nil }
    let columns = ICCInputProfile.colorants.compactMap {
      unsafe session.vector(of: profile, $0)
    }
    guard columns.count == 3, session.messages.isEmpty else { return nil }
    self.init(columns: columns[0], columns[1], columns[2])
    guard inverse != nil else { return nil }
  }
}
#endif
