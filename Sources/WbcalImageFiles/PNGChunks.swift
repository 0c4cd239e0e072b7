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
    var kept: [UInt8] = []
    forEach(in: bytes) { name, chunk in if isLasting(name) { kept += chunk } }
    return kept
  }

  /// Returns the Exif data, a TIFF structure; empty if there are none.
  static func exif(in bytes: [UInt8]) -> [UInt8] {
    var exif: [UInt8] = []
    forEach(in: bytes) { name, chunk in
      if name.elementsEqual("eXIf".utf8) { exif = Array(chunk.dropFirst(8).dropLast(4)) }
    }
    return exif
  }

  /// Indicates whether a chunk gives the transfer function.
  static func haveCurve(in bytes: [UInt8]) -> Bool {
    var isThere = false
    forEach(in: bytes) { name, _ in
      if ["cICP", "sRGB", "gAMA", "iCCP"].contains(where: { name.elementsEqual($0.utf8) }) {
        isThere = true
      }
    }
    return isThere
  }

  /// Indicates whether a chunk defines transparent colors.
  static func haveTransparency(in bytes: [UInt8]) -> Bool {
    var isThere = false
    forEach(in: bytes) { name, _ in if name.elementsEqual("tRNS".utf8) { isThere = true } }
    return isThere
  }

  /// Returns the number of the transfer function in the cICP chunk; `nil` if there is none.
  static func transferCode(in bytes: [UInt8]) -> UInt8? {
    var code: UInt8?
    forEach(in: bytes) { name, chunk in
      if name.elementsEqual("cICP".utf8), chunk.count == 16 { code = chunk[chunk.startIndex + 9] }
    }
    return code
  }

  private static func forEach(
    in bytes: [UInt8], _ body: (_ name: ArraySlice<UInt8>, _ chunk: ArraySlice<UInt8>) -> Void
  ) {
    var start = headerStart
    while start + 12 <= bytes.count {
      let length = bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
      let end = start + 12 + length
      guard end <= bytes.count else { break }
      body(bytes[start + 4..<start + 8], bytes[start..<end])
      start = end
    }
  }

  /// Returns the orientation of the picture for display, by the number in the Exif data among the
  /// chunks.
  static func orientation(in chunks: [UInt8]) -> Int? {
    var start = 0
    while start + 12 <= chunks.count {
      let length = chunks[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
      guard start + 12 + length <= chunks.count else { break }
      if chunks[start + 4..<start + 8].elementsEqual("eXIf".utf8) {
        return TIFFDirectories(Array(chunks[start + 8..<start + 8 + length])).orientation
      }
      start += 12 + length
    }
    return nil
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
  private static func isLasting(_ name: ArraySlice<UInt8>) -> Bool {
    let isSafe = name.first! & 0x20 != 0 && name.last! & 0x20 != 0
    return isSafe || colors.contains { name.elementsEqual($0.utf8) }
  }

  private static let colors = ["cHRM", "gAMA", "iCCP", "sRGB", "cICP", "sBIT"]
}
