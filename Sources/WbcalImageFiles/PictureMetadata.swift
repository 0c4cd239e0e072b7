package import WhiteBalance

/// The Exif, XMP and IPTC data of a picture file, checked, and what was left out of them.
///
/// They do not depend on the format of the file, so that a file of another format can get them.
package struct PictureMetadata: Sendable {
  var exif: ExifData?
  var xmp: XMPPacket?
  /// The contents of a JPEG file's segments of extended XMP.
  var extendedXMP: [[UInt8]] = []
  var iptc: [UInt8] = []
  /// Sentences without a period on what is damaged or cannot be kept, and was left out.
  private(set) var remarks: [String] = []

  /// Creates empty metadata.
  package init() {}

  /// Reads metadata in the forms in which files store them.
  ///
  /// - Parameter exif: a TIFF structure, or the whole TIFF file.
  init(
    exif: [UInt8] = [], xmp: [UInt8] = [], extendedXMP: [[UInt8]] = [], iptc: [UInt8] = []
  ) {
    if !exif.isEmpty {
      // Some programs copy the header of a JPEG file's segment, too.
      self.exif = ExifData(exif.starts(with: Self.exifHeader.utf8) ? Array(exif[6...]) : exif)
      if let data = self.exif {
        if data.damaged > 0 { remark("the damaged fields of its Exif data were left out") }
        if data.tooLarge > 0 {
          remark("fields of its Exif data beyond \(ExifData.limit >> 20) MiB were left out")
        }
        if data.isEmpty { self.exif = nil }
      } else {
        remark("its Exif data are damaged and were left out")
      }
    }
    if !xmp.isEmpty {
      self.xmp = XMPPacket(xmp)
      if self.xmp == nil { remark("its XMP data are not valid and were left out") }
      self.xmp?.removeThumbnails()
    }
    // A thumbnail in them cannot be left out: the packet names their checksum.
    let isOutdated = extendedXMP.contains { $0.firstRange(of: Array(":Thumbnails".utf8)) != nil }
    if isOutdated { remark("its extended XMP data, with a thumbnail, were left out") }
    self.extendedXMP = isOutdated || self.xmp == nil ? [] : extendedXMP
    if self.extendedXMP.isEmpty { self.xmp?.removeAttribute("xmpNote:HasExtendedXMP") }
    if !iptc.isEmpty {
      self.iptc = iptc.count <= IPTCRecords.limit ? IPTCRecords.valid(in: iptc) : []
      // Programs fill the rest with zeros.
      if iptc.dropFirst(self.iptc.count).contains(where: { $0 != 0 }) {
        remark("the damaged end of its IPTC data was left out")
      }
    }
  }

  /// Reads the metadata of a TIFF file, or of a raw photograph in one.
  init(tiff bytes: [UInt8]) {
    guard let first = TIFFEntries(bytes) else {
      // BigTIFF, and the formats of some makers.
      self.init()
      remark("its metadata are not read, since it is not a TIFF file with offsets of 32 bits")
      return
    }
    func field(_ tag: Int) -> [UInt8] {
      guard let (_, range) = first.place(of: tag), range.count <= XMPPacket.limit else { return [] }
      return Array(bytes[range])
    }
    let iptc = field(ExifData.Tag.iptc)
    self.init(
      exif: bytes, xmp: field(ExifData.Tag.xmp),
      iptc: iptc.isEmpty ? IPTCRecords.find(inResources: field(34377)) ?? [] : iptc)
  }

  mutating func remark(_ text: String) { if !remarks.contains(text) { remarks.append(text) } }

  /// Leaves out all that is not necessary to display the picture, without a remark.
  package mutating func reduceToDisplay() {
    exif?.reduceToDisplay()
    if exif?.isEmpty == true { exif = nil }
    (xmp, extendedXMP, iptc, remarks) = (nil, [], [], [])
  }

  /// Returns the metadata of the upright picture in sRGB that was developed from this one.
  func developed(to layout: FrameLayout) -> PictureMetadata {
    var result = self
    result.exif?.setPicture(width: layout.width, height: layout.height, colorSpace: 1)
    result.edit([
      "tiff:Orientation": "1", "exif:ColorSpace": "1", "exif:PixelXDimension": "\(layout.width)",
      "exif:PixelYDimension": "\(layout.height)", "tiff:ImageWidth": "\(layout.width)",
      "tiff:ImageLength": "\(layout.height)", "photoshop:ICCProfile": "sRGB",
      // Raw converters would apply settings that were meant for the raw photograph.
      "crs:HasSettings": "False",
    ])
    return result
  }

  private mutating func edit(_ values: [String: String]) {
    for (property, value) in values { xmp?.replace(property, with: value) }
  }

  /// The Exif data as a TIFF structure of at most a number of bytes; empty if there are none. What
  /// is too large is left out with a remark.
  private mutating func encodedExif(limit: Int) -> [UInt8] {
    guard exif != nil else { return [] }
    if exif?.removeMisplacedMakerNote() == true { remark(Self.misplaced) }
    if exif?.removeLargest(toFit: limit) == true {
      remark("the largest fields of its Exif data were left out, for which there is no room")
    }
    var bytes = exif?.encoded() ?? []
    if bytes.count > limit {
      // The maker's notes keep their offset, which may require a gap before them.
      exif?.exif[ExifData.Tag.makerNote] = nil
      remark(Self.misplaced)
      bytes = exif?.encoded() ?? []
    }
    guard bytes.count <= limit else {
      remark("its Exif data were left out, for which there is no room")
      return []
    }
    return bytes
  }

  private static let misplaced =
    "the maker's notes in its Exif data were left out, since they would have to be moved"

  /// The largest content of a segment of a JPEG file.
  private static let segmentLimit = 65_533

  /// Returns the segments of a JPEG file, with their markers.
  mutating func jpegSegments() -> [UInt8] {
    exif?.remove(ExifData.ofRaw)
    // Exif requires the position of chroma in JPEG files, here that of luma: 1, centered.
    if exif?.exif.isEmpty == false, exif?.main[531] == nil { exif?.set(531, of: \.main, short: 1) }
    var result: [UInt8] = []
    func append(_ marker: UInt8, _ content: [UInt8]) {
      result += [0xFF, marker] + bytes(content.count + 2, size: 2, true) + content
    }
    let exif = encodedExif(limit: Self.segmentLimit - 6)
    if !exif.isEmpty { append(0xE1, Array(Self.exifHeader.utf8) + exif) }
    if let xmp = xmp?.bytes {
      let content = Array(Self.xmpHeader.utf8) + xmp
      if content.count <= Self.segmentLimit {
        append(0xE1, content)
        for content in extendedXMP { append(0xE1, content) }
      } else {
        remark("its XMP data were left out, for which a JPEG file has no room")
      }
    }
    if !iptc.isEmpty {
      let content = Array(Self.photoshopHeader.utf8) + IPTCRecords.resource(iptc)
      if content.count <= Self.segmentLimit {
        append(0xED, content)
      } else {
        remark("its IPTC data were left out, for which a JPEG file has no room")
      }
    }
    return result
  }

  private static let exifHeader = "Exif\0\0"
  static let xmpHeader = "http://ns.adobe.com/xap/1.0/\0"
  static let extendedXMPHeader = "http://ns.adobe.com/xmp/extension/\0"
  static let photoshopHeader = "Photoshop 3.0\0"

  /// The chunks of a PNG file by their kinds.
  mutating func pngChunks() -> [PNGChunks.Kind: [UInt8]] {
    requireNoExtendedXMP()
    exif?.remove(ExifData.ofLuma.union(ExifData.ofRaw))
    var result: [PNGChunks.Kind: [UInt8]] = [:]
    let exif = encodedExif(limit: ExifData.limit)
    if !exif.isEmpty { result[.exif] = PNGChunks.chunk("eXIf", exif) }
    if let xmp {
      result[.xmp] = PNGChunks.chunk(
        "iTXt", Array("\(PNGChunks.xmpKeyword)\0\0\0\0\0".utf8) + xmp.bytes)
    }
    if !iptc.isEmpty {
      result[.iptc] = PNGChunks.chunk(
        "tEXt", PNGChunks.rawProfile("iptc", IPTCRecords.resource(iptc)))
    }
    return result
  }

  private mutating func requireNoExtendedXMP() {
    guard !extendedXMP.isEmpty else { return }
    extendedXMP = []
    xmp?.removeAttribute("xmpNote:HasExtendedXMP")
    remark("its extended XMP data were left out, which only JPEG files can have")
  }

  /// Returns nothing, with a remark if there are metadata.
  mutating func none(for file: String) -> [UInt8] {
    if exif != nil || xmp != nil || !iptc.isEmpty {
      remark("its metadata were left out, which \(file) cannot have")
    }
    return []
  }

  /// The Exif data with which a TIFF file begins, whose first directory also has the XMP and IPTC
  /// data; empty if there are none.
  mutating func tiffStart() -> [UInt8] {
    requireNoExtendedXMP()
    exif?.remove(ExifData.ofLuma.union(ExifData.ofRaw))
    exif?.removeStorage()
    addToDirectory()
    return encodedExif(limit: 4 * ExifData.limit)
  }

  /// Gives a little-endian DNG file these metadata in addition to its own fields; returns remarks
  /// on what was left out.
  ///
  /// - Parameters:
  ///   - head: The file's bytes before the codes.
  ///   - layout: The layout of the picture.
  package func add(toDNG head: inout [UInt8], layout: FrameLayout) -> [String] {
    var metadata = self
    metadata.join(toDNG: &head, layout)
    return metadata.remarks
  }

  private mutating func join(toDNG file: inout [UInt8], _ layout: FrameLayout) {
    requireNoExtendedXMP()
    // Lightroom prefers its own settings to the white that the file states.
    xmp?.replace("crs:WhiteBalance", with: "As Shot")
    exif?.remove([ExifData.Tag.orientation])
    exif?.removeUnknown()
    exif?.setPicture(width: layout.width, height: layout.height, colorSpace: 65_535)
    if let data = exif {
      exif = data.littleEndian()
      if exif?.moveMakerNoteToPrivateData(isBigEndian: data.isBigEndian) == false {
        remark(Self.misplaced)
      }
    }
    addToDirectory()
    guard var data = exif else { return }
    if let own = ExifData(file)?.exif { data.exif.merge(own) { old, _ in old } }
    let (bytes, directory) = data.encoded(after: file.count + file.count % 2)
    guard file.count + bytes.count + layout.codeByteCount <= Int(UInt32.max) - 1 << 16 else {
      remark("its metadata were left out, since a DNG file ends at 4 GiB")
      return
    }
    if !file.count.isMultiple(of: 2) { file.append(0) }
    file += bytes
    ExifData.join(directory, into: &file)
  }

  private mutating func addToDirectory() {
    var data = exif ?? ExifData(isBigEndian: false)
    if let xmp {
      data.main[ExifData.Tag.xmp] = .init(type: 1, value: xmp.bytes)
    }
    if !iptc.isEmpty {
      // Numbers of 32 bits that are not in the byte order of the file, as Photoshop and libtiff
      // expect them.
      let rest = [UInt8](repeating: 0, count: (4 - iptc.count % 4) % 4)
      data.main[ExifData.Tag.iptc] = .init(type: 4, value: iptc + rest)
    }
    exif = data.isEmpty ? nil : data
  }
}
