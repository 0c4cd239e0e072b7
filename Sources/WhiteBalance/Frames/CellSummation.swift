import CWbcalFrameKernels

/// Sums of the samples of a color filter array: of codes if these are linear, otherwise of linear
/// values.
struct CellSummation: FrameSummation {
  let order: SIMD4<Int>
  let samples: LinearSamples
  private let table: CodeTable

  /// Returns `nil` for other formats, and if there is no table.
  init?(_ samples: LinearSamples) {
    guard case .bayer(let pattern) = samples.layout.format.arrangement,
      let table = CodeTable(samples)
    else { return nil }
    let red = pattern.shifted(columns: samples.region.x, rows: samples.region.y).redPosition
    func lane(_ column: Int, _ row: Int) -> Int { column + 2 * row }
    order = SIMD4(
      lane(red.column, red.row), lane(1 - red.column, red.row), lane(red.column, 1 - red.row),
      lane(1 - red.column, 1 - red.row))
    self.samples = samples
    self.table = table
  }

  func add(
    _ bytes: Span<UInt8>, rows: Range<Int>, columns: Range<Int>, _ bounds: CodeBounds,
    to sums: inout FrameSums
  ) {
    var limits = wb_bounds(bounds, samples, order: order)
    let layout = samples.layout
    let first = samples.region.x + 2 * columns.lowerBound
    unsafe bytes.withUnsafeBufferPointer { bytes in
      let base = unsafe UnsafeRawPointer(bytes.baseAddress!)
      // Words that use all 16 bits are read in place.
      if layout.format.sample == .unsigned(bits: 16) {
        for row in rows {
          let upper = unsafe base + (samples.region.y + 2 * row) * layout.bytesPerRow + 2 * first
          let lower = unsafe upper + layout.bytesPerRow
          unsafe table.add(upper, lower, columns.count, &limits, to: &sums.lanes)
        }
        return
      }
      // Packed samples are read from the start of their group.
      let (bits, group) =
        switch layout.format.sample {
        case .packed(let bits): (bits, bits == 12 ? 2 : 4)
        default: (8 * layout.format.bytesPerSample, 1)
        }
      let skipped = first % group
      let count = skipped + 2 * columns.count
      var upper = [UInt16](repeating: 0, count: count)
      var lower = upper
      for row in rows {
        let start =
          unsafe base + (samples.region.y + 2 * row) * layout.bytesPerRow
          + (first - skipped) * bits / 8
        unsafe layout.format.unpack(start, count, into: &upper)
        unsafe layout.format.unpack(start + layout.bytesPerRow, count, into: &lower)
        unsafe upper.withUnsafeBufferPointer { upper in
          unsafe lower.withUnsafeBufferPointer { lower in
            unsafe table.add(
              upper.baseAddress! + skipped, lower.baseAddress! + skipped, columns.count, &limits,
              to: &sums.lanes)
          }
        }
      }
    }
  }

  func channel(_ lane: Int, of sums: FrameSums) -> FrameSums.Channel {
    table.channel(lane, of: sums, samples.layout)
  }
}

extension PixelFormat {
  /// Unpacks integer samples; packed samples are read from the start of a group.
  func unpack(_ start: UnsafeRawPointer, _ count: Int, into output: inout [UInt16]) {
    let bytes = unsafe start.assumingMemoryBound(to: UInt8.self)
    switch sample {
    case .unsigned(bits: 8): unsafe wb_unpack8(bytes, count, &output)
    case .packed(bits: 10): unsafe wb_unpack10(bytes, count, &output)
    case .packed(bits: 12): unsafe wb_unpack12(bytes, count, &output)
    case .packed: unsafe wb_unpack14(bytes, count, &output)
    default: unsafe wb_unpack16(bytes, count, UInt16(maximumValue), &output)
    }
  }
}
