import ColorScience
import Testing
import WhiteBalance
import WhiteBalanceTestSupport

struct FrameMeanTests {
  /// In every format the mean of two frames is between them, and a clipped sample stays clipped.
  @Test(arguments: [
    PixelFormat.rgb8, .rgb16, .bayer(.rggb, bits: 10), .packedBayer(.rggb, bits: 10),
    .packedBayer(.gbrg, bits: 12), .packedBayer(.bggr, bits: 14), .subsampled(.nv12), .rgbHalf,
    .rgbFloat,
  ])
  func betweenTheFrames(format: PixelFormat) throws {
    let layout = try FrameLayout(width: 16, height: 8, format: format)
    func frame(_ level: Double) throws -> Frame {
      var frame = RenderedFrame(layout, seed: 1)
      frame.render { _, _, _ in SIMD3(level, 0.5, 0.3) }
      return try frame.frame
    }
    func mean(_ first: Double, _ second: Double) throws -> SIMD3<Double> {
      var mean = FrameMean(layout)
      for level in [first, second] { mean.add(try frame(level).bytes.span) }
      let bytes = mean.bytes()
      return try FrameStatistics(bytes.span, layout: layout).mean.vector
    }
    let found = try mean(0.4, 0.42)
    #expect(abs(found.x - 0.41) < 0.006 && abs(found.y - 0.5) < 0.006, "\(found)")
    guard format.isInteger, case .unsigned = format.sample, format.samplesPerPixel < 4,
      format != .subsampled(.nv12)
    else { return }
    var clipped = FrameMean(layout)
    for level in [2.0, 0.9] { clipped.add(try frame(level).bytes.span) }
    let bytes = clipped.bytes()
    #expect(try FrameStatistics(bytes.span, layout: layout).pixels.redClipped > 0)
  }
}
