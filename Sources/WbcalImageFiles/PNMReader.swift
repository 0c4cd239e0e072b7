import ColorScience
import WhiteBalance

/// Reads the pixmaps of Netpbm: P3 (text) and P6 (binary), with any largest value up to 65535.
///
/// The format's manual prescribes the transfer function of BT.709; most programs write sRGB, which
/// is assumed here. The largest value becomes the white level. Only the first picture is read.
enum PNMReader {
  static func read(_ bytes: [UInt8]) throws(ImageFileProblem) -> Frame {
    let header = try PNMHeader(bytes)
    let (size, largest) = (header.bytesPerSample, header.largest)
    var scanner = PNMScanner(bytes: bytes, position: header.length)
    return try unsafe Frame(
      .pnm, width: header.width, height: header.height, format: header.format,
      whiteLevel: Double(largest), transfer: .sRGB, fileSize: bytes.count, ratio: 1
    ) { (buffer) throws(ImageFileProblem) in
      let needed = header.isBinary ? buffer.count + 1 : 2 * (buffer.count / size)
      let left = bytes.count - scanner.position
      guard left >= needed else { throw .truncated(.pnm, "\(left) bytes instead of \(needed)") }
      var most = 0
      if header.isBinary {
        unsafe bytes.withUnsafeBufferPointer {
          most = unsafe copySamples($0.baseAddress! + scanner.position + 1, size, to: buffer)
        }
      } else {
        for offset in stride(from: 0, to: buffer.count, by: size) {
          let sample = try scanner.number("a sample")
          most = max(most, sample)
          guard sample <= largest else { break }
          unsafe buffer[offset] = UInt8(truncatingIfNeeded: sample)
          if size == 2 { unsafe buffer[offset + 1] = UInt8(sample >> 8) }
        }
      }
      guard most <= largest else { throw excess(most, largest) }
    }
  }

  static func excess(_ sample: Int, _ largest: Int) -> ImageFileProblem {
    .corrupt(.pnm, "a sample is \(sample), above the largest value \(largest)")
  }

  /// Converts samples of 1 or 2 bytes from the byte order of a file to that of a frame, or back;
  /// returns the largest sample of the file.
  static func arrange(_ samples: inout [UInt8], _ size: Int) -> Int {
    unsafe samples.withUnsafeMutableBufferPointer {
      unsafe copySamples(UnsafePointer($0.baseAddress!), size, to: $0)
    }
  }

  /// Copies binary samples, whose more significant byte comes first in the file and last in a
  /// frame; returns the largest. The loops are plain so that the compiler vectorizes them.
  private static func copySamples(
    _ samples: UnsafePointer<UInt8>, _ size: Int, to buffer: UnsafeMutableBufferPointer<UInt8>
  ) -> Int {
    if size == 1 {
      var most: UInt8 = 0
      for place in 0..<buffer.count {
        let sample = unsafe samples[place]
        unsafe buffer[place] = sample
        most = max(most, sample)
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

/// The header of a pixmap, which one byte separates from its samples.
struct PNMHeader {
  let isBinary: Bool
  let width, height, largest: Int
  /// The number of bytes before the separating byte.
  let length: Int

  /// Reads the header from the beginning of a file.
  init(_ bytes: [UInt8]) throws(ImageFileProblem) {
    guard bytes.count > 1 else { throw .truncated(.pnm, "no header") }
    let kind = Int(bytes[1]) - 0x30
    guard kind == 3 || kind == 6 else { throw .noColor(.pnm) }
    isBinary = kind == 6
    var scanner = PNMScanner(bytes: bytes, position: 2)
    width = try scanner.number("the width")
    height = try scanner.number("the height")
    largest = try scanner.number("the largest value")
    guard (1...65535).contains(largest) else {
      throw .corrupt(.pnm, "its largest value is \(largest), not 1 to 65535")
    }
    length = scanner.position
  }

  var bytesPerSample: Int { largest < 256 ? 1 : 2 }
  var format: PixelFormat { bytesPerSample == 1 ? .rgb8 : .rgb16 }
}

private struct PNMScanner {
  let bytes: [UInt8]
  var position: Int

  /// Reads the next decimal number, after any white space and comments.
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
