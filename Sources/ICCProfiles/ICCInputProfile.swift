#if ICC
internal import CWbcalLittleCMS
public import ColorScience

/// An ICC profile of a camera under one lamp: a matrix from linear, white-balanced RGB to XYZ.
///
/// ```swift
/// import ColorScience
///
/// func profile(_ matrix: Matrix3x3) throws -> [UInt8] {
///   let light = StandardIlluminant.d50.chromaticity
///   return try ICCInputProfile(name: "desk", matrix: matrix, light: light).encoded()
/// }
/// ```
///
/// The profile is for pictures whose white-balance gains make the lamp neutral, so that equal
/// channels are gray. It does not apply to other lamps, and contains no gains. If a matrix cannot
/// represent the camera's colors, `encodedTable(colors:)` writes a table in its place.
///
/// Source: ICC.1:2022, three-component matrix-based input profiles (8.3.3).
public struct ICCInputProfile: Hashable, Sendable {
  /// The name of the profile. A file contains it in ASCII, with `?` for every other character.
  public var name: String
  /// The matrix from linear RGB to XYZ of the profile connection space, in which the lamp is
  /// adapted to D50. Its columns are the colorants.
  public var toConnectionSpace: Matrix3x3
  /// The chromaticity of the lamp in the scene.
  public var light: Chromaticity

  /// The white of ICC's profile connection space.
  public static let connectionWhite = XYZ(x: 0.9642, y: 1, z: 0.8249)

  /// Creates the profile of a camera under a lamp.
  ///
  /// - Parameters:
  ///   - name: the name of the profile.
  ///   - matrix: the matrix from XYZ to the camera's linear red, green and blue, on any scale.
  ///   - light: the chromaticity of the lamp in the scene.
  /// - Throws: `ICCProfileError.noColors` if the matrix has no inverse, a channel of the camera
  ///   does not respond to the lamp, or the lamp cannot be adapted to D50.
  public init(name: String, matrix: Matrix3x3, light: Chromaticity) throws(ICCProfileError) {
    let white = XYZ(light)
    let response = LinearRGB(matrix * white.vector)
    guard response.isPositive, let inverse = matrix.inverse,
      let adaptation = Self.adaptation(from: light)
    else { throw .noColors }
    self.init(
      name: name,
      toConnectionSpace: adaptation * inverse * Matrix3x3(diagonal: response.vector), light: light)
  }

  /// Creates the profile of a camera from a known matrix to colors under D50.
  ///
  /// - Parameters:
  ///   - name: the name of the profile.
  ///   - toConnectionSpace: the matrix from balanced linear RGB to XYZ, which gives
  ///     `connectionWhite` for (1, 1, 1).
  ///   - light: the chromaticity of the lamp in the scene.
  public init(name: String, toConnectionSpace: Matrix3x3, light: Chromaticity) {
    self.name = name
    self.light = light
    self.toConnectionSpace = toConnectionSpace
  }

  private static func adaptation(from light: Chromaticity) -> Matrix3x3? {
    ChromaticAdaptation(from: XYZ(light), to: connectionWhite, method: .bradford)?.matrix
  }

  /// A version of the format that can be written.
  public enum Version: Hashable, Sendable, CaseIterable {
    /// Version 2.4, for programs that read no other, such as Argyll.
    case two
    /// Version 4.3.
    case four
  }

  /// Returns the profile as a file. In version 4 the lamp is stored in the chromatic adaptation to
  /// D50, and in version 2 as the media white point.
  ///
  /// Error: numbers are rounded to 1/65 536 (`ICCInputProfileTests`).
  ///
  /// - Parameter version: the version of the format.
  /// - Throws: `ICCProfileError` if a number is too large for the format, or the lamp cannot be
  ///   adapted to D50.
  public func encoded(version: Version = .four) throws(ICCProfileError) -> [UInt8] {
    try unsafe file(version: version, connectionSpace: cmsSigXYZData) { session, profile in
      for (index, tag) in Self.colorants.enumerated() {
        let column = toConnectionSpace.rows.map { $0[index] }
        unsafe session.write(SIMD3(column[0], column[1], column[2]), to: profile, tag)
      }
      unsafe session.writeLinearCurve(to: profile, Self.curves)
    }
  }

  /// Returns the profile as a file with a table to CIELAB in place of the matrix, for colors that
  /// no matrix represents, such as those of a root polynomial. Channels are limited to 0…1.
  ///
  /// The file has version 2: in version 4 the perceptual intent, which most programs choose by
  /// default, assumes the black of a print and darkens shadows.
  ///
  /// Error: CIEDE2000 of 0.5 from L* 5 on, 0.2 from 20 on (`ICCTableTests`). Complexity: 36 000
  /// colors.
  ///
  /// - Parameter colors: the function from balanced linear RGB, each 0…1, to XYZ, which gives
  ///   `connectionWhite` for (1, 1, 1).
  /// - Throws: `ICCProfileError.noColors` for a lamp that cannot be adapted to D50.
  public func encodedTable(colors: (LinearRGB) -> XYZ) throws(ICCProfileError) -> [UInt8] {
    try unsafe file(version: .two, connectionSpace: cmsSigLabData) { session, profile in
      unsafe session.writeTable(to: profile) { LabColor(colors($0), white: Self.connectionWhite) }
    }
  }

  private func file(
    version: Version, connectionSpace: cmsColorSpaceSignature,
    _ writeColors: (LittleCMSSession, cmsHPROFILE) -> Void
  ) throws(ICCProfileError) -> [UInt8] {
    guard let adaptation = Self.adaptation(from: light),
      (adaptation.rows + toConnectionSpace.rows).allSatisfy({
        // The format's numbers have 16 bits before the binary point, one of which is the sign.
        $0.min() >= -32_768 && $0.max() < 32_767
      })
    else { throw .noColors }
    let session = try LittleCMSSession()
    guard let profile = unsafe cmsCreateProfilePlaceholder(session.context) else {
      throw session.failure
    }
    defer { unsafe cmsCloseProfile(profile) }
    unsafe cmsSetProfileVersion(profile, version == .two ? 2.4 : 4.3)
    unsafe cmsSetDeviceClass(profile, cmsSigInputClass)
    unsafe cmsSetColorSpace(profile, cmsSigRgbData)
    unsafe cmsSetPCS(profile, connectionSpace)
    unsafe session.write(text: name, to: profile, cmsSigProfileDescriptionTag)
    unsafe session.write(text: "No copyright, use freely", to: profile, cmsSigCopyrightTag)
    let white = version == .two ? XYZ(light) : Self.connectionWhite
    unsafe session.write(white.vector, to: profile, cmsSigMediaWhitePointTag)
    if version == .four {
      unsafe session.write(adaptation, to: profile, cmsSigChromaticAdaptationTag)
    }
    unsafe writeColors(session, profile)
    unsafe cmsMD5computeID(profile)
    return try unsafe session.bytes(of: profile)
  }

  static let colorants = [
    cmsSigRedColorantTag, cmsSigGreenColorantTag, cmsSigBlueColorantTag,
  ]
  static let curves = [cmsSigRedTRCTag, cmsSigGreenTRCTag, cmsSigBlueTRCTag]
}
#endif
