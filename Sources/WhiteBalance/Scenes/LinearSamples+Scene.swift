extension LinearSamples {
  /// Calls `body` with the linear value of each usable sample, row by row, and counts all pixels.
  @inline(__always)
  func forEachUsable(
    _ bytes: Span<UInt8>, _ body: (SIMD3<Float>) -> Void
  ) -> SceneEstimate.PixelUse {
    var pixels = SceneEstimate.PixelUse(total: columns * rows * pixelsPerSample)
    for row in 0..<rows {
      for column in 0..<columns {
        let (linear, isClipped) = sample(bytes, column: column, row: row)
        if isClipped {
          pixels.clipped += pixelsPerSample
        } else if linear.max() <= Float(SceneEstimate.darkLevel) {
          pixels.dark += pixelsPerSample
        } else {
          pixels.used += pixelsPerSample
          body(linear)
        }
      }
    }
    return pixels
  }
}
