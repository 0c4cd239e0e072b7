import CWbcalFrameKernels

/// Sums of integer samples of gray, or of red, green and blue: each pixel is converted to a cell of
/// a color filter array.
struct PixelSummation: FrameSummation {
  let order = SIMD4(0, 1, 2, 3)
  let samples: LinearSamples
  /// The positions of a pixel's colors among its samples.
  private let red, green, blue: Int
  private let table: CodeTable

  /// Returns `nil` for other formats, and if there is no table.
  init?(_ samples: LinearSamples) {
    switch samples.layout.format.arrangement {
    case .interleaved(let red, let green, let blue, _):
      (self.red, self.green, self.blue) = (red, green, blue)
    case .gray: (red, green, blue) = (0, 0, 0)
    case .bayer, .subsampled: return nil
    }
    guard samples.layout.format.isInteger, let table = CodeTable(samples) else { return nil }
    self.samples = samples
    self.table = table
  }

  func add(
    _ bytes: Span<UInt8>, rows: Range<Int>, columns: Range<Int>, _ bounds: CodeBounds,
    to sums: inout FrameSums
  ) {
    var limits = wb_bounds(bounds, samples, order: order)
    let layout = samples.layout
    let step = layout.format.samplesPerPixel
    let first = (samples.region.x + columns.lowerBound) * step * layout.format.bytesPerSample
    var words = [UInt16](repeating: 0, count: step * columns.count)
    var upper = [UInt16](repeating: 0, count: 2 * columns.count)
    // Both rows of gray are equal.
    var lower = step == 1 ? [] : upper
    unsafe bytes.withUnsafeBufferPointer { bytes in
      for row in rows {
        let start =
          unsafe bytes.baseAddress! + (samples.region.y + row) * layout.bytesPerRow + first
        unsafe layout.format.unpack(start, words.count, into: &words)
        if step == 1 {
          spread(words, 1, 0, 0, into: &upper)
          unsafe table.add(upper, upper, columns.count, &limits, to: &sums.lanes)
        } else {
          spread(words, step, red, green, into: &upper)
          spread(words, step, green, blue, into: &lower)
          unsafe table.add(upper, lower, columns.count, &limits, to: &sums.lanes)
        }
      }
    }
  }

  /// Writes two samples of every pixel next to each other; pixels are `step` samples apart.
  @inline(__always) private func spread(
    _ words: [UInt16], _ step: Int, _ first: Int, _ second: Int, into row: inout [UInt16]
  ) {
    unsafe words.withUnsafeBufferPointer { words in
      unsafe row.withUnsafeMutableBufferPointer { row in
        for pixel in 0..<row.count / 2 {
          unsafe row[2 * pixel] = words[step * pixel + first]
          unsafe row[2 * pixel + 1] = words[step * pixel + second]
        }
      }
    }
  }

  func channel(_ lane: Int, of sums: FrameSums) -> FrameSums.Channel {
    table.channel(lane, of: sums, samples.layout)
  }
}
