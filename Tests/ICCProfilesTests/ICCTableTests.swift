import CWbcalLittleCMS
import ColorScience
import Foundation
import ICCProfiles
import Testing

/// Tests of tables of colors that no matrix represents, as read by Little CMS.
struct ICCTableTests {
  private static let white = ICCInputProfile.connectionWhite

  /// A matrix whose blue colorant has a negative Y, with a root, which makes it nonlinear.
  private static func color(_ rgb: LinearRGB) -> XYZ {
    let matrix = Matrix3x3(
      SIMD3(0.62, 0.2, 0.1442), SIMD3(0.25, 0.9, -0.2), SIMD3(0.02, -0.2, 0.9549))
    let root = (max(rgb.red, 0) * max(rgb.green, 0)).squareRoot()
    return XYZ(matrix * rgb.vector + (root - rgb.green) * SIMD3(0, 0.05, 0.05))
  }

  private static func profile() throws -> ICCInputProfile {
    try ICCInputProfile(
      name: "Desk", matrix: Matrix3x3(diagonal: SIMD3(1, 1, 1)),
      light: StandardIlluminant.a.chromaticity)
  }

  @Test(arguments: [INTENT_PERCEPTUAL, INTENT_RELATIVE_COLORIMETRIC])
  func colorsAreThose(intent: Int32) throws {
    let bytes = try Self.profile().encodedTable(colors: Self.color)
    let input = try unsafe #require(cmsOpenProfileFromMem(bytes, UInt32(bytes.count)))
    let lab = try unsafe #require(cmsCreateLab4Profile(nil))
    defer {
      unsafe cmsCloseProfile(input)
      unsafe cmsCloseProfile(lab)
    }
    #expect(unsafe cmsGetPCS(input) == cmsSigLabData)
    #expect(unsafe cmsIsMatrixShaper(input) == 0)
    // TYPE_RGB_DBL and TYPE_Lab_DBL of lcms2.h.
    let (rgbType, labType): (UInt32, UInt32) = (
      1 << 22 | 4 << 16 | 3 << 3, 1 << 22 | 10 << 16 | 3 << 3
    )
    let transform = try unsafe #require(
      cmsCreateTransform(
        input, rgbType, lab, labType, UInt32(intent),
        UInt32(cmsFLAGS_NOOPTIMIZE)))
    defer { unsafe cmsDeleteTransform(transform) }
    // Most of these colors lie between nodes of the table.
    let lights = (0..<17).map { 0.006 * pow(1.37, Double($0)) }
    for red in lights {
      for green in lights where (0.4...2.5).contains(green / red) {
        for blue in lights where (0.4...2.5).contains(blue / green) {
          var (rgb, found) = ([red, green, blue], [0.0, 0, 0])
          unsafe cmsDoTransform(transform, &rgb, &found, 1)
          let shown = LabColor(l: found[0], a: found[1], b: found[2])
          let expected = LabColor(
            Self.color(LinearRGB(red: red, green: green, blue: blue)), white: Self.white)
          let limit = expected.l < 20 ? 0.5 : 0.2
          #expect(shown.ciede2000(to: expected) <= limit, "\(rgb) \(shown) \(expected)")
        }
      }
    }
  }

  @Test func aTableIsNoMatrix() throws {
    let bytes = try Self.profile().encodedTable(colors: Self.color)
    #expect(Matrix3x3(iccProfile: bytes) == nil)
  }
}
