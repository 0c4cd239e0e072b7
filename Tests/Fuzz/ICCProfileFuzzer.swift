import ColorScience
import ICCProfiles

let seeds: [[UInt8]] = [
  try! ICCInputProfile(
    name: "camera",
    matrix: Matrix3x3(
      SIMD3(0.53, -0.02, -0.03), SIMD3(-0.62, 1.33, 0.33), SIMD3(-0.08, 0.12, 0.67)),
    light: StandardIlluminant.d65.chromaticity
  ).encoded(), try! ICCDisplayProfile.sRGB(),
]

/// Checks that the matrix of a profile has finite numbers, and that its curves can be read.
func test(_ bytes: [UInt8]) {
  if let matrix = Matrix3x3(iccProfile: bytes), !matrix.elements.allSatisfy(\.isFinite) {
    fatalError("a matrix without finite numbers")
  }
  if let transfer = TransferFunction(iccProfile: bytes), !transfer.linear(0.5).isFinite {
    fatalError("a curve without finite values")
  }
}
