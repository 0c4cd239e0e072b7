/// The segments of a JPEG file that remain valid when its pixels change: resolution, Exif data and
/// ICC profile. Only thumbnails in them become outdated.
struct JPEGSegments: Sendable {
  /// The JFIF segment, with its marker.
  private(set) var jfif: [UInt8] = []
  /// The other segments, in the order of the file, with their markers.
  private(set) var others: [UInt8] = []
  /// The Exif data, a TIFF structure; empty if there are none.
  private(set) var exif: [UInt8] = []
  /// The ICC profile, joined from its parts; `nil` if there is none or a part is missing.
  let iccProfile: [UInt8]?
  /// The orientation of the picture for display, by Exif's number.
  var orientation: Int? { exif.isEmpty ? nil : TIFFDirectories(exif).orientation }

  /// Collects the segments before the first scan.
  init(_ bytes: [UInt8]) {
    var parts: [Int: ArraySlice<UInt8>] = [:]
    var partCount = 0
    var start = 2
    while start + 4 <= bytes.count, bytes[start] == 0xFF {
      let marker = bytes[start + 1]
      if marker == 0xFF {  // a fill byte
        start += 1
        continue
      }
      if marker == 0xDA || marker == 0xD9 { break }
      let end = start + 2 + Int(bytes[start + 2]) << 8 + Int(bytes[start + 3])
      guard end >= start + 4, end <= bytes.count else { break }
      let content = bytes[start + 4..<end]
      if marker == 0xE0, content.starts(with: "JFIF\0".utf8), jfif.isEmpty {
        jfif = Array(bytes[start..<end])
      } else if marker == 0xE1, content.starts(with: "Exif\0\0".utf8) {
        others += bytes[start..<end]
        if exif.isEmpty { exif = Array(content.dropFirst(6)) }
      } else if marker == 0xE2, content.starts(with: "ICC_PROFILE\0".utf8), content.count > 14 {
        others += bytes[start..<end]
        parts[Int(content[content.startIndex + 12])] = content.dropFirst(14)
        partCount = Int(content[content.startIndex + 13])
      }
      start = end
    }
    let profile = (0..<partCount).compactMap { parts[$0 + 1] }
    iccProfile = profile.isEmpty || profile.count < partCount ? nil : Array(profile.joined())
  }

  /// Returns a file with these segments in place of the JFIF segment with which it starts.
  func replacingStart(of file: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    let start = unsafe Array(file.prefix(2))
    let end = unsafe 4 + Int(file[4]) << 8 + Int(file[5])
    let own = unsafe Array(file[2..<end])
    return unsafe start + (jfif.isEmpty ? own : jfif) + others + file[end...]
  }
}
