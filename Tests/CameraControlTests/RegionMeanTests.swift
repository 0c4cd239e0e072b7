import ColorScience
import Testing
import WhiteBalance
import WhiteBalanceTestSupport

@testable import CameraControl
@testable import CameraProfiles

struct RegionMeanTests {
  /// The uncertainty of a channel's ratio is stated if noise takes that channel down to black while
  /// the others are bright; halving the light in the channel confirms it.
  @Test func noiseAtBlack() throws {
    let layout = try FrameLayout(
      width: 200, height: 200, format: .rgb8, blackLevel: 20, transfer: .linear)
    func seen(red: Double) throws -> RegionMean {
      var random = SeededRandom(seed: 7)
      var bytes: [UInt8] = []
      for _ in 0..<200 * 200 {
        bytes.append(UInt8((20 + red + Double.random(in: -6...6, using: &random)).rounded()))
        bytes += [120, 100]
      }
      return try RegionMean(
        bytes.span, layout: layout, estimator: GrayCardEstimator(), mixing: nil)
    }
    let (dark, bright, clear) = try (seen(red: 4), seen(red: 8), seen(red: 20))
    let miss = abs(try #require(dark.ratios).x - #require(bright.ratios).x - logarithm(0.5))
    #expect(miss > 0.1 && miss < 1.1 * (dark.darkness + bright.darkness), "\(miss), \(dark)")
    #expect(clear.darkness == 0)
  }
}
