/// What is typical of the codes of a tile, found from some of its samples.
struct TypicalCodes {
  /// Medians of red, green, green and blue.
  var center: SIMD4<Float>
  /// Codes beyond these are dust, hairs and hot pixels.
  var bounds: CodeBounds

  /// `nil` if hardly a sample is unclipped.
  init?(_ samples: LinearSamples, _ bytes: Span<UInt8>, columns: Range<Int>, rows: Range<Int>) {
    // Medians of a hundred or two hundred samples are good enough to find what does not belong.
    let count = columns.count * rows.count
    var step = max(1, count / 128)
    // A step that is a multiple of the width would stay in one column.
    if step % columns.count == 0 { step += 1 }
    var lanes = [[Float]](repeating: [], count: 4)
    for lane in 0..<4 { lanes[lane].reserveCapacity(256) }
    for index in stride(from: 0, to: count, by: step) {
      let codes = samples.codes(
        bytes, column: columns.lowerBound + index % columns.count,
        row: rows.lowerBound + index / columns.count)
      guard codes.max() < samples.clippedFrom else { continue }
      for lane in 0..<4 { lanes[lane].append(codes[lane]) }
    }
    guard lanes[0].count >= 4 else { return nil }
    var center = SIMD4<Float>.zero
    var limit = SIMD4<Float>.zero
    for lane in 0..<4 {
      // Only a color filter array has a second green.
      if lane == 2, samples.pixelsPerSample == 1 {
        center[2] = center[1]
        limit[2] = limit[1]
        continue
      }
      let middle = lanes[lane].median
      center[lane] = middle
      for index in lanes[lane].indices { lanes[lane][index] = abs(lanes[lane][index] - middle) }
      // 1.4826·MAD is the standard deviation of a normal distribution.
      limit[lane] = 4 * 1.4826 * lanes[lane].median
    }
    // Where most samples have one and the same code their deviation is zero, yet the neighboring
    // code is no dust.
    if samples.layout.format.isInteger { limit = pointwiseMax(limit, SIMD4(repeating: 2.5)) }
    self.center = center
    bounds = CodeBounds(low: center - limit, high: center + limit)
  }
}
