import WbcalArguments
import ColorScience
import Foundation
import WhiteBalance

#if ICC
import ICCProfiles
#endif

/// What the tool does through Little CMS, which a build may be made without.
enum LittleCMS {
  #if ICC
  static let isAvailable = true
  #else
  static let isAvailable = false
  #endif

  static func require() throws {
    guard isAvailable else { throw lack }
  }

  private static let lack = ValidationError("this build was made without Little CMS.")

  /// A color, and its CIEDE2000 difference to the neutral of its lightness.
  static func neutralDifference(
    ofLinearSRGB color: LinearRGB
  ) throws -> (lab: LabColor, ciede2000: Double) {
    #if ICC
    let difference = NeutralDifference(linearSRGB: color)
    return (difference.lab, difference.ciede2000)
    #else
    throw lack
    #endif
  }

  /// The function that the tone curves of an ICC profile are, if it is known.
  static func toneCurve(ofICCProfile bytes: [UInt8]) -> TransferFunction? {
    #if ICC
    TransferFunction(iccProfile: bytes)
    #else
    nil
    #endif
  }

  /// The file of a camera's ICC profile under a light.
  static func iccProfile(of camera: String, matrix: Matrix3x3, light: Light) throws -> Data {
    #if ICC
    do {
      let profile = try ICCInputProfile(
        name: "\(camera) under \(light.name)", matrix: matrix, light: light.chromaticity)
      return Data(try profile.bytes())
    } catch {
      throw Failure(message: "\(camera): \(error)", code: .badData)
    }
    #else
    throw lack
    #endif
  }
}
