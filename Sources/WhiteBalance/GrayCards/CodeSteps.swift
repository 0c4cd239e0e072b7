/// How far apart neighboring codes are.
///
/// That is 1, unless the samples went through a table, as those of raw photographs of 8 bits do, or
/// fewer bits were moved to the top of more.
struct CodeSteps {
  private let samples: LinearSamples
  /// Which codes the frame has in each lane; empty before they were asked for.
  private var isUsed: [[Bool]] = []

  init(_ samples: LinearSamples) { self.samples = samples }

  /// The distances at the center of a tile; 0 where codes are no integers.
  ///
  /// Where the noise is below a step, the nearest other code of the tile is a neighbor, and of the
  /// frame, where the tile has no other. Where it is above, the distance to some other code is so
  /// small beside it that it does not matter.
  mutating func steps(
    at typical: TypicalCodes, _ bytes: Span<UInt8>
  ) -> SIMD4<Float> {
    guard samples.layout.format.isInteger else { return .zero }
    var steps = SIMD4<Float>(repeating: 1)
    // Red, green and blue that come from luma and chroma are no whole codes.
    if samples.layout.format.isSubsampled { return steps }
    for lane in 0..<4 {
      let center = typical.center[lane]
      let gap =
        typical.gap[lane].isFinite
        ? typical.gap[lane] : gapInFrame(at: Int(center), lane: lane, bytes)
      // What differs by an eighth or more is dust, or something painted.
      let light = samples.light(code: center)
      if samples.light(Double(center + gap)) < light * 1.125 { steps[lane] = gap }
    }
    return steps
  }

  /// The distance from a code to the next that occurs in the frame; 1 where it has so few codes
  /// that it is no picture of a scene.
  private mutating func gapInFrame(at code: Int, lane: Int, _ bytes: Span<UInt8>) -> Float {
    if isUsed.isEmpty { readFrame(bytes) }
    let used = isUsed[lane]
    guard used.count(where: \.self) >= 32 else { return 1 }
    // At least 31 codes are others than this one.
    let gap = (1..<used.count).first { distance in
      (code >= distance && used[code - distance])
        || (code + distance < used.count && used[code + distance])
    }
    return Float(gap!)
  }

  private mutating func readFrame(_ bytes: Span<UInt8>) {
    let none = [Bool](repeating: false, count: samples.layout.format.maximumValue + 1)
    isUsed = .init(repeating: none, count: 4)
    samples.forEachOfFrame(bytes) { codes in
      for lane in 0..<4 { isUsed[lane][Int(codes[lane])] = true }
    }
  }
}

extension LinearSamples {
  /// Calls a function with the codes of some 16 000 samples all over the frame, in the lanes of the
  /// region.
  func forEachOfFrame(_ bytes: Span<UInt8>, _ body: (SIMD4<Float>) -> Void) {
    let unit = layout.format.unit
    // From the corner of the frame where a sample starts that has the region's pattern.
    let first = (column: -(region.x / unit.columns), row: -(region.y / unit.rows))
    let columns = (layout.width - region.x % unit.columns) / unit.columns
    let rows = (layout.height - region.y % unit.rows) / unit.rows
    let count = columns * rows
    var step = max(1, count / 16_384)
    if step % columns == 0 { step += 1 }
    for index in stride(from: 0, to: count, by: step) {
      body(
        codes(bytes, column: first.column + index % columns, row: first.row + index / columns))
    }
  }
}
