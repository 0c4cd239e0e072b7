/// The place of a sample's bits in a row packed as in MIPI CSI-2.
struct PackedSample {
  /// The byte of the upper 8 bits.
  private let upper: Int
  /// The bytes of the lower bits of all samples of the group.
  private let lower: Range<Int>
  /// The position of this sample's lower bits in those bytes, and their number.
  private let shift, rest: Int

  /// - Parameters:
  ///   - row: the offset of the row's first byte.
  ///   - index: the number of the sample in the row, from 0.
  init(bits: Int, row: Int, index: Int) {
    rest = bits - 8
    let samples = bits == 12 ? 2 : 4
    let bytes = samples * rest / 8
    let group = row + index / samples * (samples + bytes)
    upper = group + index % samples
    lower = group + samples..<group + samples + bytes
    shift = rest * (index % samples)
  }

  func read(_ byte: (Int) -> Int) -> Int {
    let low = lower.reversed().reduce(0) { $0 << 8 | byte($1) }
    return byte(upper) << rest | (low >> shift & (1 << rest - 1))
  }

  /// Returns the bytes that hold the sample, with another value in it.
  func written(_ value: Int, over byte: (Int) -> Int) -> [(offset: Int, byte: Int)] {
    let mask = (1 << rest - 1) << shift
    let low = lower.reversed().reduce(0) { $0 << 8 | byte($1) }
    let new = low & ~mask | (value << shift & mask)
    return [(upper, value >> rest)] + lower.enumerated().map { ($1, new >> (8 * $0) & 255) }
  }
}
