import ColorScience
import WbcalArguments
import WbcalFoundation
import WhiteBalance

#if ICC
import ICCProfiles
#endif

/// The tool's uses of Little CMS. They are missing in a build without the trait `ICC`.
enum LittleCMS {
  #if ICC
  static let isAvailable = true
  #else
  static let isAvailable = false
  #endif

  static func require() throws { if !isAvailable { throw lack } }

  private static let lack = ValidationError("this build does not include Little CMS.")

  /// Returns the transfer function that an ICC profile's tone curves follow; `nil` for other
  /// curves.
  static func transfer(ofICCProfile bytes: [UInt8]) -> TransferFunction? {
    #if ICC
    TransferFunction(iccProfile: bytes)
    #else
    nil
    #endif
  }

  /// Returns the matrix from an ICC profile's linear red, green and blue to XYZ under D50; `nil` if
  /// it has no such matrix.
  static func matrix(ofICCProfile bytes: [UInt8]) -> Matrix3x3? {
    #if ICC
    Matrix3x3(iccProfile: bytes)
    #else
    nil
    #endif
  }

  /// Returns the file of a camera's ICC profile under a light. It uses a root polynomial in a table
  /// or the matrix from balanced RGB to XYZ under D50 if one is known, else the matrix from XYZ to
  /// the camera.
  static func iccProfile(
    of camera: String, toConnectionSpace: Matrix3x3?, table: RootPolynomial?, matrix: Matrix3x3,
    light: Light, isVersion2: Bool
  ) throws -> Data {
    #if ICC
    do {
      let name = "\(camera) under \(light.name)"
      let profile =
        try toConnectionSpace.map {
          ICCInputProfile(name: name, toConnectionSpace: $0, light: light.chromaticity)
        } ?? ICCInputProfile(name: name, matrix: matrix, light: light.chromaticity)
      if let table { return Data(try profile.encodedTable { XYZ(table($0)) }) }
      return Data(try profile.encoded(version: isVersion2 ? .two : .four))
    } catch { throw Failure.badData("\(camera): \(error)") }
    #else
    throw lack
    #endif
  }

  /// Returns the ICC profile of sRGB; `nil` in a build without Little CMS.
  static func sRGBProfile() throws -> [UInt8]? {
    #if ICC
    try ICCDisplayProfile.sRGB()
    #else
    nil
    #endif
  }

  /// Returns the ICC profile that marks a picture as linear; its red, green and blue are declared
  /// as those of sRGB.
  static func linearProfile() throws -> [UInt8] {
    #if ICC
    // IEC 61966-2-1.
    let matrix = Matrix3x3(
      SIMD3(3.2406, -1.5372, -0.4986), SIMD3(-0.9689, 1.8758, 0.0415),
      SIMD3(0.0557, -0.2040, 1.0570))
    return try ICCInputProfile(
      name: "linear sRGB", matrix: matrix, light: StandardIlluminant.d65.chromaticity
    ).encoded()
    #else
    throw lack
    #endif
  }
}
