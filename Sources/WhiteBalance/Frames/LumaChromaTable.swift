import CWbcalFrameKernels

/// The linear values of red, green and blue for luma and chroma, in the form that
/// `wb_sum_yuv_linear` reads.
///
/// Error of means, and of means of squares, for any frame: 1e-6 of white (`LumaChromaTableTests`).
struct LumaChromaTable {
  /// The contributions of each chroma to red, green and blue, in codes of luma.
  private let u, v: SIMD3<Double>
  private var entries: [UInt64]

  /// Returns `nil` if a linear value can be −2 or less, because white is close to black, and for a
  /// curve so steep that the sums of differences do not fit.
  init?(_ samples: LinearSamples) {
    let rows = samples.layout.storedRows
    u = rows.u / rows.luma
    v = rows.v / rows.luma
    // Linear values at every 1/8 code of luma, from one step before −256 to one step after 256.
    let values = (-2049...2049).map { samples.linear(rows.luma * Double($0) / 8) }
    guard values[0] > -2 else { return nil }
    // Entries after 256 stay 0: a pixel with such a channel is clipped.
    entries = [UInt64](repeating: 0, count: 2 * (8 * 768 + 1))
    for (index, curve) in [values.map { min($0, 2) }, values.map { min($0 * $0, 4) }].enumerated() {
      func entry(_ place: Int) -> Int64 {
        // Between two entries, the chord of a convex curve is above it by a twelfth of the second
        // difference on average.
        let (before, middle, after) = (curve[place], curve[place + 1], curve[place + 2])
        let value = middle - (before + after - 2 * middle) / 12 + (index == 0 ? 2 : 0)
        return min(Int64((max(0, value) * Double(1 << 26)).rounded()), 1 << 28 - 1)
      }
      var next = entry(0)
      for place in 0..<4096 {
        let this = next
        next = entry(place + 1)
        guard abs(next - this) < 1 << 27 else { return nil }
        entries[2 * place + index] = UInt64(bitPattern: this << 32 + next - this)
      }
    }
  }

  /// Passes the table to a kernel.
  func withKernel(_ body: (inout wb_yuv_table) -> Void) {
    func factors(_ row: SIMD3<Double>) -> (Int32, Int32, Int32) {
      func factor(_ value: Double) -> Int32 { Int32((value * Double(1 << 22)).rounded()) }
      return (factor(row.x), factor(row.y), factor(row.z))
    }
    unsafe entries.withUnsafeBufferPointer { entries in
      var table = unsafe wb_yuv_table(u: factors(u), v: factors(v), entries: entries.baseAddress)
      unsafe body(&table)
    }
  }
}
