import WbcalArguments
import ColorScience
import Foundation
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

  /// A camera's ICC profile under a light, as a file holds it.
  static func iccProfile(
    of camera: String, matrix: Matrix3x3, light: Light, isVersion2: Bool
  ) throws -> Data {
    #if ICC
    do {
      let profile = try ICCInputProfile(
        name: "\(camera) under \(light.name)", matrix: matrix, light: light.chromaticity)
      return Data(try profile.bytes(version: isVersion2 ? .two : .four))
    } catch { throw Failure.badData("\(camera): \(error)") }
    #else
    throw lack
    #endif
  }
}
