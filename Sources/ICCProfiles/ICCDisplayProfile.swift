#if ICC
internal import CWbcalLittleCMS

/// ICC profiles of displays.
public enum ICCDisplayProfile {
  /// Returns the profile of sRGB, version 4, as Little CMS creates it.
  ///
  /// Error: colors are within 0.001 of IEC 61966-2-1 in each linear channel
  /// (`ICCDisplayProfileTests`).
  ///
  /// - Throws: `ICCProfileError.littleCMS` if Little CMS cannot allocate memory.
  public static func sRGB() throws(ICCProfileError) -> [UInt8] {
    let session = try LittleCMSSession()
    guard let profile = unsafe cmsCreate_sRGBProfileTHR(session.context) else {
      throw session.failure
    }
    defer { unsafe cmsCloseProfile(profile) }
    return try unsafe session.bytes(of: profile)
  }
}
#endif
