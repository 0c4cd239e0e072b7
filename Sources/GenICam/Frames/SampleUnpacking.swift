#if GenICam
/// Unpacks samples of 9 to 16 bits into the low bits of two bytes, little-endian.
extension NamedPixelFormat.Storage {
  /// Unpacks rows of samples.
  ///
  /// - Parameters:
  ///   - packed: the rows, each with the same number of bytes.
  ///   - samples: the number of samples of a row.
  ///   - frame: the memory for the samples, two bytes each.
  func unpack(
    _ packed: Span<UInt8>, bytesPerRow: Int, samples: Int, into frame: inout MutableSpan<UInt8>
  ) {
    let rows = frame.count / (2 * samples)
    for row in 0..<rows {
      let start = row * bytesPerRow
      let target = row * samples * 2
      switch self {
      case .plain: break
      case .packed(let bits):
        Self.unpackBits(bits, packed, start, samples, into: &frame, target)
      case .pairs(let bits):
        Self.unpackPairs(bits, packed, start, samples, into: &frame, target)
      }
    }
  }

  private static func unpackBits(
    _ bits: Int, _ packed: Span<UInt8>, _ start: Int, _ samples: Int,
    into frame: inout MutableSpan<UInt8>, _ target: Int
  ) {
    let mask = UInt32(1) << UInt32(bits) - 1
    var (kept, count, next) = (UInt32(0), 0, start)
    for index in 0..<samples {
      while count < bits {
        kept |= UInt32(packed[next]) << UInt32(count)
        count += 8
        next += 1
      }
      store(kept & mask, in: &frame, target + 2 * index)
      kept >>= UInt32(bits)
      count -= bits
    }
  }

  private static func unpackPairs(
    _ bits: Int, _ packed: Span<UInt8>, _ start: Int, _ samples: Int,
    into frame: inout MutableSpan<UInt8>, _ target: Int
  ) {
    let low = UInt32(bits - 8)
    let mask = UInt32(1) << low - 1
    for pair in 0..<samples / 2 {
      let place = start + 3 * pair
      let shared = UInt32(packed[place + 1])
      store(UInt32(packed[place]) << low | shared & mask, in: &frame, target + 4 * pair)
      store(
        UInt32(packed[place + 2]) << low | shared >> 4 & mask, in: &frame, target + 4 * pair + 2)
    }
  }

  private static func store(_ value: UInt32, in frame: inout MutableSpan<UInt8>, _ index: Int) {
    frame[index] = UInt8(truncatingIfNeeded: value)
    frame[index + 1] = UInt8(truncatingIfNeeded: value >> 8)
  }
}
#endif
