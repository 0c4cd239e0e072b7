import Foundation

/// Writes DNG files of a gray card, as from a sensor of 14 bits, with noise.
struct RawPhotographWriter {
  enum Compression { case none, losslessJPEG }

  let width: Int
  let height: Int
  let compression: Compression

  private static let black: UInt16 = 512
  private static let white: UInt16 = 16383

  func write(to url: URL, seed: UInt64) throws {
    let samples = card(seed: seed)
    let pixels =
      switch compression {
      case .none: samples.withUnsafeBytes { Data($0) }
      case .losslessJPEG: Data(LosslessJPEG.encode(samples, width: width, height: height, bits: 14))
      }
    var file = directory(pixelBytes: pixels.count)
    file.append(pixels)
    try file.write(to: url)
  }

  private func card(seed: UInt64) -> [UInt16] {
    var state = seed
    let levels: [[Int]] = [[3000, 6000], [6000, 4000]]
    return (0..<width * height).map { index in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407  // D. E. Knuth's MMIX
      let tosses = (state >> 32).nonzeroBitCount - 16
      return UInt16(levels[index / width & 1][index % width & 1] + 6 * tosses)  // σ = 17
    }
  }

  /// Returns the header and the directory, which precede the pixels.
  private func directory(pixelBytes: Int) -> Data {
    let make = Array("Nobody\0\0".utf8)
    let matrix: [UInt32] = [1, 0, 0, 0, 1, 0, 0, 0, 1].flatMap { [$0, 1] }
    /// The entries: tag, type, count, value or values.
    var entries: [(UInt16, UInt16, Int, [UInt8])] = [
      (254, 4, 1, bytes([UInt32(0)])), (256, 4, 1, bytes([UInt32(width)])),
      (257, 4, 1, bytes([UInt32(height)])), (258, 3, 1, bytes([UInt16(16)])),
      (259, 3, 1, bytes([UInt16(compression == .none ? 1 : 7)])),
      (262, 3, 1, bytes([UInt16(32803)])), (271, 2, 7, make), (272, 2, 7, make),
      (273, 4, 1, []), (277, 3, 1, bytes([UInt16(1)])), (278, 4, 1, bytes([UInt32(height)])),
      (279, 4, 1, bytes([UInt32(pixelBytes)])), (33421, 3, 2, bytes([UInt16(2), 2])),
      (33422, 1, 4, [0, 1, 1, 2]), (50706, 1, 4, [1, 4, 0, 0]), (50708, 2, 7, make),
      (50714, 3, 1, bytes([Self.black])), (50717, 3, 1, bytes([Self.white])),
      (50721, 10, 9, bytes(matrix)),
    ]
    let start = 8 + 2 + 12 * entries.count + 4
    let longValues = entries.reduce(0) { $0 + ($1.3.count > 4 ? $1.3.count : 0) }
    entries[8].3 = bytes([UInt32(start + longValues)])
    var data = Data([0x49, 0x49, 42, 0, 8, 0, 0, 0] + bytes([UInt16(entries.count)]))
    var tail = Data()
    for (tag, type, count, value) in entries {
      data.append(contentsOf: bytes([tag, type]) + bytes([UInt32(count)]))
      if value.count > 4 {
        data.append(contentsOf: bytes([UInt32(start + tail.count)]))
        tail.append(contentsOf: value)
      } else {
        data.append(contentsOf: value + Array(repeating: 0, count: 4 - value.count))
      }
    }
    return data + Data(count: 4) + tail
  }

  private func bytes<Number: FixedWidthInteger>(_ numbers: [Number]) -> [UInt8] {
    numbers.flatMap { number in
      (0..<Number.bitWidth / 8).map { UInt8(truncatingIfNeeded: number >> Number($0 * 8)) }
    }
  }
}
