import CWbcalTurboJPEG
import ColorScience
import Foundation
import Testing
import WhiteBalance

@testable import WbcalImageFiles

struct MotionJPEGDecoderTests {
  private let decoder = MotionJPEGDecoder()

  /// Returns the size of a plane of chroma for a subsampling.
  private func chromaSize(_ subsampling: TJSAMP, _ width: Int, _ height: Int) -> (Int, Int) {
    switch subsampling {
    case TJSAMP_422: ((width + 1) / 2, height)
    case TJSAMP_420: ((width + 1) / 2, (height + 1) / 2)
    case TJSAMP_440: (width, (height + 1) / 2)
    default: (width, height)
    }
  }

  /// At quality 100 the steps are 1, so that the decoded values are the original ones except for
  /// rounding.
  @Test(arguments: MotionJPEG.subsamplings, [(64, 48), (61, 45), (1, 1), (17, 9), (8, 33)])
  func planesAreThoseThatWereStored(subsampling: TJSAMP, size: (Int, Int)) throws {
    let (width, height) = size
    let isGray = subsampling == TJSAMP_GRAY
    let chroma = chromaSize(subsampling, width, height)
    // The library requires luma of whole groups.
    let luma = (
      isGray ? width : Int(tjPlaneWidth(0, Int32(width), Int32(subsampling.rawValue))),
      isGray ? height : Int(tjPlaneHeight(0, Int32(height), Int32(subsampling.rawValue)))
    )
    let planes = [luma] + (isGray ? [] : [chroma, chroma])
    let stored = planes.enumerated().map { index, size in
      (0..<size.0 * size.1).map { place in
        UInt8(60 + 40 * index + (place % size.0 * 50 + place / size.0 * 30) / (size.0 + size.1))
      }
    }
    let frame = try decoder.frame(
      MotionJPEG.encoded(
        planes: stored, width: width, height: height, subsampling, quality: 100))
    let layout = frame.layout
    #expect(layout.width == width && layout.height == height)
    #expect(layout.transfer == .sRGB)
    if !isGray { #expect(layout.encoding == LumaChromaEncoding(matrix: .bt601, range: .full)) }
    let starts = [0] + layout.chroma.map(\.offset)
    let strides = [layout.bytesPerRow] + layout.chroma.map(\.bytesPerRow)
    #expect(starts.count == planes.count)
    for (index, plane) in planes.enumerated() {
      let columns = index == 0 ? width : plane.0
      let rows = index == 0 ? height : plane.1
      for y in 0..<rows {
        for x in 0..<columns {
          let found = Int(frame.bytes[starts[index] + y * strides[index] + x])
          let expected = Int(stored[index][y * plane.0 + x])
          #expect(abs(found - expected) <= 2, "plane \(index), column \(x), row \(y)")
        }
      }
    }
  }

  /// JFIF's conversion, by hand: luma is 0.299 R + 0.587 G + 0.114 B.
  @Test(arguments: MotionJPEG.subsamplings.dropLast())
  func aColorIsRead(subsampling: TJSAMP) throws {
    let pixels = (0..<33 * 19).flatMap { _ -> [UInt8] in [180, 120, 60] }
    let frame = try decoder.frame(
      MotionJPEG.encoded(pixels, width: 33, height: 19, subsampling, quality: 100))
    #expect(abs(Int(frame.bytes[0]) - 131) <= 1)
    let mean = try FrameStatistics(frame).mean
    let codes = [mean.red, mean.green, mean.blue].map { 255 * TransferFunction.sRGB.encoded($0) }
    for (found, expected) in zip(codes, [180.0, 120, 60]) { #expect(abs(found - expected) < 2) }
  }

  /// Pillow wrote the picture (`make.py`).
  @Test func grayHasNoChroma() throws {
    let frame = try decoder.frame([UInt8](try contents("gray.jpg")))
    #expect(frame.layout.format == .gray(bits: 8))
  }

  @Test func tablesThatCamerasLeaveOut() throws {
    let picture = MotionJPEG.encoded(
      MotionJPEG.scene(width: 96, height: 64), width: 96, height: 64)
    let expected = try decoder.frame(picture)
    // The chips of AVI1 cameras send pictures like this.
    let bare = MotionJPEG.without([0xC4, 0xE0], picture)
    var camera = Array(bare[..<2])
    camera += [0xFF, 0xE0, 0, 16]
    camera += "AVI1".utf8
    camera += [UInt8](repeating: 0, count: 10)
    camera += bare[2...]
    #expect(camera.count < picture.count - 300)
    #expect(try MotionJPEGDecoder().frame(camera) == expected)
    // The tables of a previous picture, which progressive files contain, are not used either.
    let other = MotionJPEG.encoded(
      MotionJPEG.scene(width: 96, height: 64), width: 96, height: 64,
      flags: TJFLAG_ACCURATEDCT | TJFLAG_PROGRESSIVE)
    #expect(decoder.problem(other) == nil)
    #expect(try decoder.frame(camera) == expected)
    #expect(try decoder.frame(camera) == expected)
  }

  @Test func aPictureWithoutItsOwnStepsIsDamaged() throws {
    let picture = MotionJPEG.encoded(
      MotionJPEG.scene(width: 96, height: 64), width: 96, height: 64)
    _ = try decoder.frame(picture)
    #expect(
      decoder.problem(MotionJPEG.without([0xDB], picture))
        == .damaged("a quantization table is missing"))
  }

  /// A picture truncated at any position is damaged.
  @Test func cutPicturesAreDamaged() throws {
    let picture = MotionJPEG.encoded(
      MotionJPEG.scene(width: 64, height: 48), width: 64, height: 48)
    #expect(decoder.problem(picture) == nil)
    for count in 0..<picture.count {
      #expect(decoder.isDamaged(Array(picture[..<count])), "\(count) of \(picture.count) bytes")
    }
  }

  /// A connection loses the bytes of some packets, at any position.
  @Test(arguments: [50, 80, 95])
  func picturesThatLackAPieceAreDamaged(quality: Int) throws {
    let picture = MotionJPEG.encoded(
      MotionJPEG.scene(width: 640, height: 480), width: 640, height: 480, quality: quality)
    let start = try MotionJPEG.scanStart(picture)
    for trial in 0..<60 {
      let length = [188, 512, 944, 3072][trial % 4]
      let place = start + (picture.count - start - length - 2) * trial / 60
      let lost = Array(picture[..<place]) + picture[(place + length)...]
      #expect(decoder.isDamaged(lost), "\(length) bytes from \(place) on")
    }
  }

  /// Some cameras pad their last word with up to 8 bytes; more bytes are the rest of another
  /// picture, or samples that were not decoded after an error.
  @Test(arguments: [(1, false), (3, false), (8, false), (40, true), (1000, true)])
  func bytesBeforeTheEnd(count: Int, isDamaged: Bool) throws {
    let picture = MotionJPEG.encoded(
      MotionJPEG.scene(width: 64, height: 48), width: 64, height: 48)
    let fill = [UInt8](repeating: 0, count: count)
    let filled = Array(picture[..<(picture.count - 2)]) + fill + [0xFF, 0xD9]
    #expect(decoder.isDamaged(filled) == isDamaged)
    if !isDamaged { #expect(try decoder.frame(filled) == decoder.frame(picture)) }
    // Bytes after the end do not matter.
    #expect(decoder.problem(picture + fill) == nil)
  }

  /// A picture with restart markers whose end comes a few bytes after one of them lacks the rest.
  @Test func aPictureThatEndsAtARestartMarkIsDamaged() throws {
    unsafe setenv("TJ_RESTART", "1", 1)
    let picture = MotionJPEG.encoded(
      MotionJPEG.scene(width: 64, height: 48), width: 64, height: 48)
    unsafe unsetenv("TJ_RESTART")
    #expect(decoder.problem(picture) == nil)
    let marks = picture.indices.dropLast().filter {
      picture[$0] == 0xFF && (0xD0...0xD7).contains(picture[$0 + 1])
    }
    #expect(marks.count == 5)
    for mark in marks {
      for more in 0..<12 {
        let cut = Array(picture[..<(mark + 2 + more)]) + [0xFF, 0xD9]
        #expect(decoder.isDamaged(cut))
        #expect(decoder.isDamaged(Array(picture[..<mark]) + [0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xD9]))
      }
    }
  }

  @Test func kindsThatAreNotDecoded() throws {
    let pixels = MotionJPEG.scene(width: 64, height: 48)
    #expect(
      decoder.problem(MotionJPEG.encoded(pixels, width: 64, height: 48, TJSAMP_411))
        == .unsupported("chroma for 4×1 pixels"))
    #expect(
      decoder.problem([UInt8](try contents("cmyk.jpg"))) == .unsupported("4 components"))
    var picture = MotionJPEG.encoded(pixels, width: 64, height: 48)
    let frame = try #require(
      picture.indices.dropLast().first { picture[$0] == 0xFF && picture[$0 + 1] == 0xC0 })
    picture[frame + 4] = 12
    #expect(decoder.problem(picture) == .unsupported("12 bits"))
    picture[frame + 1] = 0xC9
    #expect(
      decoder.problem(picture) == .unsupported("lossless, hierarchical or arithmetic coding"))
    #expect(decoder.isDamaged([UInt8](try contents("rgb8.png"))))
    #expect(decoder.isDamaged([]))
  }

  /// A frame is never written beyond its bytes.
  @Test func aLayoutThatIsNotThePicturesIsRefused() throws {
    let large = MotionJPEG.encoded(
      MotionJPEG.scene(width: 64, height: 48), width: 64, height: 48)
    let small = try decoder.layout(
      of: MotionJPEG.encoded(MotionJPEG.scene(width: 32, height: 48), width: 32, height: 48).span)
    var bytes = [UInt8](repeating: 0, count: small.byteCount)
    #expect(throws: FrameDecodingError.damaged("it does not have the expected layout")) {
      var span = bytes.mutableSpan
      try decoder.decode(large.span, layout: small, into: &span)
    }
  }

  /// The numbers of libjpeg's tables (Annex K of ITU-T T.81, luma 16 and chroma 17 at quality 50),
  /// scaled as libjpeg does, divided by eight.
  @Test(arguments: [(50, 2.0, 2.125), (75, 1.0, 1.125), (90, 0.375, 0.375), (95, 0.25, 0.25)])
  func stepsOfTheMeans(quality: Int, luma: Double, chroma: Double) throws {
    let picture = MotionJPEG.encoded(
      MotionJPEG.scene(width: 64, height: 48), width: 64, height: 48, quality: quality)
    #expect(
      try decoder.layout(of: picture.span).blockRounding
        == BlockRounding(luma: luma, cb: chroma, cr: chroma))
  }

  /// Prints the share of a core that watching a full-HD camera with Motion JPEG takes at any frame
  /// rate: ten of its pictures a second are decoded and summed, the others are skipped.
  @Test(.enabled(if: ProcessInfo.processInfo.environment["WBCAL_TIMINGS"] != nil))
  func watchingTakesLittle() throws {
    let pictures = (1...4).map {
      MotionJPEG.encoded(
        MotionJPEG.scene(width: 1920, height: 1080, seed: $0), width: 1920, height: 1080)
    }
    let first = pictures[0]
    let layout = try decoder.layout(of: first.span)
    var frame = [UInt8](repeating: 0, count: layout.byteCount)
    let start = clock()
    for index in 0..<100 {
      let picture = pictures[index % pictures.count]
      let layout = try decoder.layout(of: picture.span)
      var span = frame.mutableSpan
      try decoder.decode(picture.span, layout: layout, into: &span)
      _ = try FrameStatistics(frame.span, layout: layout)
    }
    let share = 100 * Double(clock() - start) / Double(CLOCKS_PER_SEC) / 10
    print(
      "watching Motion JPEG of \(first.count / 1024) KiB takes \(share) % of a core")
    #expect(share < 12)
  }
}
