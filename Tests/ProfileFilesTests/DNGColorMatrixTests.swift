import ColorScience
import ProfileFiles
import Testing
import WhiteBalance

struct DNGColorMatrixTests {
  /// A reader that keeps four decimals gets a matrix with the light's response, on another scale.
  @Test(arguments: ["A", "D65", "FL11"])
  func theLightIsKept(name: String) throws {
    let light = try #require(StandardIlluminant(named: name)).chromaticity
    let camera = Matrix3x3(
      SIMD3(0.646123, -0.116437, -0.085711), SIMD3(-0.382549, 1.159738, 0.253412),
      SIMD3(-0.074833, 0.153628, 0.632157))
    let exact = LinearRGB(camera * XYZ(light).vector)
    let rounded = DNGProfile.colorMatrix(
      Matrix3x3(diagonal: SIMD3(3, 3, 3)) * camera, keeping: light)
    for number in rounded.elements {
      #expect(abs(number * 10_000 - (number * 10_000).rounded()) < 1e-9)
    }
    let found = LinearRGB(rounded * XYZ(light).vector)
    let (ratios, truth) = (found.vector / found.green, exact.vector / exact.green)
    let miss = ratios / truth - SIMD3(1, 1, 1)
    #expect(max(miss.max(), -miss.min()) <= 5e-5, "\(miss)")
  }
}
