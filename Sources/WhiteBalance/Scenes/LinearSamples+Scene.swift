extension LinearSamples {
  /// The usability of a sample of a scene.
  enum Use { case usable, clipped, dark }

  /// The counts of the region before any sample is read.
  var unreadPixels: SceneEstimate.PixelUse { .init(total: columns * rows * pixelsPerSample) }

  /// Returns a sample's linear value and its usability.
  func sceneSample(
    _ bytes: Span<UInt8>, column: Int, row: Int
  ) -> (linear: SIMD3<Float>, use: Use) {
    let (light, isClipped) = sample(bytes, column: column, row: row)
    let isDark = light.max() <= Float(SceneEstimate.darkLevel)
    return (light, isClipped ? .clipped : isDark ? .dark : .usable)
  }

  /// Calls `body` with the linear value of each usable sample, row by row, and counts all pixels.
  @inline(__always)
  func forEachUsable(
    _ bytes: Span<UInt8>, _ body: (SIMD3<Float>) -> Void
  ) -> SceneEstimate.PixelUse {
    var pixels = unreadPixels
    for row in 0..<rows {
      for column in 0..<columns {
        let (linear, use) = sceneSample(bytes, column: column, row: row)
        pixels.add(use, pixels: pixelsPerSample)
        if use == .usable { body(linear) }
      }
    }
    return pixels
  }
}

extension SceneEstimate.PixelUse {
  mutating func add(_ use: LinearSamples.Use, pixels: Int) {
    switch use {
    case .usable: used += pixels
    case .clipped: clipped += pixels
    case .dark: dark += pixels
    }
  }
}
