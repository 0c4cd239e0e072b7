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
    guard case .interleaved(let red, let green, let blue, let step) = layout.format.arrangement,
      layout.format.sample == .unsigned(bits: 8), max(red, green, blue) < 3,
      layout.transfer == .linear || samples.light(0) >= 0
    else { return nil }
    order = SIMD4(red, green, green, blue)
    self.samples = samples
    self.step = step
    var table: [UInt64] = []
    if layout.transfer != .linear {
      table = [UInt64](repeating: 0, count: 256)
      for code in 0..<256 where Float(code) < samples.clippedFrom {
        table[code] = CodeTable.entry(samples.light(Double(code)))
      }
    }
    self.table = table
  }

  func add(
    _ bytes: Span<UInt8>, rows: Range<Int>, columns: Range<Int>, _ bounds: CodeBounds,
    to sums: inout FrameSums
  ) {
    var limits = wb_bounds(bounds, samples, order: order)
    let first = (samples.region.x + columns.lowerBound) * step
    unsafe bytes.withUnsafeBufferPointer { bytes in
      unsafe table.withUnsafeBufferPointer { table in
        for row in rows {
          let start = (samples.region.y + row) * samples.layout.bytesPerRow + first
          unsafe wb_sum_rgb8(
            bytes.baseAddress! + start, columns.count, Int32(step), &limits,
            table.isEmpty ? nil : table.baseAddress, &sums.lanes)
        }
      }
    }
  }

  func channel(_ lane: Int, of sums: FrameSums) -> FrameSums.Channel {
    table.isEmpty
      ? sums.codeChannel(lane, samples.layout) : sums.linearChannel(lane, unit: CodeTable.unit)
  }
}
