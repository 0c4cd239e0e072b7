/// The median and spread of the codes of a tile, from some of its samples.
struct TypicalCodes {
  /// The medians of red, green, green and blue.
  var center: SIMD4<Float>
  /// The robust standard deviations of the codes.
  var deviation: SIMD4<Float>
  /// The distance from the center to the nearest other code; infinite if there is none.
  var gap: SIMD4<Float>
  /// The largest unclipped codes.
  var top = SIMD4<Float>(repeating: 0)
  /// The number of samples that have these codes.
  var atTop = SIMD4<Int>.zero
  /// The number of unclipped samples among those read.
  var count: Int

  /// Returns `nil` if fewer than 4 of the samples are unclipped.
  init?(_ samples: LinearSamples, _ bytes: Span<UInt8>, columns: Range<Int>, rows: Range<Int>) {
    let lanes = Self.lanes(samples, bytes, columns: columns, rows: rows)
    count = lanes[0].count
    guard count >= 4 else { return nil }
    center = .zero
    deviation = .zero
    gap = .zero
    for lane in 0..<4 {
      // Only a color filter array has a second green.
      if lane == 2, samples.pixelsPerSample == 1 {
        center[2] = center[1]
        deviation[2] = deviation[1]
        gap[2] = gap[1]
        (top[2], atTop[2]) = (top[1], atTop[1])
        continue
      }
      var codes = lanes[lane]
      // The upper of the two middle values, so that it is a code.
      let middle = codes.moveIntoPlace(count / 2)
      var nearest = Float.infinity
      var (top, atTop) = (middle, 0)
      for index in codes.indices {
        let code = codes[index]
        if code >= top {
          atTop = code == top ? atTop + 1 : 1
          top = code
        }
        let distance = abs(code - middle)
        if distance > 0 { nearest = min(nearest, distance) }
        codes[index] = distance
      }
      center[lane] = middle
      gap[lane] = nearest
      (self.top[lane], self.atTop[lane]) = (top, atTop)
      // 1.4826·MAD is the standard deviation of a normal distribution.
      deviation[lane] = 1.4826 * codes.median
    }
  }

  /// Returns the codes of one or two hundred samples, enough for medians that identify outliers.
  static func lanes(
    _ samples: LinearSamples, _ bytes: Span<UInt8>, columns: Range<Int>, rows: Range<Int>,
    clippedToo: Bool = false
  ) -> [[Float]] {
    let count = columns.count * rows.count
    var step = max(1, count / 128)
    // A step that is a multiple of the width would stay in one column.
    if step % columns.count == 0 { step += 1 }
    var found: [SIMD4<Float>] = []
    found.reserveCapacity(count / step + 1)
    for index in stride(from: 0, to: count, by: step) {
      let codes = samples.codes(
        bytes, column: columns.lowerBound + index % columns.count,
        row: rows.lowerBound + index / columns.count)
      if clippedToo || codes.max() < samples.clippedFrom { found.append(codes) }
    }
    return (0..<4).map { lane in found.map { $0[lane] } }
  }

  /// Returns the medians of some of the samples, clipped or not.
  static func middle(
    _ samples: LinearSamples, _ bytes: Span<UInt8>, columns: Range<Int>, rows: Range<Int>
  ) -> SIMD4<Float> {
    SIMD4(lanes(samples, bytes, columns: columns, rows: rows, clippedToo: true).map(\.median))
  }

  /// Returns bounds beyond which codes are dust, hairs and hot pixels.
  ///
  /// - Parameter steps: the distances between neighboring codes. If most samples have the same
  ///   code, their deviation is zero, but the neighboring code is not dust.
  func bounds(steps: SIMD4<Float>) -> CodeBounds {
    let limit = pointwiseMax(4 * deviation, 2.5 * steps)
    return CodeBounds(low: center - limit, high: center + limit)
  }
}
