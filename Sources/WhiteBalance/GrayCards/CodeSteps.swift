/// The distances between neighboring codes that occur.
///
/// They are 1, unless the samples went through a table, as in raw photographs of 8 bits, or were
/// shifted into the upper bits of more bits.
struct CodeSteps {
  private let samples: LinearSamples
  /// `true` for each code that the frame has in each lane; empty until it is needed.
  private var isUsed: [[Bool]] = []

  init(_ samples: LinearSamples) { self.samples = samples }

  /// Returns the distances at the center of a tile; 0 if codes are not integers.
  ///
  /// If the noise is below a step, the nearest other code of the tile is a neighbor; if the tile
  /// has no other code, the nearest code of the frame is used. If the noise is above a step, the
  /// distance to the nearest other code is too small compared with the noise to matter.
  mutating func steps(
    at typical: TypicalCodes, _ bytes: Span<UInt8>
  ) -> SIMD4<Float> {
    guard samples.layout.format.isInteger else { return .zero }
    var steps = SIMD4<Float>(repeating: 1)
    // Red, green and blue computed from luma and chroma are not whole codes.
    if samples.layout.format.isSubsampled { return steps }
    for lane in 0..<4 {
      let center = typical.center[lane]
      let gap =
        typical.gap[lane].isFinite
        ? typical.gap[lane] : gapInFrame(at: Int(center), lane: lane, bytes)
      // A code that differs by an eighth or more belongs to dust or to a synthetic picture.
      let linear = samples.linear(code: center)
      if samples.linear(Double(center + gap)) < linear * 1.125 { steps[lane] = gap }
    }
    return steps
  }

  /// Returns the distance from a code to the nearest other code in the frame; 1 if the frame has so
  /// few codes that it is not a picture of a scene.
  private mutating func gapInFrame(at code: Int, lane: Int, _ bytes: Span<UInt8>) -> Float {
    if isUsed.isEmpty { readFrame(bytes) }
    let used = isUsed[lane]
    guard used.count(where: \.self) >= 32 else { return 1 }
    // At least 31 other codes are used.
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
  /// Calls a function with the codes of about 16,000 samples spread over the frame, in the lanes of
  /// the region.
  func forEachOfFrame(_ bytes: Span<UInt8>, _ body: (SIMD4<Float>) -> Void) {
    let unit = layout.format.unit
    // From the corner of the frame, at the first sample with the region's pattern.
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
