import CWbcalFrameKernels

/// The lowest and highest codes of red, green, green and blue with which a sample is used.
struct CodeBounds { var low, high: SIMD4<Float> }

extension CodeBounds {
  /// Bounds that admit every sample that is not clipped.
  init(_ samples: LinearSamples) {
    low = SIMD4(repeating: -.infinity)
    high = SIMD4(repeating: samples.clippedFrom.nextDown)
  }
}

extension wb_bounds {
  /// Bounds in whole codes; `order` gives the lanes of red, green, green and blue.
  init(_ bounds: CodeBounds, _ samples: LinearSamples, order: SIMD4<Int>) {
    // The kernels have no more bits than the format; the largest code is clipped whatever the
    // bound.
    let largest = Float(samples.layout.format.maximumValue)
    func code(_ value: Float) -> UInt16 { UInt16(max(0, min(value, largest))) }
    let clipped = samples.clippedFrom - 1
    var low = SIMD4<UInt16>.zero
    var high = SIMD4<UInt16>(repeating: 255)
    for channel in 0..<4 {
      low[order[channel]] = code(bounds.low[channel].rounded(.up))
      high[order[channel]] = code(min(bounds.high[channel].rounded(.down), clipped))
    }
    self.init(low: (low.x, low.y, low.z, low.w), high: (high.x, high.y, high.z, high.w))
  }
}
