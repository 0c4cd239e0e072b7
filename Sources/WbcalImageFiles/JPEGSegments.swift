/// The segments of a JPEG file that remain valid when its pixels change: resolution, ICC profile,
/// comments and metadata.
struct JPEGSegments: Sendable {
  /// The JFIF segment, with its marker.
  private(set) var jfif: [UInt8] = []
  /// The segments of the ICC profile, in the order of the file, with their markers.
  private(set) var others: [UInt8] = []
  /// The comments, with their markers.
  var comments: [UInt8] = []
  /// The Exif data, a TIFF structure; empty if there are none.
  private(set) var exif: [UInt8] = []
  private var xmp: [UInt8] = []
  private var extendedXMP: [[UInt8]] = []
  /// Photoshop's resources, joined from their segments.
  private var resources: [UInt8] = []

  /// The metadata in the segments.
  var metadata: PictureMetadata {
    PictureMetadata(
      exif: exif, xmp: xmp, extendedXMP: extendedXMP,
      iptc: IPTCRecords.find(inResources: resources) ?? [])
  }
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
      if marker == 0xE0, content.starts(with: "JFIF\0".utf8), content.count >= 14, jfif.isEmpty {
        // A thumbnail would have the old colors.
        jfif = [0xFF, 0xE0, 0, 16] + content.prefix(12) + [0, 0]
      } else if marker == 0xE1, content.starts(with: "Exif\0\0".utf8) {
        // Data that do not fit into one segment continue in the next.
        let part = content.dropFirst(6)
        let isOther = part.starts(with: "II*\0".utf8) || part.starts(with: "MM\0*".utf8)
        if exif.isEmpty || !isOther { exif += part }
      } else if marker == 0xE1, content.starts(with: PictureMetadata.xmpHeader.utf8) {
        if xmp.isEmpty { xmp = Array(content.dropFirst(PictureMetadata.xmpHeader.utf8.count)) }
      } else if marker == 0xE1, content.starts(with: PictureMetadata.extendedXMPHeader.utf8) {
        extendedXMP.append(Array(content))
      } else if marker == 0xED, content.starts(with: PictureMetadata.photoshopHeader.utf8) {
        resources += content.dropFirst(PictureMetadata.photoshopHeader.utf8.count)
      } else if marker == 0xFE {
        comments += bytes[start..<end]
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

  /// Creates the segments of an ICC profile.
  init(iccProfile: [UInt8]?) {
    self.iccProfile = iccProfile
    guard let iccProfile else { return }
    let size = 65_519
    let starts = stride(from: 0, to: iccProfile.count, by: size)
    let count = (iccProfile.count + size - 1) / size
    for (index, start) in starts.enumerated() {
      let part = iccProfile[start..<min(start + size, iccProfile.count)]
      others += [0xFF, 0xE2] + WbcalImageFiles.bytes(part.count + 16, size: 2, true)
      others += Array("ICC_PROFILE\0".utf8) + [UInt8(index + 1), UInt8(count)] + part
    }
  }

  /// Returns a file with these segments and those of metadata in place of the JFIF segment with
  /// which it starts.
  func replacingStart(of file: UnsafeBufferPointer<UInt8>, metadata: [UInt8]) -> [UInt8] {
    let start = unsafe Array(file.prefix(2))
    let end = unsafe 4 + Int(file[4]) << 8 + Int(file[5])
    let own = unsafe Array(file[2..<end])
    return unsafe start + (jfif.isEmpty ? own : jfif) + metadata + others + comments + file[end...]
  }
}
