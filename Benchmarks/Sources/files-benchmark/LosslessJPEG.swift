/// Lossless JPEG (ITU-T T.81, process 14) as cameras use it for a color filter array: two
/// components, which are the odd and the even columns, each sample predicted by its left neighbor.
enum LosslessJPEG {
  /// The number of codes of 1, 2, … bits, and the sizes of a difference that they represent.
  private static let codesOfLength: [UInt8] = [0, 1, 5, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0]
  private static let sizes: [UInt8] = [6, 3, 4, 5, 7, 2, 8, 1, 0, 9, 10, 11, 12, 13, 14]

  static func encode(_ samples: [UInt16], width: Int, height: Int, bits: Int) -> [UInt8] {
    func pair(_ number: Int) -> [UInt8] { [UInt8(number >> 8), UInt8(number & 255)] }
    var codes = [(code: UInt32, length: UInt32)](repeating: (0, 0), count: 17)
    var code: UInt32 = 0
    var next = 0
    for (index, count) in codesOfLength.enumerated() {
      for _ in 0..<count {
        codes[Int(sizes[next])] = (code, UInt32(index + 1))
        code += 1
        next += 1
      }
      code <<= 1
    }
    var output: [UInt8] = [0xFF, 0xD8, 0xFF, 0xC4] + pair(3 + 16 + sizes.count) + [0]
    output += codesOfLength + sizes
    output += [0xFF, 0xC3] + pair(14) + [UInt8(bits)] + pair(height) + pair(width / 2)
    output += [2, 0, 0x11, 0, 1, 0x11, 0, 0xFF, 0xDA] + pair(10) + [2, 0, 0, 1, 0, 1, 0, 0]
    output.reserveCapacity(2 * samples.count)
    var pending: UInt64 = 0
    var count: UInt32 = 0
    func put(_ value: UInt32, _ length: UInt32) {
      pending = pending << UInt64(length) | UInt64(value)
      count += length
      while count >= 8 {
        count -= 8
        let byte = UInt8(truncatingIfNeeded: pending >> UInt64(count))
        output.append(byte)
        if byte == 0xFF { output.append(0) }
      }
    }
    for row in 0..<height {
      for column in 0..<width {
        let index = row * width + column
        let prediction =
          column > 1
          ? Int(samples[index - 2]) : row > 0 ? Int(samples[index - width]) : 1 << (bits - 1)
        let difference = Int(samples[index]) - prediction
        let size = UInt32(Int.bitWidth - abs(difference).leadingZeroBitCount)
        put(codes[Int(size)].code, codes[Int(size)].length)
        let tail = difference < 0 ? difference - 1 : difference
        put(UInt32(truncatingIfNeeded: tail) & (1 << size - 1), size)
      }
    }
    put(0x7F, 7)
    return output + [0xFF, 0xD9]
  }
}
