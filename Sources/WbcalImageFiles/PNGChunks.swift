/// The chunks of a PNG file that remain valid when its pixels change: those that define the meaning
/// of the colors, and those whose names declare that they do not depend on the pixels, such as
/// texts, resolution and Exif data.
enum PNGChunks {
  /// The chunk that declares the colors to be sRGB, with perceptual rendering intent.
  static let sRGB: [UInt8] = chunk("sRGB", [0])

  /// Chunks of metadata, which are replaced at their place.
  enum Kind { case exif, xmp, iptc }

  /// A chunk with its length and checksum, or metadata in its place.
  struct Lasting: Sendable {
    var name: String
    var bytes: [UInt8]
    var kind: Kind?
    /// `true` if the content is a text of ImageMagick with bytes in hexadecimal.
    var isRawProfile: Bool
  }

  static let xmpKeyword = "XML:com.adobe.xmp"

  /// Returns these chunks in the order of a file.
  static func lasting(in bytes: [UInt8]) -> [Lasting] {
    let chunks = chunks(in: bytes)
    // Transparent colors become a fourth sample, about which their sBIT chunk says nothing.
    let dropped = chunks.contains { $0.name == "tRNS" } ? "sBIT" : nil
    return chunks.filter {
      isLasting($0.bytes) || colors.contains($0.name) && $0.name != dropped
    }.map { name, bytes in
      let keyword = String(
        decoding: bytes.dropFirst(8).prefix(80).prefix { $0 != 0 }, as: UTF8.self)
      let raw = texts.contains(name) ? rawProfiles[keyword] : nil
      let kind: Kind? =
        name == "eXIf" ? .exif : texts.contains(name) && keyword == xmpKeyword ? .xmp : raw
      return Lasting(name: name, bytes: Array(bytes), kind: kind, isRawProfile: raw != nil)
    }
  }

  private static let texts = ["tEXt", "zTXt", "iTXt"]
  private static let rawProfiles: [String: Kind] = [
    "Raw profile type exif": .exif, "Raw profile type APP1": .exif, "Raw profile type xmp": .xmp,
    "Raw profile type iptc": .iptc,
  ]

  /// Returns the chunks that only give the pixels their meaning and size: no texts, and none that
  /// other programs define.
  static func reducedToDisplay(_ chunks: [Lasting]) -> [Lasting] {
    chunks.filter { colors.contains($0.name) || $0.name == "pHYs" || $0.kind == .exif }
  }

  /// Returns the bytes of chunks, with metadata in the place of those that were there before.
  static func encode(_ chunks: [Lasting], metadata: [Kind: [UInt8]]) -> [UInt8] {
    var rest = metadata
    var result: [UInt8] = []
    for chunk in chunks {
      result += chunk.kind.map { rest.removeValue(forKey: $0) ?? [] } ?? chunk.bytes
    }
    return [.exif, .xmp, .iptc].reduce(result) { $0 + (rest[$1] ?? []) }
  }

  /// Returns the metadata in the chunks of a file.
  static func metadata(in chunks: [Lasting]) -> PictureMetadata {
    /// The content of the first chunk of a kind that can be read.
    func content(_ kind: Kind) -> [UInt8] {
      for chunk in chunks where chunk.kind == kind {
        if chunk.name == "eXIf" { return Array(chunk.bytes.dropFirst(8).dropLast(4)) }
        guard let text = PNGReader.text(of: chunk.bytes) else { continue }
        let bytes = chunk.isRawProfile ? rawProfile(in: text) : text
        if !bytes.isEmpty { return bytes }
      }
      return []
    }
    let (exif, xmp, iptc) = (content(.exif), content(.xmp), content(.iptc))
    var metadata = PictureMetadata(
      exif: exif, xmp: xmp, iptc: IPTCRecords.find(inResources: iptc) ?? iptc)
    for (kind, bytes) in [(Kind.exif, exif), (.xmp, xmp), (.iptc, iptc)] where bytes.isEmpty {
      if chunks.contains(where: { $0.kind == kind }) {
        metadata.remark("a chunk of metadata could not be read and was left out")
      }
    }
    return metadata
  }

  /// Returns the bytes of a "raw profile", ImageMagick's text: a name, the number of bytes, and the
  /// bytes in hexadecimal.
  private static func rawProfile(in text: [UInt8]) -> [UInt8] {
    let lines = text.split(separator: UInt8(ascii: "\n"), maxSplits: 2)
    guard lines.count == 3 else { return [] }
    let digits = lines[2].compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
    return stride(from: 0, to: digits.count - 1, by: 2).map {
      UInt8(digits[$0] << 4 | digits[$0 + 1])
    }
  }

  /// Returns the content of a text chunk with a "raw profile".
  static func rawProfile(_ name: String, _ bytes: [UInt8]) -> [UInt8] {
    let digits = Array("0123456789abcdef".utf8)
    var text = Array("Raw profile type \(name)\0\n\(name)\n\(bytes.count)\n".utf8)
    for (index, byte) in bytes.enumerated() {
      text += [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      if index % 36 == 35 { text.append(UInt8(ascii: "\n")) }
    }
    return text + "\n".utf8
  }

  /// Returns a chunk with its length and checksum.
  static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
    let body = Array(name.utf8) + content
    // The CRC-32 of ISO 3309.
    var sum = ~UInt32(0)
    for byte in body {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 == 0 ? sum >> 1 : sum >> 1 ^ 0xEDB8_8320 }
    }
    return WbcalImageFiles.bytes(content.count, size: 4, true) + body
      + WbcalImageFiles.bytes(Int(~sum), size: 4, true)
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
    in bytes: [UInt8]
  ) -> some Sequence<(name: String, bytes: ArraySlice<UInt8>)> {
    sequence(state: headerStart) { start in
      guard start + 12 <= bytes.count else { return nil }
      let length = bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
      let end = start + 12 + length
      guard end <= bytes.count else { return nil }
      defer { start = end }
      return (String(decoding: bytes[start + 4..<start + 8], as: UTF8.self), bytes[start..<end])
    }
  }

  /// Returns a file with chunks inserted after its header chunk, where all of them are allowed.
  static func inserting(_ chunks: [UInt8], in file: some Collection<UInt8>) -> [UInt8] {
    let headerEnd = headerStart + 25
    return Array(file.prefix(headerEnd)) + chunks + file.dropFirst(headerEnd)
  }

  static let signature: [UInt8] = [0x89] + Array("PNG\r\n\u{1A}\n".utf8)
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
