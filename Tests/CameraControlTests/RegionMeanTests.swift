import ColorScience
import Testing
import WhiteBalance
import WhiteBalanceTestSupport

@testable import CameraControl

struct RegionMeanTests {
  /// A channel that noise takes down to black, in pixels that are bright in the others: its mean is
  /// that of all pixels, as half as much light in it shows.
  @Test func noiseAtBlack() throws {
    let layout = try FrameLayout(
      width: 200, height: 200, format: .rgb8, blackLevel: 20, transfer: .linear)
    func ratios(red: Double) throws -> SIMD2<Double> {
      var random = SeededRandom(seed: 7)
      var bytes: [UInt8] = []
      for _ in 0..<200 * 200 {
        bytes.append(UInt8((20 + red + Double.random(in: -6...6, using: &random)).rounded()))
        bytes += [120, 100]
      }
      let mean = try RegionMean(
        bytes.span, layout: layout, estimator: GrayCardEstimator(), mixing: nil)
      return try #require(mean.ratios)
    }
    let change = try ratios(red: 4) - ratios(red: 8)
    #expect(abs(exponential(change.x) - 0.5) < 0.01 && change.y == 0, "\(change)")
  }
}
