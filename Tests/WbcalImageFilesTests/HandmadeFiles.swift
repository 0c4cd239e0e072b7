import Foundation

/// Returns a PNG chunk with its length and checksum.
func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
  let body = Array(name.utf8) + content
  return bigEndian(UInt32(content.count)) + body + bigEndian(checksum(body))
}

/// Returns an iCCP chunk whose profile is in deflate blocks without compression.
func profileChunk(_ profile: [UInt8]) -> [UInt8] {
  var packed: [UInt8] = [0x78, 0x01]
  for start in stride(from: 0, to: profile.count, by: 65535) {
    let block = profile[start..<min(start + 65535, profile.count)]
    let isLast: UInt8 = block.endIndex == profile.count ? 1 : 0
    let length = UInt16(block.count)
    packed += [isLast] + littleEndian(length) + littleEndian(~length) + block
  }
  var (low, high) = (UInt32(1), UInt32(0))
  for byte in profile {
    low = (low + UInt32(byte)) % 65521
    high = (high + low) % 65521
  }
  return chunk("iCCP", Array("card\0\0".utf8) + packed + bigEndian(high << 16 | low))
}

/// Returns a file with bytes inserted at an offset: 33, after the header chunk of a PNG file, or 2,
/// before the first marker of a JPEG file.
func inserting(_ bytes: [UInt8], at offset: Int, in file: Data) -> Data {
  file.prefix(offset) + bytes + file.dropFirst(offset)
}

/// Returns a segment of a JPEG file.
func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
  [0xFF, marker, UInt8((content.count + 2) >> 8), UInt8((content.count + 2) & 255)] + content
}

/// Returns Exif data that contain only an orientation.
func exif(orientation: UInt8) -> [UInt8] {
  Array("Exif\0\0MM\0*".utf8) + [0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0]
    + [0, 0, 0, 0]
}

/// Returns a little-endian TIFF file of one uncompressed strip, with additional or replaced tags.
func tiff(
  width: Int, height: Int, samples: Int, bits: Int, pixels: [UInt8],
  tags: [(tag: Int, type: Int, count: Int, value: [UInt8])]
) -> Data {
  func short(_ tag: Int, _ values: Int...) -> (Int, Int, Int, [UInt8]) {
    (tag, 3, values.count, values.flatMap { littleEndian(UInt16($0)) })
  }
  let own = [
    short(256, width), short(257, height),
    (
      258, 3, samples,
      [[UInt8]](
        repeating: littleEndian(UInt16(bits)), count: samples
      ).flatMap { $0 }
    ),
    short(259, 1), short(262, 2), (273, 4, 1, littleEndian32(8)), short(277, samples),
    short(278, height), (279, 4, 1, littleEndian32(pixels.count)),
  ]
  var file: [UInt8] = Array("II*\0".utf8) + littleEndian32(8 + pixels.count) + pixels
  let kept = own.filter { entry in !tags.contains { $0.tag == entry.0 } }
  let entries = (kept + tags).sorted { $0.0 < $1.0 }
  var directory = littleEndian(UInt16(entries.count))
  var rest: [UInt8] = []
  let restStart = file.count + 2 + 12 * entries.count + 4
  for (tag, type, count, value) in entries {
    directory += littleEndian(UInt16(tag)) + littleEndian(UInt16(type)) + littleEndian32(count)
    if value.count <= 4 {
      directory += value + [UInt8](repeating: 0, count: 4 - value.count)
    } else {
      directory += littleEndian32(restStart + rest.count)
      rest += value + (value.count % 2 == 0 ? [] : [0])
    }
  }
  file += directory + littleEndian32(0) + rest
  return Data(file)
}

func littleEndian(_ value: UInt16) -> [UInt8] { [UInt8(value & 255), UInt8(value >> 8)] }

func littleEndian32(_ value: Int) -> [UInt8] {
  [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: value >> $0) }
}

func bigEndian(_ value: UInt32) -> [UInt8] {
  [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
}

/// Returns the CRC-32 of a PNG chunk.
func checksum(_ bytes: some Sequence<UInt8>) -> UInt32 {
  var sum = ~UInt32(0)
  for byte in bytes {
    sum ^= UInt32(byte)
    for _ in 0..<8 { sum = sum & 1 == 0 ? sum >> 1 : sum >> 1 ^ 0xEDB8_8320 }
  }
  return ~sum
}
