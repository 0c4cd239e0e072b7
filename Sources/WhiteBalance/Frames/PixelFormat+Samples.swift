extension PixelFormat {
  /// Returns the value of an integer sample, `index` samples after the byte at which its row
  /// starts.
  @inline(__always) func code(_ bytes: Span<UInt8>, row: Int, index: Int) -> Int {
    switch sample {
    case .unsigned(bits: 8): return Int(bytes[row + index])
    case .packed(let bits):
      return PackedSample(bits: bits, row: row, index: index).read { Int(bytes[$0]) }
    default:
      // Bits above the format's are not part of the sample.
      return Self.word(bytes, row + 2 * index) & maximumValue
    }
  }

  /// Writes an integer sample.
  func setCode(_ code: Int, in bytes: inout MutableSpan<UInt8>, row: Int, index: Int) {
    switch sample {
    case .unsigned(bits: 8): bytes[row + index] = UInt8(code)
    case .packed(let bits):
      let packed = PackedSample(bits: bits, row: row, index: index)
      for (offset, byte) in packed.written(code, over: { Int(bytes[$0]) }) {
        bytes[offset] = UInt8(byte)
      }
    default: Self.setWord(code, in: &bytes, row + 2 * index)
    }
  }

  /// Returns the value of a floating-point sample.
  func number(_ bytes: Span<UInt8>, row: Int, index: Int) -> Float {
    if sample == .half { return LinearSamples.binary32(UInt16(Self.word(bytes, row + 2 * index))) }
    let low = UInt32(Self.word(bytes, row + 4 * index))
    return Float(bitPattern: low | UInt32(Self.word(bytes, row + 4 * index + 2)) << 16)
  }

  /// Writes a floating-point sample.
  func setNumber(_ number: Float, in bytes: inout MutableSpan<UInt8>, row: Int, index: Int) {
    if sample == .half {
      Self.setWord(Int(LinearSamples.binary16(number)), in: &bytes, row + 2 * index)
    } else {
      Self.setWord(Int(number.bitPattern & 0xFFFF), in: &bytes, row + 4 * index)
      Self.setWord(Int(number.bitPattern >> 16), in: &bytes, row + 4 * index + 2)
    }
  }

  private static func word(_ bytes: Span<UInt8>, _ offset: Int) -> Int {
    Int(bytes[offset]) | Int(bytes[offset + 1]) << 8
  }

  private static func setWord(_ word: Int, in bytes: inout MutableSpan<UInt8>, _ offset: Int) {
    bytes[offset] = UInt8(word & 255)
    bytes[offset + 1] = UInt8(word >> 8)
  }
}
