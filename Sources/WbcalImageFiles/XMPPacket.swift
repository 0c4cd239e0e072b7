/// XMP data: XML in UTF-8 that programs write about a picture. They are copied as they are, except
/// for properties that no longer hold.
///
/// Properties are found by their usual prefixes, as in most programs' files; in all other places a
/// packet is opaque.
struct XMPPacket: Sendable {
  private(set) var bytes: [UInt8]

  /// The largest size in bytes.
  static let limit = 1 << 24

  /// Reads a packet; `nil` if it is not one.
  init?(_ bytes: some Sequence<UInt8>) {
    self.bytes = Array(bytes)
    while self.bytes.last == 0 { self.bytes.removeLast() }
    let isXMP = ["<x:xmpmeta", "<rdf:RDF", "<x:xapmeta"].contains {
      self.bytes.firstRange(of: Array($0.utf8)) != nil
    }
    guard self.bytes.count <= Self.limit, isXMP, !self.bytes.contains(0),
      String(validating: self.bytes, as: UTF8.self) != nil
    else { return nil }
  }

  /// Leaves out thumbnails, which have the colors of the picture before.
  mutating func removeThumbnails() {
    for name in ["xmp:Thumbnails", "xap:Thumbnails"] {
      let (start, end) = (Array("<\(name)".utf8), Array("</\(name)>".utf8))
      while let first = bytes.firstRange(of: start),
        let last = bytes[first.upperBound...].firstRange(of: end)
      {
        bytes.removeSubrange(first.lowerBound..<last.upperBound)
      }
    }
  }

  /// Replaces the value of a property wherever it is set, as an attribute or an element.
  mutating func replace(_ property: String, with value: String) {
    let (name, new) = (Array(property.utf8), Array(value.utf8))
    var start = 0
    while let range = bytes[start...].firstRange(of: name) {
      start = range.upperBound
      let rest = bytes[start...]
      let end: UInt8?
      let skipped: Int
      if rest.starts(with: "=\"".utf8) || rest.starts(with: "='".utf8) {
        (skipped, end) = (2, rest[rest.startIndex + 1])
      } else if rest.first == UInt8(ascii: ">"),
        bytes[..<range.lowerBound].last == UInt8(ascii: "<")
      {
        (skipped, end) = (1, UInt8(ascii: "<"))
      } else {
        continue
      }
      guard let last = rest.dropFirst(skipped).firstIndex(where: { $0 == end }) else { return }
      bytes.replaceSubrange(start + skipped..<last, with: new)
    }
  }

  /// Leaves out an attribute.
  mutating func removeAttribute(_ name: String) {
    while let range = bytes.firstRange(of: Array(" \(name)=".utf8)) {
      let rest = bytes[range.upperBound...]
      guard let quote = rest.first, let end = rest.dropFirst().firstIndex(of: quote) else { return }
      bytes.removeSubrange(range.lowerBound...end)
    }
  }
}
