import Testing
import WhiteBalanceTestSupport

@testable import WhiteBalance

struct TypicalCodesTests {
  private static func median(_ values: [Float]) -> Float {
    let sorted = values.sorted()
    let half = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2
  }

  /// Tiles of two to two dozen samples are compared with sorted codes. Codes from 60 on are
  /// clipped.
  @Test func smallTiles() throws {
    var random = SeededRandom(seed: 3)
    var found = 0
    for trial in 0..<600 {
      let isBayer = trial % 2 == 0
      let (columns, rows) = (2 + Int(random.next() % 5), 1 + Int(random.next() % 4))
      let layout = try FrameLayout(
        width: isBayer ? 2 * columns : columns, height: isBayer ? 2 * rows : rows,
        format: isBayer ? .bayer(.rggb, bits: 8) : .rgb8, whiteLevel: 60)
      let reach = [2, 8, 62][trial / 2 % 3]
      let bytes = (0..<layout.byteCount).map { _ in UInt8(random.next() % UInt64(reach)) }
      let samples = try LinearSamples(of: bytes.span, layout: layout, region: nil)
      var lanes = [[Float]](repeating: [], count: 4)
      for row in 0..<rows {
        for column in 0..<columns {
          let start = 3 * (row * columns + column)
          let corner = 4 * row * columns + 2 * column
          let codes =
            isBayer
            ? [corner, corner + 1, corner + 2 * columns, corner + 2 * columns + 1].map { bytes[$0] }
            : [bytes[start], bytes[start + 1], bytes[start + 1], bytes[start + 2]]
          guard codes.max()! < 60 else { continue }
          for lane in 0..<4 { lanes[lane].append(Float(codes[lane])) }
        }
      }
      let typical = TypicalCodes(samples, bytes.span, columns: 0..<columns, rows: 0..<rows)
      #expect((typical != nil) == (lanes[0].count >= 4))
      guard let typical else { continue }
      found += 1
      #expect(typical.count == lanes[0].count)
      for lane in 0..<4 {
        let codes = lanes[lane].sorted()
        let center = codes[codes.count / 2]
        let distances = codes.map { abs($0 - center) }
        #expect(typical.center[lane] == center)
        #expect(typical.deviation[lane] == 1.4826 * Self.median(distances))
        #expect(typical.gap[lane] == distances.filter { $0 > 0 }.min() ?? .infinity)
        #expect(typical.top[lane] == codes.last)
        #expect(typical.atTop[lane] == codes.count { $0 == codes.last })
      }
    }
    #expect(found > 200)
  }

  /// Every sample of up to 255 is read, then every second, but never one column only. The codes are
  /// the numbers of the samples.
  @Test(arguments: [(51, 5, 1), (16, 16, 2), (2, 128, 3), (16, 17, 2), (6, 128, 7), (64, 66, 33)])
  func whichSamples(columns: Int, rows: Int, step: Int) throws {
    let layout = try FrameLayout(width: columns + 3, height: rows + 2, format: .gray(bits: 16))
    var bytes = [UInt8](repeating: 0, count: layout.byteCount)
    for index in 0..<columns * rows {
      let place = 2 * ((index / columns + 2) * layout.width + index % columns + 3)
      (bytes[place], bytes[place + 1]) = (UInt8(index & 255), UInt8(index >> 8))
    }
    let samples = try LinearSamples(of: bytes.span, layout: layout, region: nil)
    let lanes = TypicalCodes.lanes(
      samples, bytes.span, columns: 3..<columns + 3, rows: 2..<rows + 2)
    let expected = stride(from: 0, to: columns * rows, by: step).map { Float($0) }
    for lane in lanes { #expect(lane == expected) }
  }

  /// The bounds are 4 deviations, or 2.5 steps if that is more.
  @Test func bounds() throws {
    let bytes = (0..<25).map { UInt8([90, 100, 100, 100, 110][$0 % 5]) }
    let layout = try FrameLayout(width: 5, height: 5, format: .gray(bits: 8))
    let samples = try LinearSamples(of: bytes.span, layout: layout, region: nil)
    let found = TypicalCodes(samples, bytes.span, columns: 0..<5, rows: 0..<5)
    var typical = try #require(found)
    #expect(typical.center == SIMD4(repeating: 100) && typical.gap == SIMD4(repeating: 10))
    typical.deviation = SIMD4(0, 1, 2, 3)
    let bounds = typical.bounds(steps: SIMD4(repeating: 2))
    #expect(bounds.low == SIMD4(95, 95, 92, 88) && bounds.high == SIMD4(105, 105, 108, 112))
  }
}
