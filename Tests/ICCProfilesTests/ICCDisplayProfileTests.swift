import ColorScience
import ICCProfiles
import Testing

/// Tests of the profile of sRGB, read by this package.
struct ICCDisplayProfileTests {
  @Test func sRGB() throws {
    let bytes = try ICCDisplayProfile.sRGB()
    #expect(TransferFunction(iccProfile: bytes) == .sRGB)
    let matrix = try #require(Matrix3x3(iccProfile: bytes))
    let space = RGBColorSpace.sRGB
    let adaptation = try #require(
      ChromaticAdaptation(from: XYZ(space.white), to: ICCInputProfile.connectionWhite))
    let truth = adaptation.matrix * space.toXYZ
    for (row, expected) in zip(matrix.rows, truth.rows) {
      for channel in 0..<3 { #expect(abs(row[channel] - expected[channel]) < 0.001) }
    }
  }
}
