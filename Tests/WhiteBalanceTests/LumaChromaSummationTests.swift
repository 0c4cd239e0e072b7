import ColorScience
import Testing
import WhiteBalanceTestSupport

@testable import WhiteBalance

struct LumaChromaSummationTests {
  /// Every position and width of a small region is compared with the mean and variance of its
  /// pixels one by one: of codes if they are linear, otherwise of linear values.
  @Test(
    arguments: [PixelFormat.ChromaLayout.yuyv, .uyvy, .nv12, .nv21, .yu12],
    [TransferFunction.linear, .sRGB])
  func smallRegions(chroma: PixelFormat.ChromaLayout, transfer: TransferFunction) throws {
    let layout = try FrameLayout(
      width: 10, height: 4, format: .subsampled(chroma), transfer: transfer)
    var random = SeededRandom(seed: 5)
    let bytes = (0..<layout.byteCount).map { _ in UInt8(100 + random.next() % 50) }
    for x in 0..<5 {
      for y in 0..<2 {
        for width in 1...5 {
          for (start, end) in [(0, width), (width / 2, width)] {
            let samples = try LinearSamples(
              of: bytes.span, layout: layout,
              region: PixelRectangle(x: x, y: y, width: width, height: 2))
            var sums = FrameSums()
            let summation = samples.summation
            summation.add(
              bytes.span, rows: 0..<2, columns: start..<end, CodeBounds(samples), to: &sums)
            var pixels: [SIMD3<Double>] = []
            for row in 0..<2 {
              for column in start..<end {
                pixels.append(
                  SIMD3(samples.sample(bytes.span, column: column, row: row).linear))
              }
            }
            let count = Double(pixels.count)
            #expect(sums.used == pixels.count)
            let (red, green, blue) = summation.channels(sums)
            let mean = pixels.reduce(.zero, +) / count
            let squares = pixels.reduce(SIMD3.zero) { $0 + ($1 - mean) * ($1 - mean) } / count
            for (channel, found) in [red, green, blue].enumerated() {
              #expect(abs(found.mean - mean[channel]) < 0.003, "\(x) \(y) \(start)..<\(end)")
              #expect(abs(found.variance - squares[channel]) < 0.001)
            }
          }
        }
      }
    }
  }
}
