/// The chunks of a PNG file that remain valid when its pixels change: those that define the meaning
/// of the colors, and those whose names declare that they do not depend on the pixels, such as
/// texts, resolution and Exif data.
enum PNGChunks {
  /// The chunk that declares the colors to be sRGB, with perceptual rendering intent.
  static let sRGB: [UInt8] =
    [0, 0, 0, 1] + Array("sRGB".utf8) + [0] + [0xAE, 0xCE, 0x1C, 0xE9]

  /// Returns these chunks as they are in a file, one after another, with their lengths and
  /// checksums.
  static func lasting(in bytes: [UInt8]) -> [UInt8] {
    let chunks = chunks(in: bytes)
    // Transparent colors become a fourth sample, about which their sBIT chunk says nothing.
    let dropped = chunks.contains { $0.name == "tRNS" } ? "sBIT" : nil
    return chunks.filter {
      isLasting($0.bytes) || colors.contains($0.name) && $0.name != dropped
    }.flatMap(\.bytes)
  }

  /// Returns the Exif data, a TIFF structure; empty if there are none.
  ///
  /// - Parameter start: the offset of the first chunk in the bytes.
  static func exif(in bytes: [UInt8], from start: Int = headerStart) -> [UInt8] {
    let chunk = chunks(in: bytes, from: start).first { $0.name == "eXIf" }
    return Array(chunk?.bytes.dropFirst(8).dropLast(4) ?? [])
  }

  /// Indicates whether a chunk gives the transfer function.
  static func haveCurve(in bytes: [UInt8]) -> Bool {
    chunks(in: bytes).contains { ["cICP", "sRGB", "gAMA", "iCCP"].contains($0.name) }
  }

  /// Returns the number of the transfer function in the cICP chunk; `nil` if there is none.
  static func transferCode(in bytes: [UInt8]) -> UInt8? {
    let chunk = chunks(in: bytes).first { $0.name == "cICP" && $0.bytes.count == 16 }
    return chunk?.bytes.dropFirst(9).first
  }

  /// The complete chunks, with their lengths and checksums.
  private static func chunks(
    in bytes: [UInt8], from start: Int = headerStart
  ) -> some Sequence<(name: String, bytes: ArraySlice<UInt8>)> {
    sequence(state: start) { start in
      guard start + 12 <= bytes.count else { return nil }
      let length = bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
      let end = start + 12 + length
      guard end <= bytes.count else { return nil }
      defer { start = end }
      return (String(decoding: bytes[start + 4..<start + 8], as: UTF8.self), bytes[start..<end])
    }
  }

  /// Returns the orientation of the picture for display, by the number in the Exif data among the
  /// chunks.
  static func orientation(in chunks: [UInt8]) -> Int? {
    TIFFDirectories(exif(in: chunks, from: 0)).orientation
  }

  /// Returns a file with chunks inserted after its header chunk, where all of them are allowed.
  static func inserting(_ chunks: [UInt8], in file: some Collection<UInt8>) -> [UInt8] {
    let headerEnd = headerStart + 25
    return Array(file.prefix(headerEnd)) + chunks + file.dropFirst(headerEnd)
  }

  /// The end of the signature.
  private static let headerStart = 8

  /// Indicates whether a chunk remains valid, by PNG's naming convention: bit 5 of the first letter
  /// is set in chunks that are not critical, and of the fourth in those that may be copied even if
  /// the pixels have changed.
  private static func isLasting(_ chunk: ArraySlice<UInt8>) -> Bool {
    chunk[chunk.startIndex + 4] & chunk[chunk.startIndex + 7] & 0x20 != 0
  }

  private static let colors = ["cHRM", "gAMA", "iCCP", "sRGB", "cICP", "sBIT"]
}
