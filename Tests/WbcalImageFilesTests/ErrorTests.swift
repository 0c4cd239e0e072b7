import Foundation
@testable import WbcalImageFiles
import Testing
import WhiteBalance
import WhiteBalanceTestSupport

@Suite struct ErrorTests {
  @Test func nothingThere() {
    #expect(problem { try read("no such file.png") } == .notFound)
    #expect(problem { try read("rgb8.png/x.png") } == .notFound)
    #expect(problem { try read(path: "") } == .notFound)
    #expect(problem { try read(path: fixtures.path) } == .directory)
  }

  @Test func emptyAndUnknown() {
    #expect(problem { try read([UInt8](), as: "x.png") } == .empty)
    #expect(problem { try read([UInt8](repeating: 0, count: 4096), as: "x.png") } == .unknownFormat)
    #expect(problem { try read(Array("II".utf8), as: "x.dng") } == .unknownFormat)
    #expect(problem { try read("make.py") } == .unknownFormat)
  }

  #if os(Linux)
  @Test func failingDisk() {
    #expect(problem { try read(path: "/proc/self/mem") } == .inputOutput(errno: EIO))
  }
  #endif

  @Test(.enabled(if: geteuid() != 0, "the superuser may read everything"))
  func noPermission() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try Data([1]).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: file.path)
    #expect(problem { try read(path: file.path) } == .noPermission)
  }

  @Test func systemErrors() {
    #expect(ImageFileProblem(errno: EACCES) == .noPermission)
    #expect(ImageFileProblem(errno: EPERM) == .noPermission)
    #expect(ImageFileProblem(errno: ENOENT) == .notFound)
    #expect(ImageFileProblem(errno: ENXIO) == .inputOutput(errno: ENXIO))
  }

  @Test(arguments: [
    ("rgb8.png", "x.tif", ImageFormat.tiff, ImageFormat.png),
    ("rgb8.png", "x.dng", .raw, .png), ("rgb.jpg", "x.PNG", .png, .jpeg),
    ("rgb16.tif", "x.jpeg", .jpeg, .tiff), ("rgb16.tif", "x.dng", .raw, .tiff),
    ("rgb8.ppm", "x.tiff", .tiff, .pnm), ("rggb.dng", "x.tif", .tiff, .raw),
  ])
  func mislabelled(name: String, label: String, promised: ImageFormat, content: ImageFormat) throws
  {
    let bytes = try contents(name)
    #expect(
      problem { try read(bytes, as: label) } == .mislabelled(promised: promised, content: content))
  }

  @Test(arguments: [
    ("gray8.png", ImageFormat.png), ("gray-alpha8.png", .png), ("gray.jpg", .jpeg),
    ("gray8.tif", .tiff), ("gray8.pgm", .pnm),
  ])
  func gray(name: String, format: ImageFormat) {
    #expect(problem { try read(name) } == .noColor(format))
  }

  @Test(arguments: [
    ("cmyk.jpg", ImageFormat.jpeg), ("palette.tif", .tiff), ("tiled.tif", .tiff),
    ("float.tif", .tiff), ("preview.tif", .tiff),
  ])
  func unsupported(name: String, format: ImageFormat) {
    guard case .unsupported(format, _) = problem({ try read(name) }) else {
      Issue.record("\(String(describing: problem { try read(name) }))")
      return
    }
  }

  /// A file truncated at any position is reported as truncated, except for a few bytes at its end
  /// that contain no pixels.
  @Test(arguments: [
    ("rgb8.png", ImageFormat.png, 4), ("rgba16.png", .png, 4), ("rgb.jpg", .jpeg, 0),
    ("progressive.jpg", .jpeg, 0), ("rgb8.tif", .tiff, 8), ("rgb16.tif", .tiff, 8),
    ("rgb8.ppm", .pnm, 0), ("text8.ppm", .pnm, 2), ("lossless-jpeg.dng", .raw, 0),
  ])
  func truncated(name: String, format: ImageFormat, spare: Int) throws {
    let bytes = try contents(name)
    let label = "x.\(format.extensions[0])"
    for count in 16..<bytes.count - spare {
      switch problem({ try read(bytes.prefix(count), as: label) }) {
      case .truncated(format, _): break
      case let other: Issue.record("\(name), \(count) bytes: \(String(describing: other))")
      }
    }
  }

  @Test(arguments: [
    "rgb8.png", "rgba16.png", "rgb.jpg", "rgb16.tif", "rgb8.ppm", "rggb.dng", "lossless-jpeg.dng",
    "x-trans.dng",
  ])
  func alteredBytesNeverCrash(name: String) throws {
    let bytes = try contents(name)
    var generator = SeededRandom(seed: 1)
    for _ in 0..<300 {
      var altered = bytes
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        let index = Int.random(in: 0..<min(altered.count, 700), using: &generator)
        altered[index] = .random(in: 0...255, using: &generator)
      }
      guard let frame = try? read(altered, as: "picture") else { continue }
      #expect(frame.bytes.count == frame.layout.byteCount)
    }
  }

  @Test func corrupt() throws {
    var png = try contents("rgb8.png")
    png[png.count - 20] ^= 0x55  // inside the compressed pixels
    guard case .corrupt(.png, _) = problem({ try read(png, as: "x.png") }) else {
      Issue.record("a wrong checksum was accepted")
      return
    }
    for (text, words) in [
      ("P3 1 1 255 1 2 x", "a sample is not a number"),
      ("P3 1 1 255 1 2 256", "a sample is 256, above the largest value 255"),
      ("P3 1 1 0 0 0 0", "its largest value is 0, not 1 to 65535"),
      ("P6 -1 1 255 abc", "the width is not a number"),
      ("P6 1 1 9 \u{1}\u{2}~", "a sample is 126, above the largest value 9"),
    ] {
      #expect(problem { try read(Array(text.utf8), as: "x.ppm") } == .corrupt(.pnm, words))
    }
  }

  /// The headers claim a hundred thousand pixels a side.
  @Test(.timeLimit(.minutes(10))) func lyingHeaders() throws {
    let start = threadTime()
    let claim = 100_000
    var png = try contents("rgb8.png")
    png.replaceSubrange(16..<24, with: bigEndian(UInt32(claim)) + bigEndian(UInt32(claim)))
    png.replaceSubrange(29..<33, with: bigEndian(checksum(png[12..<29])))
    var tiff = try contents("rgb8.tif")
    setTag(256, of: &tiff, to: UInt32(claim))
    setTag(257, of: &tiff, to: UInt32(claim))
    #expect(
      problem { try read(png, as: "x.png") } == .tooLarge(.png, width: claim, height: claim))
    #expect(
      problem { try read(tiff, as: "x.tif") } == .tooLarge(.tiff, width: claim, height: claim))
    for text in ["P6 100000 100000 255 ", "P3 100000 100000 255 "] {
      #expect(
        problem { try read(Array(text.utf8), as: "x.ppm") }
          == .tooLarge(.pnm, width: claim, height: claim))
    }
    #expect(threadTime() - start < 1)
  }

  /// The headers are within the limits, but the pixels are missing.
  @Test(.timeLimit(.minutes(10))) func emptyPromises() throws {
    let start = threadTime()
    var png = try contents("rgb8.png")
    png.replaceSubrange(16..<24, with: bigEndian(20_000) + bigEndian(20_000))
    png.replaceSubrange(29..<33, with: bigEndian(checksum(png[12..<29])))
    let found = try #require(problem { try read(png, as: "x.png") })
    #expect(found == .truncated(.png, "\(png.count) bytes cannot hold 20000×20000"))
    #expect(
      problem { try read(Array("P6 20000 20000 255 abc".utf8), as: "x.ppm") }
        == .truncated(.pnm, "22 bytes cannot hold 20000×20000"))
    // These are the frame's height and width, after the marker SOF0 or SOF2, its length and
    // precision.
    for name in ["rgb.jpg", "progressive.jpg"] {
      var jpeg = try contents(name)
      let marker = try #require(jpeg.firstRange(of: [0xFF, name == "rgb.jpg" ? 0xC0 : 0xC2]))
      jpeg.replaceSubrange(marker.upperBound + 3..<marker.upperBound + 7, with: [78, 32, 78, 32])
      #expect(
        problem { try read(jpeg, as: "x.jpg") }
          == .truncated(.jpeg, "\(jpeg.count) bytes cannot hold 20000×20000"))
    }
    var tiff = try contents("rgb8.tif")
    setTag(256, of: &tiff, to: 20_000)
    setTag(257, of: &tiff, to: 20_000)
    #expect(
      problem { try read(tiff, as: "x.tif") }
        == .truncated(.tiff, "\(tiff.count) bytes cannot hold 20000×20000"))
    var raw = try contents("lossless-jpeg.dng")
    setTag(256, of: &raw, to: 20_000)
    setTag(257, of: &raw, to: 20_000)
    #expect(
      problem { try read(raw, as: "x.dng") }
        == .truncated(.raw, "\(raw.count) bytes cannot hold 20000×20000"))
    #expect(threadTime() - start < 1)
  }

  /// The time to read overlapping lists that all fill the file would grow with the square of its
  /// size.
  @Test(.timeLimit(.minutes(10))) func overlappingLists() throws {
    let start = threadTime()
    var bytes = [0x49, 0x49, 42, 0, 8, 0, 0, 0, 0, 0x10] as [UInt8]
    for _ in 0..<4096 { bytes += [0x11, 1, 4, 0, 0, 0x2F, 0, 0, 8, 0, 0, 0] }  // 12032 offsets at 8
    bytes += [0, 0, 0, 0]
    #expect(
      problem { try read(bytes, as: "x.dng") } == .corrupt(.raw, "its directories overlap"))
    #expect(threadTime() - start < 1)
  }

  @Test func sentences() throws {
    let error = ImageFileError(
      path: "x.tif", problem: .mislabelled(promised: .tiff, content: .png))
    #expect(
      error.description == "x.tif is a PNG file by its content; rename it to end in .png, "
        + "or use the intended picture")
    for problem in [
      ImageFileProblem.notFound, .directory, .noPermission, .inputOutput(errno: EIO), .empty,
    ] {
      let error = ImageFileError(path: "a b.png", problem: problem)
      #expect(error.description.hasPrefix("a b.png "))
    }
  }
}

/// Returns the processor time of this thread in seconds, to which other work does not add.
private func threadTime() -> Double {
  var time = timespec()
  unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
}

/// Sets a tag of the first directory of a little-endian TIFF file to a 32-bit number.
private func setTag(_ tag: UInt16, of file: inout Data, to value: UInt32) {
  let directory = (0..<4).reduce(0) { $0 | Int(file[4 + $1]) << (8 * $1) }
  let count = Int(file[directory]) | Int(file[directory + 1]) << 8
  for entry in (0..<count).map({ directory + 2 + 12 * $0 })
  where UInt16(file[entry]) | UInt16(file[entry + 1]) << 8 == tag {
    let fields = [tag, 4, 1, 0, UInt16(truncatingIfNeeded: value), UInt16(value >> 16)]
    file.replaceSubrange(
      entry..<entry + 12,
      with: fields.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] })
  }
}
