import ColorScience
import ICCProfiles

let seeds: [[UInt8]] = [
  try! ICCInputProfile(
    name: "camera",
    matrix: Matrix3x3(
      SIMD3(0.53, -0.02, -0.03), SIMD3(-0.62, 1.33, 0.33), SIMD3(-0.08, 0.12, 0.67)),
    light: StandardIlluminant.d65.chromaticity
  ).bytes()
]

/// Checks that a profile that can be read has finite numbers, and can be written or causes an
/// error.
func test(_ bytes: [UInt8]) {
  guard let profile = try? ICCInputProfile(reading: bytes) else { return }
  guard profile.light.isFinite else { fatalError("a light without a chromaticity") }
  if let written = try? profile.bytes(), written.isEmpty { fatalError("an empty profile") }
}
