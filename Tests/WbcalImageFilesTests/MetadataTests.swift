import ColorScience
import Foundation
import Testing
import WhiteBalance

@testable import WbcalImageFiles

private typealias Fields = [String: String]

/// A folder that is removed.
private final class Folder {
  let url = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)

  init() throws {
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func path(_ name: String) -> String { url.appending(path: name).path }

  /// Returns the fields that ExifTool reads, by group and name, without those of the file's
  /// storage.
  func fields(_ name: String) throws -> Fields {
    let json = try JSONSerialization.jsonObject(
      with: try output(ofExifTool: ["-j", "-n", "-a", "-G1", path(name)]))
    let values = try #require((json as? [[String: Any]])?.first)
    #expect(values["ExifTool:Error"] == nil && values["ExifTool:Warning"] == nil, "\(values)")
    return values.filter { key, _ in
      ["IFD0:", "ExifIFD:", "GPS:", "InteropIFD:", "XMP", "IPTC:", "Canon:", "MakerNotes:"]
        .contains { key.hasPrefix($0) } && !MetadataTests.ofStorage.contains(key)
    }.mapValues { "\($0)" }
  }
}

private func picture(_ path: String) throws -> Picture {
  var reader = ImageFileReader()
  return try reader.picture(path: path)
}

/// Writes the picture as it is, or developed as an upright picture in sRGB; returns the remarks.
@discardableResult
private func save(_ picture: Picture, to path: String, isDeveloped: Bool) throws -> [String] {
  var remarks: [String] = []
  let bytes: [UInt8]
  if isDeveloped {
    let colors = RootPolynomial(matrix: Matrix3x3(diagonal: SIMD3(repeating: 1)))
    let frame = try picture.frame.developed(gains: Gains(red: 1, blue: 1), colors: colors).frame
    bytes = try PictureWriter.encode(
      frame.upright(orientation: picture.orientation),
      as: try #require(ImageFormat(promisedBy: path)), path: path, isSRGB: true, iccProfile: nil,
      metadata: picture.metadata
    ) { remarks.append($0) }
  } else {
    bytes = try picture.encoded { remarks.append($0) }
  }
  try Data(bytes).write(to: URL(filePath: path))
  return remarks
}

/// Returns Exif data of a camera of Canon, whose notes have an offset from the beginning of these
/// data: the name "IMG:One" (CanonImageType) is at `place` + 18.
///
/// - Parameter notes: other notes.
private func exif(isBigEndian: Bool, notesAt place: Int, notes: [UInt8]? = nil) -> [UInt8] {
  func number(_ value: Int, _ size: Int) -> [UInt8] {
    let bytes = (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    return isBigEndian ? bytes.reversed() : bytes
  }
  func entry(_ tag: Int, _ type: Int, _ count: Int, _ value: [UInt8]) -> [UInt8] {
    number(tag, 2) + number(type, 2) + number(count, 4) + value
      + [UInt8](repeating: 0, count: 4 - value.count)
  }
  let own =
    notes ?? number(1, 2) + entry(6, 2, 8, number(place + 18, 4)) + number(0, 4)
    + Array("IMG:One\0".utf8)
  var bytes = isBigEndian ? [0x4D, 0x4D, 0, 42] : [0x49, 0x49, 42, 0] + number(8, 4)
  if isBigEndian { bytes += number(8, 4) }
  // The first directory has 38 bytes from 8 on, and Exif's 42.
  bytes += number(2, 2) + entry(271, 2, 6, number(100, 4)) + entry(34665, 4, 1, number(50, 4))
  bytes += number(0, 4) + [UInt8](repeating: 0, count: 50 - bytes.count - 4)
  bytes += number(2, 2) + entry(34855, 3, 1, number(400, 2))
  bytes += entry(37500, 7, own.count, number(place, 4)) + number(0, 4)
  bytes += [UInt8](repeating: 0, count: 100 - bytes.count) + Array("Canon\0".utf8)
  bytes += [UInt8](repeating: 0, count: place - bytes.count)
  return bytes + own
}

/// The exposure that files of every format state.
struct PictureExposureTests {
  @Test(arguments: [false, true]) func itIsRead(isBigEndian: Bool) throws {
    let exposure = PictureExposure(exif: exif(isBigEndian: isBigEndian, notesAt: 120))
    #expect(exposure.iso == 400 && exposure.seconds == nil)
    #expect(exposure.stops == nil && exposure.time == nil && exposure.usesFlash == nil)
    #expect(!exposure.isBalancedByCamera)
  }

  @Test func stops() {
    var exposure = PictureExposure(seconds: 0.25, iso: 400)
    #expect(exposure.stops == 0)
    exposure.fNumber = 4
    #expect(exposure.stops == -4)
  }

  /// Also across months, years and leap days, and not for what is no date.
  @Test(arguments: [
    ("2026:03:21 12:00:00", "2026:03:21 12:00:01", 1.0),
    ("2024:02:28 23:59:59", "2024:03:01 00:00:00", 86_401.0),
    ("2023:02:28 23:59:59", "2023:03:01 00:00:00", 1.0),
    ("2023:12:31 00:00:00", "2024:01:01 00:00:00", 86_400.0),
    ("2000:01:01 00:00:00", "2026:01:01 00:00:00", 820_540_800.0),
  ])
  func times(first: String, second: String, seconds: Double) throws {
    let times = try [first, second].map { try #require(PictureExposure(date: $0).time) }
    #expect(times[1] - times[0] == seconds)
  }

  @Test(arguments: ["0000:00:00 00:00:00", "2026:13:01 00:00:00", "    :  :     :  :  ", ""])
  func noTimes(date: String) { #expect(PictureExposure(date: date).time == nil) }

  @Test(.enabled(if: exifTool != nil, "ExifTool (libimage-exiftool-perl) is not installed"))
  func filesOfOtherPrograms() throws {
    let folder = try Folder()
    for name in ["rgb.jpg", "rgb16.png", "planar8-lzw.tif"] {
      try contents(name).write(to: folder.url.appending(path: name))
      _ = try output(
        ofExifTool: [
          "-q", "-q", "-overwrite_original", "-ExposureTime=1/4", "-FNumber=2", "-ISO=800",
          "-EXIF:Flash#=1", "-EXIF:WhiteBalance#=0", "-DateTimeOriginal=2026:01:02 03:04:05",
          folder.path(name),
        ])
      var reader = ImageFileReader()
      let exposure = try reader.picture(path: folder.path(name)).exposure
      #expect(exposure.stops == -1 && exposure.usesFlash == true && exposure.isBalancedByCamera)
      #expect(exposure.time == PictureExposure(date: "2026:01:02 03:04:05").time)
    }
  }
}

/// Metadata survive in every format, according to ExifTool, which wrote them.
struct MetadataTests {
  /// The fields that describe how pixels are stored, which differ between formats.
  static let ofStorage: Set = Set(
    [
      "ImageWidth", "ImageHeight", "BitsPerSample", "Compression", "PhotometricInterpretation",
      "StripOffsets", "StripByteCounts", "RowsPerStrip", "SamplesPerPixel", "PlanarConfiguration",
      "Predictor", "YCbCrPositioning", "ExtraSamples", "ActiveArea", "BlackLevel", "WhiteLevel",
      "BlackLevelRepeatDim", "CFAPattern2", "CFARepeatPatternDim", "ColorMatrix1", "DNGVersion",
      "UniqueCameraModel", "SubfileType",
    ].map { "IFD0:\($0)" } + ["ExifIFD:ComponentsConfiguration"])

  private static let tags = [
    "-Make=Acme", "-Model=One X", "-Orientation#=6", "-Artist=Jö", "-Copyright=(c) J",
    "-ImageDescription=d", "-Software=soft", "-ModifyDate=2026:01:02 03:04:05", "-XPTitle=Title",
    "-Rating=4", "-DateTimeOriginal=2026:01:02 03:04:05", "-ExposureTime=1/125", "-FNumber=2.8",
    "-ISO=200", "-FocalLength=35", "-LensModel=Lens 35", "-SerialNumber=S123",
    "-EXIF:WhiteBalance#=1", "-ColorSpace#=65535", "-ExifImageWidth=16", "-ExifImageHeight=9",
    "-InteropIndex=R03", "-UserComment=hello", "-ExposureCompensation=-0.5",
    "-GPSLatitude=48.1", "-GPSLatitudeRef=N", "-GPSLongitude=11.5", "-GPSLongitudeRef=E",
    "-GPSAltitude=500", "-GPSTimeStamp=01:02:03", "-XMP-dc:Subject=one", "-XMP-dc:Subject=two",
    "-XMP-tiff:Orientation#=6", "-XMP-exif:ColorSpace#=65535", "-XMP-xmp:CreatorTool=x",
    "-XMP-photoshop:ICCProfileName=other", "-IPTC:Keywords=one", "-IPTC:Keywords=zwei",
    "-IPTC:City=Berlin", "-IPTC:Caption-Abstract=odd",
  ]

  private static func write(_ fixture: String, as name: String, in folder: Folder) throws {
    try contents(fixture).write(to: folder.url.appending(path: name))
    _ = try output(
      ofExifTool: ["-q", "-q", "-overwrite_original"] + tags + [folder.path(name)])
    // A thumbnail of the old colors.
    let thumbnail = folder.url.appending(path: "thumbnail")
    try contents("rgb.jpg").write(to: thumbnail)
    _ = try output(
      ofExifTool: [
        "-q", "-q", "-overwrite_original", "-ThumbnailImage<=\(thumbnail.path)", folder.path(name),
      ])
  }

  @Test(
    .enabled(if: exifTool != nil, "ExifTool (libimage-exiftool-perl) is not installed"),
    arguments: [
      ("rgb.jpg", "in.jpg"), ("rgb16.png", "in.png"), ("rgb16.tif", "in.tif"),
      ("big-endian.tif", "in.tif"), ("rggb.dng", "in.dng"),
    ])
  func everyFormat(fixture: String, name: String) throws {
    let folder = try Folder()
    try Self.write(fixture, as: name, in: folder)
    let before = try folder.fields(name)
    #expect(before.count > 40 && before["IPTC:Keywords"]?.contains("zwei") == true, "\(before)")
    let source = try picture(folder.path(name))
    let format = try #require(ImageFormat(promisedBy: name))
    if format != .raw {
      // In the same format all stays.
      let path = "same-\(name)"
      #expect(
        try save(source, to: folder.path(path), isDeveloped: false).isEmpty)
      var expected = before
      if format == .tiff {
        for field in ["ExifImageWidth", "ExifImageHeight"] { expected["ExifIFD:\(field)"] = nil }
      }
      #expect(try folder.fields(path) == expected)
    }
    for ending in ["jpg", "png", "tif"] {
      let path = "new.\(ending)"
      let remarks = try save(source, to: folder.path(path), isDeveloped: true)
      #expect(remarks.isEmpty)
      var expected = before
      expected["IFD0:Orientation"] = "1"
      expected["XMP-tiff:Orientation"] = "1"
      expected["ExifIFD:ColorSpace"] = "1"
      expected["XMP-exif:ColorSpace"] = "1"
      expected["XMP-photoshop:ICCProfileName"] = "sRGB"
      expected["InteropIFD:InteropIndex"] = "R98"
      let layout = try picture(folder.path(path)).frame.layout
      expected["ExifIFD:ExifImageWidth"] = "\(layout.width)"
      expected["ExifIFD:ExifImageHeight"] = "\(layout.height)"
      if ending == "tif" {
        for field in [
          "ExifIFD:ExifImageWidth", "ExifIFD:ExifImageHeight", "InteropIFD:InteropIndex",
          "InteropIFD:InteropVersion",
        ] { expected[field] = nil }
      }
      let found = try folder.fields(path)
      #expect(found == expected, "\(path): \(found.filter { expected[$0.key] != $0.value })")
    }
  }

  /// Only what is needed to display the picture is left.
  @Test(
    .enabled(if: exifTool != nil, "ExifTool (libimage-exiftool-perl) is not installed"),
    arguments: [("rgb.jpg", "in.jpg"), ("rgb16.png", "in.png"), ("rgb16.tif", "in.tif")])
  func withoutDescription(fixture: String, name: String) throws {
    let folder = try Folder()
    try Self.write(fixture, as: name, in: folder)
    _ = try output(
      ofExifTool: ["-q", "-overwrite_original", "-Comment=Jane", folder.path(name)])
    var source = try picture(folder.path(name))
    source.removeDescription()
    for isDeveloped in [false, true] {
      let path = "new-\(isDeveloped)-\(name)"
      try save(source, to: folder.path(path), isDeveloped: isDeveloped)
      let fields = try folder.fields(path).keys.filter {
        !["IFD0:XResolution", "IFD0:YResolution", "IFD0:ResolutionUnit"].contains($0)
      }
      #expect(
        Set(fields).isSubset(of: [
          "IFD0:Orientation", "ExifIFD:ColorSpace", "InteropIFD:InteropIndex",
        ]), "\(fields)")
      #expect(try picture(folder.path(path)).orientation == (isDeveloped ? 1 : 6))
      let file = try Data(contentsOf: URL(filePath: folder.path(path)))
      for text in ["Jane", "Acme", "Berlin", "soft", "hello"] {
        #expect(file.range(of: Data(text.utf8)) == nil, "\(text) in \(path)")
      }
    }
    #expect(source.frame.layout.transfer == .gamma(563.0 / 256))
  }

  /// The notes stay at the offset on which their own offsets depend.
  @Test(
    .enabled(if: exifTool != nil, "ExifTool (libimage-exiftool-perl) is not installed"),
    arguments: [false, true], [120, 121, 3000])
  func makerNotes(isBigEndian: Bool, place: Int) throws {
    let folder = try Folder()
    let data = exif(isBigEndian: isBigEndian, notesAt: place)
    let file = inserting(
      segment(0xE1, Array("Exif\0\0".utf8) + data), at: 2, in: try contents("rgb.jpg"))
    try file.write(to: folder.url.appending(path: "in.jpg"))
    let source = try picture(folder.path("in.jpg"))
    for name in ["in.jpg", "a.jpg", "b.png", "c.tif", "d.jpg"] {
      if name == "d.jpg" {
        // Of a TIFF file, too.
        try save(
          try picture(folder.path("c.tif")), to: folder.path(name), isDeveloped: true)
      } else if name != "in.jpg" {
        #expect(
          try save(source, to: folder.path(name), isDeveloped: true).isEmpty)
      }
      let fields = try folder.fields(name)
      #expect(fields["Canon:CanonImageType"] == "IMG:One", "\(name)")
      #expect(fields["ExifIFD:ISO"] == "400", "\(name)")
    }
  }

  /// Notes that would have to be moved are left out with a remark, unless their offsets are their
  /// own.
  @Test func notesThatMove() throws {
    for (notes, isKept) in [
      (Array("Canon".utf8) + [0, 1, 2, 3], false),
      (Array("Nikon\0\u{2}\u{10}\0\0".utf8) + [0x4D, 0x4D, 0, 42], true),
    ] {
      let data = exif(isBigEndian: false, notesAt: 70_000, notes: notes)
      var metadata = PictureMetadata(exif: data)
      let segments = metadata.jpegSegments()
      let written = try #require(ExifData(Array(segments.dropFirst(10))))
      #expect(written.makerNote == (isKept ? notes : []))
      #expect(written.exif[34855]?.value == [0x90, 1])
      #expect(metadata.remarks.contains { $0.contains("maker's notes") } == !isKept)
    }
  }

  /// Damage never costs the picture, and is stated.
  @Test func damagedExif() throws {
    let data = exif(isBigEndian: true, notesAt: 120)
    let jpeg = try contents("rgb.jpg")
    let pixels = try readPicture(jpeg, as: "x.jpg").frame.bytes
    for count in 0..<data.count {
      let part = Array(data.prefix(count))
      let metadata = PictureMetadata(exif: part)
      #expect(metadata.remarks.isEmpty == (count == 0), "\(count)")
      guard count % 7 == 0 else { continue }
      let file = inserting(segment(0xE1, Array("Exif\0\0".utf8) + part), at: 2, in: jpeg)
      let picture = try readPicture(file, as: "x.jpg")
      #expect(picture.frame.bytes == pixels)
      // What is written is sound.
      let copy = try readPicture(Data(picture.encoded()), as: "x.jpg")
      #expect(copy.metadata.remarks.isEmpty)
    }
    for (offset, value) in [(14, 0xFF), (30, 0xFF), (55, 0xFF), (66, 0xFF), (8, 0xFF), (4, 0x7F)] {
      var bytes = data
      bytes[offset] = UInt8(value)
      var metadata = PictureMetadata(exif: bytes)
      #expect(!metadata.remarks.isEmpty, "\(offset)")
      _ = metadata.tiffStart()
    }
    // A directory that is its own Exif directory.
    var loop = data
    loop.replaceSubrange(30..<34, with: [0, 0, 0, 8])
    #expect(PictureMetadata(exif: loop).exif?.main[271] != nil)
    // Junk behind the data is left out.
    #expect(PictureMetadata(exif: data + [1, 2, 3]).exif?.encoded().suffix(3) != [1, 2, 3])
  }

  /// Whatever is damaged, what is written is sound.
  @Test func randomDamage() throws {
    var random = SplitMix64(state: 5)
    let plain = Array(try contents("rggb.dng"))
    for round in 0..<2000 {
      var bytes = exif(isBigEndian: round % 2 == 0, notesAt: 120)
      for _ in 0...round % 4 {
        bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(random.next() & 255)
      }
      let metadata = PictureMetadata(exif: bytes)
      var (tiff, jpeg) = (metadata, metadata)
      var dng = plain
      _ = metadata.add(toDNG: &dng, layout: try FrameLayout(width: 2, height: 2, format: .rgb8))
      for written in [tiff.tiffStart(), Array(jpeg.jpegSegments().dropFirst(10)), dng]
      where !written.isEmpty {
        #expect(PictureMetadata(exif: written).remarks.isEmpty, "\(round)")
      }
    }
  }

  /// A field that is too large for a segment is left out of a JPEG file, and stays in other files.
  @Test func tooLargeForJPEG() throws {
    let text = [UInt8](repeating: 65, count: 70_000)
    var data = try #require(ExifData(exif(isBigEndian: false, notesAt: 120)))
    data.exif[37510] = .init(type: 7, value: text)
    // The data continue in a second segment.
    let bytes = data.encoded()
    let parts = [bytes.prefix(65_000), bytes.dropFirst(65_000)].flatMap {
      segment(0xE1, Array("Exif\0\0".utf8) + $0)
    }
    let picture = try readPicture(
      inserting(parts, at: 2, in: try contents("rgb.jpg")), as: "x.jpg")
    #expect(picture.metadata.exif?.exif[37510]?.value == text)
    var remarks: [String] = []
    let jpeg = try readPicture(Data(picture.encoded { remarks.append($0) }), as: "x.jpg")
    #expect(
      remarks == ["the largest fields of its Exif data were left out, for which there is no room"])
    #expect(jpeg.metadata.exif?.exif[37510] == nil && jpeg.metadata.exif?.exif[34855] != nil)
    var metadata = picture.metadata
    let chunk = try #require(metadata.pngChunks()[.exif])
    #expect(ExifData(Array(chunk[8...]))?.exif[37510]?.value == text && metadata.remarks.isEmpty)
    // A second block is not a part of the first.
    let twice = segment(0xE1, exif(orientation: 6)) + segment(0xE1, exif(orientation: 3))
    let first = try readPicture(inserting(twice, at: 2, in: try contents("rgb.jpg")), as: "x.jpg")
    #expect(first.metadata.exif?.main == ExifData(Array(exif(orientation: 6)[6...]))?.main)
  }

  private static let packet = """
    <?xpacket begin='' id='W5M0MpCehiHzreSzNTczkc9d'?><x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF>
    <rdf:Description tiff:Orientation="6" xmpNote:HasExtendedXMP="0123456789ABCDEF0123456789ABCDEF">
    <tiff:Orientation>6</tiff:Orientation><crs:WhiteBalance>Custom</crs:WhiteBalance>
    <xmp:Thumbnails><rdf:Alt>AAAA</rdf:Alt></xmp:Thumbnails></rdf:Description></rdf:RDF></x:xmpmeta>
    """

  @Test func xmp() throws {
    let header = Array(PictureMetadata.extendedXMPHeader.utf8)
    let more =
      header + Array("0123456789ABCDEF0123456789ABCDEF".utf8) + [0, 0, 0, 1, 0, 0, 0, 0, 65]
    let own = segment(0xE1, Array(PictureMetadata.xmpHeader.utf8) + Array(Self.packet.utf8))
    let file = inserting(own + segment(0xE1, more), at: 2, in: try contents("rgb.jpg"))
    let picture = try readPicture(file, as: "x.jpg")
    let copy = try readPicture(Data(picture.encoded()), as: "x.jpg")
    let text = Self.packet.replacing(
      "<xmp:Thumbnails><rdf:Alt>AAAA</rdf:Alt></xmp:Thumbnails>", with: "")
    #expect(copy.metadata.xmp?.bytes == Array(text.utf8))
    #expect(copy.metadata.extendedXMP == [more])
    // Other formats have no place for the extension.
    let layout = picture.frame.layout
    var other = picture.metadata.developed(to: layout)
    _ = other.pngChunks()
    let changed = String(decoding: try #require(other.xmp?.bytes), as: UTF8.self)
    #expect(!changed.contains("HasExtendedXMP") && changed.contains("tiff:Orientation=\"1\""))
    #expect(changed.contains("<tiff:Orientation>1<") && other.remarks.count == 1)
    // A raw converter must not prefer another white to that of the file.
    var dng = Array(try contents("rggb.dng"))
    #expect(picture.metadata.add(toDNG: &dng, layout: layout).count == 1)
    let settings = try #require(PictureMetadata(tiff: dng).xmp)
    #expect(settings.bytes.firstRange(of: Array(":WhiteBalance>As Shot<".utf8)) != nil)
    for bad in [
      Array("<html>".utf8), Array(Self.packet.utf8) + [0xFF], Array(Self.packet.utf8) + [0, 65],
    ] {
      let metadata = PictureMetadata(xmp: bad)
      #expect(metadata.xmp == nil && metadata.remarks.count == 1)
    }
    // A property without an element around it, as only a hostile packet has it.
    let bare = Array("tiff:Orientation>6<x:xmpmeta/>".utf8)
    #expect(PictureMetadata(xmp: bare).developed(to: layout).xmp?.bytes == bare)
    let stale = PictureMetadata(
      xmp: Array(Self.packet.utf8), extendedXMP: [more + Array("<xmp:Thumbnails>".utf8)])
    #expect(stale.extendedXMP.isEmpty && stale.remarks.count == 1)
  }

  @Test func iptc() {
    let records: [UInt8] = [0x1C, 2, 25, 0, 3] + Array("one".utf8)
    func read(_ bytes: [UInt8]) -> ([UInt8], Int) {
      let metadata = PictureMetadata(iptc: bytes)
      return (metadata.iptc, metadata.remarks.count)
    }
    #expect(read([]) == ([], 0) && read([0, 0, 0, 0]) == ([], 0))
    #expect(read(records) == (records, 0) && read(records + [0, 0]) == (records, 0))
    #expect(read(records + [7]) == (records, 1))
    #expect(read(Array(records.dropLast())) == ([], 1))
    // As numbers of 32 bits in the other byte order.
    let swapped = stride(from: 0, to: 8, by: 4).flatMap { records[$0..<$0 + 4].reversed() }
    #expect(read(swapped) == (records, 0))
    // Of a size of four bytes.
    let long: [UInt8] = [0x1C, 2, 25, 0x80, 4, 0, 0, 0, 1, 65]
    #expect(read(long) == (long, 0))
    #expect(IPTCRecords.find(inResources: IPTCRecords.resource(records)) == records)
    let other = Array("8BIM".utf8) + [4, 9, 2, 65, 66, 0, 0, 0, 0, 1, 7, 0]
    #expect(IPTCRecords.find(inResources: other + IPTCRecords.resource(records)) == records)
    #expect(IPTCRecords.find(inResources: other) == nil)
  }

  /// Older programs have metadata in texts of PNG files, plain or compressed.
  @Test(arguments: ["tEXt", "zTXt"]) func rawProfiles(name: String) throws {
    let data = exif(isBigEndian: true, notesAt: 120)
    func text(_ type: String, _ bytes: [UInt8]) -> [UInt8] {
      let content = PNGChunks.rawProfile(type, bytes)
      guard name == "zTXt" else { return chunk(name, content) }
      let end = content.firstIndex(of: 0)! + 1
      // An iCCP chunk has the same form.
      let packed = profileChunk(Array(content[end...])).dropFirst(8 + 5).dropLast(4)
      return chunk(name, Array(content[..<end]) + packed)
    }
    let records: [UInt8] = [0x1C, 2, 25, 0, 3] + Array("one".utf8)
    let chunks =
      text("APP1", Array("Exif\0\0".utf8) + data) + text("xmp", Array(Self.packet.utf8))
      + text("iptc", IPTCRecords.resource(records))
    let file = inserting(chunks, at: 33, in: try contents("rgb8.png"))
    let picture = try readPicture(file, as: "x.png")
    #expect(picture.metadata.remarks.isEmpty && picture.origin.make == "Canon")
    #expect(picture.metadata.exif?.exif == ExifData(data)?.exif)
    #expect(picture.metadata.xmp != nil && picture.metadata.iptc == records)
    let copy = try readPicture(Data(picture.encoded()), as: "x.png")
    #expect(copy.metadata.exif?.exif == ExifData(data)?.exif && copy.metadata.iptc == records)
    // A damaged text is stated.
    var broken = Array(file)
    broken[100] ^= 1
    let damaged = try? readPicture(Data(broken), as: "x.png")
    #expect(damaged?.metadata.remarks.isEmpty != true)
  }

  /// Comments stay, and the thumbnail of a JFIF segment does not.
  @Test func segmentsOfJPEG() throws {
    let plain = try contents("rgb.jpg")
    let jfif = segment(
      0xE0, Array("JFIF\0".utf8) + [1, 2, 1, 0, 72, 0, 72, 1, 1, 200, 100, 50])
    let file =
      Data([0xFF, 0xD8]) + jfif + segment(0xFE, Array("a comment".utf8))
      + plain.dropFirst(20)
    let written = try readPicture(file, as: "x.jpg").encoded()
    #expect(Array(written[2..<20]) == segment(0xE0, jfif[4..<16] + [0, 0]))
    #expect(Data(written).range(of: Data("a comment".utf8)) != nil)
  }

  /// Fields of a TIFF file that describe its own pixels are not copied.
  @Test func unknownFieldsOfTIFF() throws {
    let file = tiff(
      width: 3, height: 2, samples: 3, bits: 8, pixels: Array(0..<18),
      tags: [
        (37724, 7, 8, Array("layers!!".utf8)), (270, 2, 5, Array("text\0".utf8)),
        (330, 4, 1, littleEndian32(8)), (34665, 4, 1, littleEndian32(1 << 30)),
      ])
    let picture = try readPicture(file, as: "x.tif")
    #expect(picture.metadata.remarks == ["the damaged fields of its Exif data were left out"])
    let written = Data(try picture.encoded())
    #expect(written.range(of: Data("layers!!".utf8)) == nil)
    let copy = try readPicture(written, as: "x.tif")
    #expect(copy.frame.bytes == Array(0..<18))
    // The orientation, and the unit of the resolution, are always stated.
    #expect(copy.metadata.exif?.main.keys.sorted() == [270, 274, 296])
    #expect(copy.metadata.remarks.isEmpty)
  }
}
