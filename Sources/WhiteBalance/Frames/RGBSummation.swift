import CWbcalFrameKernels
import ColorScience

/// Sums of 8-bit red, green and blue: of codes if these are linear, otherwise of linear values.
struct RGBSummation: FrameSummation {
  let order: SIMD4<Int>
  let samples: LinearSamples
  private let step: Int
  /// Linear values and squares in the form that `wb_sum_rgb8` reads; empty if codes are linear.
  private let table: [UInt64]

  /// Returns `nil` for other formats, and if codes are not linear and some are below black.
  init?(_ samples: LinearSamples) {
    let layout = samples.layout
    guard let places = layout.format.bytePlaces, max(places.red, places.green, places.blue) < 3,
      layout.transfer == .linear || samples.linear(0) >= 0
    else { return nil }
    order = SIMD4(places.red, places.green, places.green, places.blue)
    self.samples = samples
    step = places.step
    var table: [UInt64] = []
    if layout.transfer != .linear {
      table = [UInt64](repeating: 0, count: 256)
      for code in 0..<256 where Float(code) < samples.clippedFrom {
        table[code] = CodeTable.entry(samples.linear(Double(code)))
      }
    }
    self.table = table
  }

  func add(
    _ bytes: Span<UInt8>, rows: Range<Int>, columns: Range<Int>, _ bounds: CodeBounds,
    to sums: inout FrameSums
  ) {
    var limits = wb_bounds(bounds, samples, order: order)
    let layout = samples.layout
    let width = columns.count * step
    // The kernel is slow at the end of a row. Rows without a gap between them are therefore summed
    // as one, and others are gathered in a buffer that fits the fastest cache.
    let hasGaps = width < layout.bytesPerRow
    let together = hasGaps ? max(1, 16_384 / width) : max(1, rows.count)
    var gathered = [UInt8](repeating: 0, count: hasGaps ? together * width : 0)
    let first = (samples.region.x + columns.lowerBound) * step
    unsafe bytes.withUnsafeBufferPointer { bytes in
      unsafe gathered.withUnsafeMutableBufferPointer { gathered in
        unsafe table.withUnsafeBufferPointer { table in
          for row in stride(from: rows.lowerBound, to: rows.upperBound, by: together) {
            let count = min(together, rows.upperBound - row)
            let start =
              unsafe bytes.baseAddress! + (samples.region.y + row) * layout.bytesPerRow + first
            if hasGaps {
              for index in 0..<count {
                unsafe (gathered.baseAddress! + index * width).update(
                  from: start + index * layout.bytesPerRow, count: width)
              }
            }
            unsafe wb_sum_rgb8(
              hasGaps ? UnsafePointer(gathered.baseAddress!) : start, count * columns.count,
              Int32(step), &limits, table.isEmpty ? nil : table.baseAddress, &sums.lanes)
          }
        }
      }
    }
  }

  func channel(_ lane: Int, of sums: FrameSums) -> FrameSums.Channel {
    table.isEmpty
      ? sums.codeChannel(lane, samples.layout) : sums.linearChannel(lane, unit: CodeTable.unit)
  }
}
