import CWbcalFrameKernels
import ColorScience

/// Sums of gray, or of red, green and blue, that are integers: each pixel is made a cell of a color
/// filter array.
struct PixelSummation: FrameSummation {
  let order = SIMD4(0, 1, 2, 3)
  let samples: LinearSamples
  /// The places of a pixel's colors among its samples.
  private let red, green, blue: Int
  private let table: CodeTable

  /// `nil` for other formats, and where there is no table.
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
    var cells = [UInt16](repeating: 0, count: 4 * columns.count)
    unsafe bytes.withUnsafeBufferPointer { bytes in
      for row in rows {
        let start =
          unsafe bytes.baseAddress! + (samples.region.y + row) * layout.bytesPerRow + first
        unsafe layout.format.unpack(start, words.count, into: &words)
        unsafe words.withUnsafeBufferPointer { words in
          unsafe cells.withUnsafeMutableBufferPointer { cells in
            let (upper, lower) = unsafe (
              cells.baseAddress!, cells.baseAddress! + 2 * columns.count
            )
            for column in 0..<columns.count {
              let green = unsafe words[step * column + green]
              unsafe upper[2 * column] = words[step * column + red]
              unsafe upper[2 * column + 1] = green
              unsafe lower[2 * column] = green
              unsafe lower[2 * column + 1] = words[step * column + blue]
            }
            unsafe table.add(upper, lower, columns.count, &limits, to: &sums.lanes)
          }
        }
      }
    }
  }

  func channel(_ lane: Int, of sums: FrameSums) -> FrameSums.Channel {
    table.channel(lane, of: sums, samples.layout)
  }
}
