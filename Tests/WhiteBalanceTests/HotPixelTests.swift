import Testing
import WhiteBalance
import WhiteBalanceTestSupport

struct HotPixelTests {
  /// A pixel is hot if it is more than 5 standard deviations above the median of its plane.
  @Test func fiveStandardDeviations() throws {
    let layout = try FrameLayout(width: 200, height: 200, format: .bayer(.rggb, bits: 12))
    var random = SeededRandom(seed: 3)
    let bytes = (0..<200 * 200).flatMap { index -> [UInt8] in
      // One of 500 pixels is 4.6 deviations off, and one of 1000 pixels is 5.4.
      let deviations = index % 500 == 7 ? 4.6 : index % 1000 == 9 ? 5.4 : random.normal()
      let code = Int((1000 + 40 * deviations).rounded())
      return [UInt8(code & 255), UInt8(code >> 8)]
    }
    let planes = try DarkFrame(Frame(layout: layout, bytes: bytes)).planes
    #expect(planes.reduce(0) { $0 + $1.hotPixels } == 40)
  }
}
