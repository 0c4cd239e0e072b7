import ColorScience
import Foundation
@testable import WbcalImageFiles
import Testing
import WhiteBalance

/// A profile whose header declares no tags, larger than one segment of a JPEG file.
private let profile =
  bigEndian(100_001) + [UInt8](repeating: 0, count: 128)
  + (132..<100_001).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 7) }

struct WritingTests {
  /// Pictures with all the metadata that must be kept.
  static let pictures: [(name: String, file: Data)] = {
    do {
      let halves = [profile.prefix(60_000), profile.dropFirst(60_000)]
      let parts = halves.enumerated().flatMap { index, half in
        segment(0xE2, Array("ICC_PROFILE\0".utf8) + [UInt8(index + 1), 2] as [UInt8] + half)
      }
      let alpha = (0..<24).map { UInt8($0 * 10) }
      return [
        ("x.png", inserting(profileChunk(profile), at: 33, in: try contents("rgba16.png"))),
        (
          "x.jpg",
          inserting(
            parts + segment(0xE1, exif(orientation: 6)), at: 2, in: try contents("rgb.jpg"))
        ),
        (
          "x.tif",
          tiff(
            width: 3, height: 2, samples: 4, bits: 8, pixels: alpha,
            tags: [
              (274, 3, 1, littleEndian(8)), (338, 3, 1, littleEndian(2)),
              (282, 5, 1, littleEndian32(300) + littleEndian32(1)),
              (283, 5, 1, littleEndian32(150) + littleEndian32(1)), (296, 3, 1, littleEndian(3)),
              (34675, 7, profile.count, profile),
            ])
        ),
      ]
    } catch {
      preconditionFailure("\(error)")
    }
  }()

  /// The pixels, depth, alpha and levels are kept, according to the reader, which is tested with
  /// other programs' files.
  @Test(arguments: [
    "rgb8.png", "rgba8.png", "rgb16.png", "rgba16.png", "palette.png", "srgb.png", "gamma.png",
    "gamma-linear.png", "rgb8.tif", "rgba8.tif", "rgb16.tif", "rgba16.tif", "big-endian.tif",
    "planar16.tif", "planar8-lzw.tif", "rgb8.ppm", "rgb16.ppm", "rgb10.ppm", "text8.ppm",
    "text16.ppm",
  ])
  func pixelsSurvive(name: String) throws {
    let picture = try readPicture(contents(name), as: name)
    let copy = try readPicture(Data(picture.encoded()), as: name)
    #expect(copy.frame.layout == picture.frame.layout)
    #expect(copy.frame.bytes == picture.frame.bytes)
  }

  @Test func changedPixelsAreWritten() throws {
    for name in ["rgba16.png", "rgba16.tif", "rgb16.ppm"] {
      var picture = try readPicture(contents(name), as: name)
      try picture.frame.apply(Gains(red: 1.5, green: 1, blue: 2))
      let copy = try readPicture(Data(picture.encoded()), as: name)
      #expect(copy.frame.bytes == picture.frame.bytes)
    }
  }

  @Test(arguments: ["rgb.jpg", "progressive.jpg"])
  func colorsOfJPEG(name: String) throws {
    let picture = try readPicture(contents(name), as: name)
    let file = try picture.encoded()
    let copy = try readPicture(Data(file), as: name)
    for (old, new) in zip(picture.frame.samples, copy.frame.samples) {
      #expect(abs(old - new) <= 2)
    }
    // Each component has as many samples as there are pixels.
    let start = try #require(file.indices.first { file[$0...].starts(with: [0xFF, 0xC0, 0, 17]) })
    #expect((0..<3).map { file[start + 11 + 3 * $0] } == [0x11, 0x11, 0x11])
  }

  @Test(arguments: pictures)
  func profilesSurvive(name: String, file: Data) throws {
    let picture = try readPicture(file, as: name)
    #expect(picture.iccProfile == profile)
    #expect(try readPicture(Data(picture.encoded()), as: name).iccProfile == profile)
  }

  @Test(arguments: ["rgb8.png", "rgb.jpg", "rgb8.tif", "rgb8.ppm"])
  func noProfile(name: String) throws {
    #expect(try readPicture(contents(name), as: name).iccProfile == nil)
  }

  @Test func chunksThatLast() throws {
    let kept = [
      chunk("cICP", [12, 13, 0, 1]), chunk("gAMA", bigEndian(45455)),
      chunk("cHRM", [UInt32](repeating: 30000, count: 8).flatMap(bigEndian)),
      chunk("pHYs", bigEndian(3000) + bigEndian(2000) + [1]),
      chunk("eXIf", Array(exif(orientation: 6).dropFirst(6))), chunk("tEXt", Array("a\0b".utf8)),
    ].flatMap { $0 }
    let dropped =
      chunk("tIME", [7, 230, 1, 1, 1, 1, 1]) + chunk("bKGD", [0, 1, 0, 2, 0, 3])
      + chunk("tRNS", [0, 1, 0, 2, 0, 3])
    let file = inserting(kept + dropped, at: 33, in: try contents("rgb8.png"))
    let written = try readPicture(file, as: "x.png").encoded()
    #expect(written[33..<33 + kept.count].elementsEqual(kept))
    #expect(written[33 + kept.count + 4..<33 + kept.count + 8].elementsEqual("IDAT".utf8))
    #expect(PNGChunks.lasting(in: written).flatMap(\.bytes) == kept)
  }

  /// Colors that a chunk makes transparent are transparent in the written file.
  @Test func transparentColors() throws {
    for (name, largest) in [("rgb8.png", 255), ("rgb16.png", 65_535)] {
      let plain = try read(name).samples
      let key = Array(plain.prefix(3))
      let chunks =
        chunk("sBIT", [8, 8, 8])
        + chunk("tRNS", key.flatMap { bigEndian(UInt32($0)).suffix(2) })
      let file = inserting(chunks, at: 33, in: try contents(name))
      var picture = try readPicture(file, as: "x.png")
      let samples = stride(from: 0, to: plain.count, by: 3).flatMap { place in
        let color = Array(plain[place..<place + 3])
        return color + [color == key ? 0 : largest]
      }
      #expect(picture.frame.samples == samples)
      let written = try picture.encoded()
      #expect(try readPicture(Data(written), as: "x.png").frame.samples == samples)
      // The accuracy of three samples is not that of four.
      #expect(PNGChunks.lasting(in: written).isEmpty)
      // If other pixels get that color, they stay opaque.
      var bytes = picture.frame.bytes
      let size = bytes.count / samples.count
      for place in 0..<3 * size { bytes[4 * size + place] = bytes[place] }
      picture.frame = try Frame(layout: picture.frame.layout, bytes: bytes)
      let changed = try read(Data(picture.encoded()), as: "x.png").samples
      #expect(changed[3] == 0 && changed[7] == largest)
      #expect(changed[0..<3].elementsEqual(changed[4..<7]))
    }
  }

  /// Exif data name Adobe RGB as an uncalibrated space with R03, or as number 2.
  @Test func adobeRGBInExif() throws {
    func exif(_ space: Int?, _ index: String?) -> [UInt8] {
      var bytes = Array("MM\0*".utf8) + bigEndian(8)
      func entry(_ tag: Int, _ type: Int, _ count: Int, _ value: [UInt8]) -> [UInt8] {
        Array(bigEndian(UInt32(tag)).suffix(2) + bigEndian(UInt32(type)).suffix(2))
          + bigEndian(UInt32(count)) + value
      }
      // These are the first directory, that of Exif at 26, and that of the index at 56.
      bytes += [0, 1] + entry(34665, 4, 1, bigEndian(26)) + bigEndian(0)
      let spaceEntry =
        space.map { entry(40961, 3, 1, Array(bigEndian(UInt32($0)).suffix(2)) + [0, 0]) }
        ?? entry(40962, 4, 1, bigEndian(1))
      bytes += [0, 2] + spaceEntry + entry(40965, 4, 1, bigEndian(56)) + bigEndian(0)
      bytes += [0, 1] + entry(1, 2, 4, Array((index ?? "R98").utf8) + [0]) + bigEndian(0)
      return Array("Exif\0\0".utf8) + bytes
    }
    let adobe = TransferFunction.gamma(563.0 / 256)
    for (space, index, transfer, isAssumed) in [
      (65535, "R03", adobe, false), (2, nil, adobe, false), (1, "R98", .sRGB, false),
      (nil, "R03", adobe, false), (65535, nil, .sRGB, true), (nil, nil, .sRGB, false),
    ] as [(Int?, String?, TransferFunction, Bool)] {
      let file = inserting(
        segment(0xE1, exif(space, index)), at: 2, in: try contents("rgb.jpg"))
      let picture = try readPicture(file, as: "x.jpg")
      #expect(picture.frame.layout.transfer == transfer, "\(String(describing: space))")
      #expect(picture.colors.isCurveAssumed == isAssumed)
      #expect(picture.colors.space == (transfer == adobe ? .adobeRGB1998 : .sRGB))
    }
    // Information of the format itself takes precedence.
    let data = Array(exif(2, nil).dropFirst(6))
    let plain = try contents("rgb8.png")
    let png = inserting(chunk("eXIf", data), at: 33, in: plain)
    #expect(try readPicture(png, as: "x.png").frame.layout.transfer == adobe)
    let tagged = inserting(chunk("sRGB", [0]) + chunk("eXIf", data), at: 33, in: plain)
    #expect(try readPicture(tagged, as: "x.png").frame.layout.transfer == .sRGB)
    #expect(try readPicture(plain, as: "x.png").colors.isCurveAssumed)
    #expect(try readPicture(contents("rgb16.tif"), as: "x.tif").colors.isCurveAssumed)
  }

  @Test func pixmaps() throws {
    let picture = try readPicture(Data("P3 2 1 1023 1 2 3 1023 512 256".utf8), as: "x.ppm")
    #expect(
      try picture.encoded() == Array("P6\n2 1\n1023\n".utf8)
        + [0, 1, 0, 2, 0, 3, 3, 255, 2, 0, 1, 0])
    let small = try readPicture(Data("P3 1 1 9 1 2 9".utf8), as: "x.ppm")
    #expect(try small.encoded() == Array("P6\n1 1\n9\n".utf8) + [1, 2, 9])
  }

  @Test func rawPhotographsAreNotWritten() throws {
    let picture = try readPicture(contents("rggb.dng"), as: "x.dng")
    let error = #expect(throws: ImageFileError.self) { try picture.encoded() }
    #expect(error?.problem == .unwritable(.raw, "raw photographs are not written"))
  }

  /// Metadata are read only to the end of the file, whatever lengths they claim.
  @Test func liesAboutLengths() throws {
    let png = Array(try contents("rgb8.png"))
    for count in 0..<png.count { _ = PNGChunks.lasting(in: Array(png.prefix(count))) }
    #expect(
      PNGChunks.lasting(in: png.prefix(33) + [255, 255, 255, 255] + "tEXtabcd".utf8).isEmpty)
    let jpeg = Array(try #require(Self.pictures.first { $0.name == "x.jpg" }).file.prefix(1000))
    for count in 0..<jpeg.count { #expect(JPEGSegments(Array(jpeg.prefix(count))).others == []) }
    for tail in [[0xFF, 0xE2, 0, 0], [0xFF, 0xE2, 0, 1], [0xFF, 0xE1, 0xFF, 0xFF, 1]] as [[UInt8]] {
      #expect(JPEGSegments([0xFF, 0xD8] + tail).others == [])
    }
    // A part is missing, or there is one too many.
    let part = Array("ICC_PROFILE\0".utf8)
    #expect(JPEGSegments([0xFF, 0xD8] + segment(0xE2, part + [1, 2, 7])).iccProfile == nil)
    #expect(JPEGSegments([0xFF, 0xD8] + segment(0xE2, part + [1, 0, 7])).iccProfile == nil)
    #expect(
      JPEGSegments(
        [0xFF, 0xD8] + segment(0xE2, part + [2, 2, 7]) + segment(0xE2, part + [1, 2, 9])
      )
      .iccProfile == [9, 7])
  }

  /// An independent reader reads the same metadata from the files.
  @Test(
    .enabled(if: exifTool != nil, "ExifTool (libimage-exiftool-perl) is not installed"),
    arguments: pictures)
  func exifToolReadsTheSame(name: String, file: Data) throws {
    let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: directory) }
    let path = directory.appending(path: name)
    try Data(try readPicture(file, as: name).encoded()).write(to: path)
    #expect(try output(ofExifTool: ["-b", "-ICC_Profile", path.path()]) == Data(profile))
    let json = try JSONSerialization.jsonObject(
      with: try output(ofExifTool: ["-j", "-n", "-a", path.path()]))
    let values = try #require((json as? [[String: Any]])?.first)
    #expect(values["Error"] == nil)
    let expected: [String: Int] =
      switch name {
      case "x.png": ["ImageWidth": 5, "ImageHeight": 3, "BitDepth": 16, "ColorType": 6]
      case "x.jpg": ["ImageWidth": 16, "ImageHeight": 16, "BitsPerSample": 8, "Orientation": 6]
      default:
        [
          "ImageWidth": 3, "ImageHeight": 2, "SamplesPerPixel": 4, "Orientation": 8,
          "ExtraSamples": 2, "Compression": 1, "XResolution": 300, "YResolution": 150,
          "ResolutionUnit": 3,
        ]
      }
    for (key, value) in expected { #expect(values[key] as? Int == value, "\(key)") }
    if name == "x.jpg" { #expect(values["YCbCrSubSampling"] as? String == "1 1") }
    if name == "x.tif" { #expect(values["BitsPerSample"] as? String == "8 8 8 8") }
  }
}
