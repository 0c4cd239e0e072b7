import CWbcalFrameKernels

/// Sums of linear values of any format, sample by sample: for floating point, and for formats
/// without a faster way.
struct SampleSummation: FrameSummation {
  let order = SIMD4(0, 1, 2, 3)
  let samples: LinearSamples

  /// The unit of the linear values and of their squares.
  private static let unit = 0x1p-32

  func add(
    _ bytes: Span<UInt8>, rows: Range<Int>, columns: Range<Int>, _ bounds: CodeBounds,
    to sums: inout FrameSums
  ) {
    let high = pointwiseMin(bounds.high, SIMD4(repeating: samples.clippedFrom.nextDown))
    if case .interleaved(let red, let green, let blue, let step) = samples.layout.format.arrangement,
      !samples.layout.format.isInteger
    {
      for row in rows {
        let start = (samples.region.y + row) * samples.layout.bytesPerRow
        for column in columns {
          let first = (samples.region.x + column) * step
          let green = number(bytes, start, first + green)
          let codes = SIMD4(
            number(bytes, start, first + red), green, green, number(bytes, start, first + blue))
          add(codes, low: bounds.low, high: high, to: &sums.lanes)
        }
      }
      return
    }
    for row in rows {
      for column in columns {
        add(
          samples.codes(bytes, column: column, row: row), low: bounds.low, high: high,
          to: &sums.lanes)
      }
    }
  }

  /// Returns a sample that is not an integer; `index` counts from the start of a row. The byte
  /// count of the layout was checked; checking every byte again would take longer than the sums.
  @inline(__always) private func number(_ bytes: Span<UInt8>, _ row: Int, _ index: Int) -> Float {
    unsafe bytes.withUnsafeBytes { bytes in
      guard samples.layout.format.sample == .half else {
        let bits = unsafe bytes.loadUnaligned(fromByteOffset: row + 4 * index, as: UInt32.self)
        return Float(bitPattern: UInt32(littleEndian: bits))
      }
      let bits = unsafe bytes.loadUnaligned(fromByteOffset: row + 2 * index, as: UInt16.self)
      return LinearSamples.binary32(UInt16(littleEndian: bits))
    }
  }

  private func add(
    _ codes: SIMD4<Float>, low: SIMD4<Float>, high: SIMD4<Float>, to sums: inout wb_sums
  ) {
    // NaN is not within the bounds.
    let above = SIMD4<UInt64>(
      codes.x <= high.x ? 0 : 1, codes.y <= high.y ? 0 : 1, codes.z <= high.z ? 0 : 1,
      codes.w <= high.w ? 0 : 1)
    sums.lane_above.0 += above.x
    sums.lane_above.1 += above.y
    sums.lane_above.2 += above.z
    sums.lane_above.3 += above.w
    if above != .zero {
      sums.above += 1
      return
    }
    // Most formats have only one green.
    let green = samples.linear(code: codes.y)
    let values = SIMD4(
      samples.linear(code: codes.x), green,
      codes.z == codes.y ? green : samples.linear(code: codes.z), samples.linear(code: codes.w))
    // A value as far below black as −16 is not light, and its square does not fit 64 bits.
    guard all(codes .>= low), all(values .> -16) else {
      sums.below += 1
      return
    }
    sums.used += 1
    // A number this large has no digits after the binary point, so that the sum is rounded to an
    // integer.
    func units(_ value: Double) -> Int64 { Int64(value / Self.unit + 0x1.8p52 - 0x1.8p52) }
    func add(_ value: Double, _ sum: inout UInt64, _ squares: inout UInt64) {
      sum &+= UInt64(bitPattern: units(value))
      squares &+= UInt64(bitPattern: units(value * value))
    }
    add(values.x, &sums.sum.0, &sums.product.0)
    add(values.y, &sums.sum.1, &sums.product.1)
    add(values.z, &sums.sum.2, &sums.product.2)
    add(values.w, &sums.sum.3, &sums.product.3)
  }

  func channel(_ lane: Int, of sums: FrameSums) -> FrameSums.Channel {
    sums.linearChannel(lane, unit: Self.unit)
  }
}
