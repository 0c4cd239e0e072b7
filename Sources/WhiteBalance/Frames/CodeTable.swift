import CWbcalFrameKernels
import ColorScience

/// The linear values of integer codes and their squares, in the form that the kernels read.
struct CodeTable {
  /// Empty where codes are linear.
  private let entries: [UInt64]

  /// The unit of the linear values and of their squares.
  static let unit = 0x1p-28

  /// Returns `nil` if a value can be less than −1, because white is close to black.
  init?(_ samples: LinearSamples) {
    guard samples.layout.transfer != .linear else {
      entries = []
      return
    }
    guard let black = samples.linearValues.first, black >= -1 else { return nil }
    // Clipped codes are not looked up, except for 0.
    entries = samples.linearValues.prefix(max(1, Int(samples.clippedFrom))).map {
      Self.entry(Double($0))
    }
  }

  /// An entry of a kernel's table: the value in the lower half, its square in the upper half.
  static func entry(_ value: Double) -> UInt64 {
    // Adding 1/2 and truncating is faster than rounding, and no value is below −1. The kernels have
    // no room for a rounded 1.
    func units(_ value: Double) -> Int64 {
      min(Int64((value + 1) / unit + 0.5), 2 << 28 - 1) - 1 << 28
    }
    return UInt64(bitPattern: units(value) &+ (units(value * value) << 32))
  }

  /// Adds the cells of two rows.
  func add(
    _ upper: UnsafeRawPointer, _ lower: UnsafeRawPointer, _ count: Int, _ bounds: inout wb_bounds,
    to sums: inout wb_sums
  ) {
    unsafe entries.withUnsafeBufferPointer {
      unsafe wb_sum_cells(
        upper, lower, count, &bounds, $0.isEmpty ? nil : $0.baseAddress, &sums)
    }
  }

  func channel(_ lane: Int, of sums: FrameSums, _ layout: FrameLayout) -> FrameSums.Channel {
    entries.isEmpty
      ? sums.codeChannel(lane, layout) : sums.linearChannel(lane, unit: Self.unit)
  }
}
