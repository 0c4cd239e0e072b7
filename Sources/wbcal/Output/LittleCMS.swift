import ColorScience
import WbcalArguments
import WbcalFoundation
import WhiteBalance

#if ICC
import ICCProfiles
#endif

/// What the tool does with Little CMS. A build without the trait `ICC` has none of it.
enum LittleCMS {
  #if ICC
  static let isAvailable = true
  #else
  static let isAvailable = false
  #endif

  static func require() throws { if !isAvailable { throw lack } }

  private static let lack = ValidationError("this build was made without Little CMS.")

  /// The transfer function that an ICC profile's tone curves follow; `nil` for any other.
  static func transfer(ofICCProfile bytes: [UInt8]) -> TransferFunction? {
    #if ICC
    TransferFunction(iccProfile: bytes)
    #else
    nil
    #endif
  }

  /// From linear red, green and blue of an ICC profile to XYZ under D50; `nil` where it has no such
  /// matrix.
  static func matrix(ofICCProfile bytes: [UInt8]) -> Matrix3x3? {
    #if ICC
    Matrix3x3(iccProfile: bytes)
    #else
    nil
    #endif
  }

  /// A camera's ICC profile under a light, as a file holds it: by the matrix from balanced RGB to
  /// XYZ under D50 where that is known, or such a root polynomial in a table, else by that from XYZ
  /// to the camera.
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
      if let table { return Data(try profile.tableBytes { XYZ(table($0)) }) }
      return Data(try profile.bytes(version: isVersion2 ? .two : .four))
    } catch { throw Failure.badData("\(camera): \(error)") }
    #else
    throw lack
    #endif
  }

  /// The ICC profile of sRGB; `nil` in a build without Little CMS.
  static func sRGBProfile() throws -> [UInt8]? {
    #if ICC
    try ICCDisplayProfile.sRGB()
    #else
    nil
    #endif
  }

  /// What says of a picture that its light is linear; its red, green and blue are called sRGB's.
  static func linearProfile() throws -> [UInt8] {
    #if ICC
    // IEC 61966-2-1.
    let matrix = Matrix3x3(
      SIMD3(3.2406, -1.5372, -0.4986), SIMD3(-0.9689, 1.8758, 0.0415),
      SIMD3(0.0557, -0.2040, 1.0570))
    return try ICCInputProfile(
      name: "linear sRGB", matrix: matrix, light: StandardIlluminant.d65.chromaticity
    ).bytes()
    #else
    throw lack
    #endif
  }
}
