import ColorScience
import Testing

@testable import WhiteBalance

struct FrameOverviewTests {
  /// Every value is counted in the bin that its logarithm gives.
  @Test func binsAreEvenInStops() throws {
    let stops = Double(FrameOverview.stops)
    let values: [Float] =
      [-.infinity, -1, 0, 1e-30, .nan, 1, 2, .infinity]
      + (0..<4000).map { Float(power(2, Double($0) * 0.003101 - stops - 0.20005)) }
    var expected = [Int](repeating: 0, count: FrameOverview.bins)
    for value in values {
      let light = Double(value)
      let bin = (logarithm(light) / logarithm(2) + stops) * Double(FrameOverview.bins) / stops
      let isInRange = light > 0 && light < 1 && bin >= 0
      expected[isInRange ? Int(bin) : light >= 1 ? FrameOverview.bins - 1 : 0] += 1
    }
    // One sample in each cell, and as many cells as there are.
    var counts = [Int](repeating: 0, count: FrameOverview.bins)
    let layout = try FrameLayout(
      width: FrameOverview.columns, height: FrameOverview.rows, format: .rgbFloat,
      transfer: .linear)
    let size = FrameOverview.columns * FrameOverview.rows
    for start in stride(from: 0, to: values.count, by: size) {
      let part = values[start..<min(start + size, values.count)]
      let bytes = (part + [Float](repeating: 2, count: size - part.count)).flatMap { value in
        (0..<12).map { UInt8(truncatingIfNeeded: value.bitPattern >> (8 * ($0 % 4))) }
      }
      let overview = try FrameOverview(bytes.span, layout: layout)
      #expect(overview.histogram.red == overview.histogram.blue)
      for (bin, count) in overview.histogram.red.enumerated() { counts[bin] += count }
      counts[FrameOverview.bins - 1] -= size - part.count
    }
    #expect(counts == expected)
  }
}
