import ColorScience
import WhiteBalance

/// The pixmaps of Netpbm: P3 (text) and P6 (binary), with any largest value up to 65535.
///
/// The format's manual prescribes the transfer function of BT.709; most programs write sRGB, which
/// is what is assumed here. The largest value becomes the white level. The first picture is read.
enum PNMReader {
  static func read(_ bytes: [UInt8]) throws(ImageFileProblem) -> Frame {
    guard bytes.count > 1 else { throw .truncated(.pnm, "no header") }
    let kind = Int(bytes[1]) - 0x30
    guard kind == 3 || kind == 6 else { throw .noColor(.pnm) }
    var scanner = PNMScanner(bytes: bytes, position: 2)
    let width = try scanner.number("the width")
    let height = try scanner.number("the height")
    let largest = try scanner.number("the largest value")
    guard (1...65535).contains(largest) else {
      throw .corrupt(.pnm, "its largest value is \(largest), not 1 to 65535")
    }
    let size = largest < 256 ? 1 : 2
    return try unsafe Frame(
      .pnm, width: width, height: height, format: size == 1 ? .rgb8 : .rgb16,
      whiteLevel: Double(largest), transfer: .sRGB, fileSize: bytes.count, ratio: 1
    ) { (buffer) throws(ImageFileProblem) in
      let needed = kind == 6 ? buffer.count + 1 : 2 * (buffer.count / size)
      let left = bytes.count - scanner.position
      guard left >= needed else { throw .truncated(.pnm, "\(left) bytes for \(needed)") }
      var most = 0
      if kind == 6 {
        let samples = bytes.span.extracting((scanner.position + 1)...)
        most = unsafe copySamples(samples, size, to: buffer)
      } else {
        for offset in stride(from: 0, to: buffer.count, by: size) {
          let sample = try scanner.number("a sample")
          most = max(most, sample)
          guard sample <= largest else { break }
          unsafe buffer[offset] = UInt8(truncatingIfNeeded: sample)
          if size == 2 { unsafe buffer[offset + 1] = UInt8(sample >> 8) }
        }
      }
      guard most <= largest else {
        throw .corrupt(.pnm, "a sample is \(most), above the largest value \(largest)")
      }
    }
  }

  /// Copies binary samples, of which the more significant byte comes first in the file and last in
  /// a frame; returns the largest. Plain loops, which are made into vectors.
  private static func copySamples(
    _ samples: Span<UInt8>, _ size: Int, to buffer: UnsafeMutableBufferPointer<UInt8>
  ) -> Int {
    unsafe samples.withUnsafeBufferPointer { samples in
      if size == 1 {
        var most: UInt8 = 0
        for place in 0..<buffer.count {
          unsafe buffer[place] = unsafe samples[place]
          most = max(most, unsafe samples[place])
        }
        return Int(most)
      }
      var most: UInt16 = 0
      for place in stride(from: 0, to: buffer.count, by: 2) {
        let (high, low) = unsafe (samples[place], samples[place + 1])
        unsafe buffer[place] = low
        unsafe buffer[place + 1] = high
        most = max(most, UInt16(high) << 8 | UInt16(low))
      }
      return Int(most)
    }
  }
}

private struct PNMScanner {
  let bytes: [UInt8]
  var position: Int

  /// The next decimal number, after any white space and comments.
  mutating func number(_ meaning: String) throws(ImageFileProblem) -> Int {
    let start = position
    var inComment = false
    while position < bytes.count {
      let byte = bytes[position]
      if inComment {
        inComment = byte != UInt8(ascii: "\n") && byte != UInt8(ascii: "\r")
      } else if byte == UInt8(ascii: "#") {
        inComment = true
      } else if !Self.isSpace(byte) {
        break
      }
      position += 1
    }
    guard position < bytes.count else { throw .truncated(.pnm, "\(meaning) is missing") }
    var value = 0
    let digits = position
    while position < bytes.count, (0x30...0x39).contains(bytes[position]), value < 1 << 40 {
      value = 10 * value + Int(bytes[position] - 0x30)
      position += 1
    }
    let ended = position == bytes.count || Self.isSpace(bytes[position])
    guard digits > start, position > digits, ended || bytes[position] == UInt8(ascii: "#") else {
      throw .corrupt(.pnm, "\(meaning) is not a number")
    }
    return value
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0D).contains(byte)
  }
}
