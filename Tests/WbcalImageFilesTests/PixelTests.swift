import ColorScience
import WbcalImageFiles
import Testing
import WhiteBalance

@Suite struct PixelTests {
  @Test(arguments: [
    "rgb8.png", "rgb8.tif", "rgb8.ppm", "text8.ppm", "srgb.png",
  ])
  func eightBitColors(name: String) throws {
    let frame = try read(name)
    #expect(frame.layout.format == .rgb8)
    #expect((frame.layout.width, frame.layout.height) == (5, 3))
    #expect(frame.layout.whiteLevel == 255)
    #expect(frame.layout.transfer == .sRGB)
    #expect(frame.samples == expected(channels: 3, shallow))
  }

  @Test(arguments: ["rgba8.png", "rgba8.tif", "planar8-lzw.tif"])
  func eightBitColorsWithAlpha(name: String) throws {
    let frame = try read(name)
    #expect(frame.layout.format == .rgba8)
    #expect(frame.samples == expected(channels: 4, shallow))
  }

  /// The first of a palette's colors is transparent.
  @Test func palette() throws {
    let frame = try read("palette.png")
    #expect(frame.layout.format == .rgba8)
    #expect(
      frame.samples
        == expected(channels: 4) { channel, x, y in
          channel < 3 ? shallow(channel, x, y) : x + y == 0 ? 0 : 255
        })
  }

  @Test(arguments: [
    "rgb16.png", "rgb16.tif", "big-endian.tif", "planar16.tif", "rgb16.ppm", "text16.ppm",
  ])
  func sixteenBitColors(name: String) throws {
    let frame = try read(name)
    #expect(frame.layout.format == .rgb16)
    #expect((frame.layout.width, frame.layout.height) == (5, 3))
    #expect(frame.layout.whiteLevel == 65535)
    #expect(frame.layout.transfer == .sRGB)
    #expect(frame.samples == expected(channels: 3, deep))
  }

  @Test(arguments: ["rgba16.png", "rgba16.tif"])
  func sixteenBitColorsWithAlpha(name: String) throws {
    let frame = try read(name)
    #expect(frame.layout.format == .rgba16)
    #expect(frame.samples == expected(channels: 4, deep))
  }

  @Test func largestValueIsTheWhiteLevel() throws {
    let frame = try read("rgb10.ppm")
    #expect(frame.layout.format == .rgb16)
    #expect(frame.layout.whiteLevel == 1023)
    #expect(frame.samples == expected(channels: 3) { deep($0, $1, $2) / 64 })
  }

  /// Codes of Rec. ITU-T H.273 take precedence over all other information in a file.
  @Test(arguments: [
    (UInt8(1), TransferFunction.bt709), (4, .gamma(2.2)), (8, .linear), (13, .sRGB), (14, .bt709),
  ])
  func codeOfPNG(code: UInt8, transfer: TransferFunction) throws {
    let chunks = chunk("cICP", [1, code, 0, 1]) + chunk("gAMA", bigEndian(100_000))
    let file = inserting(chunks, at: 33, in: try contents("rgb8.png"))
    #expect(try readPicture(file, as: "x.png").frame.layout.transfer == transfer)
  }

  @Test func otherCodesOfPNGAreRefused() throws {
    let file = inserting(chunk("cICP", [9, 16, 0, 1]), at: 33, in: try contents("rgb8.png"))
    let error = #expect(throws: ImageFileError.self) { try readPicture(file, as: "x.png") }
    #expect(error?.description.contains("number 16 of H.273") == true)
  }

  /// With the primaries of sRGB a gamma of 2.2 is written for readers that do not support its
  /// curve.
  @Test func gammaBesidePrimariesOfSRGB() throws {
    let colors: [UInt32] = [31270, 32900, 64000, 33000, 30000, 60000, 15000, 6000]
    let primaries = chunk("cHRM", colors.flatMap(bigEndian))
    let plain = try contents("rgb8.png")
    for (gamma, transfer) in [(45455, TransferFunction.sRGB), (50000, .gamma(2))] {
      let file = inserting(chunk("gAMA", bigEndian(UInt32(gamma))) + primaries, at: 33, in: plain)
      #expect(try readPicture(file, as: "x.png").frame.layout.transfer == transfer)
    }
  }

  /// Premultiplied colors are rejected, unless no pixel is transparent.
  @Test(arguments: [(UInt8(254), false), (255, true)])
  func alphaThatIsMultiplied(alpha: UInt8, isRead: Bool) throws {
    let file = tiff(
      width: 2, height: 1, samples: 4, bits: 8, pixels: [1, 2, 3, 255, 4, 5, 6, alpha],
      tags: [(338, 3, 1, littleEndian(1))])
    #expect(((try? readPicture(file, as: "x.tif")) != nil) == isRead)
  }

  @Test(arguments: [("gamma.png", TransferFunction.gamma(2)), ("gamma-linear.png", .linear)])
  func exponentOfPNG(name: String, transfer: TransferFunction) throws {
    #expect(try read(name).layout.transfer == transfer)
  }

  @Test(arguments: ["rgb.jpg", "progressive.jpg"])
  func flatJPEG(name: String) throws {
    let frame = try read(name)
    #expect(frame.layout.format == .rgb8)
    #expect(frame.layout.transfer == .sRGB)
    #expect((frame.layout.width, frame.layout.height) == (16, 16))
    for (index, sample) in frame.samples.enumerated() {
      let (pixel, channel) = index.quotientAndRemainder(dividingBy: 3)
      let color = pixel % 16 < 8 ? [200, 60, 40] : [30, 90, 180]
      #expect(abs(sample - color[channel]) <= 1)
    }
  }

  /// Two colors are packed to one bit a pixel, then compressed as far as deflate can.
  @Test func flatPalette() throws {
    let frame = try read("flat-palette.png")
    #expect((frame.layout.width, frame.layout.height) == (1500, 1500))
    #expect(Array(frame.bytes.suffix(6)) == [10, 20, 30, 10, 20, 30])
  }

  @Test func nameWithoutPromise() throws {
    #expect(try read(contents("rgb8.png"), as: "picture").layout.format == .rgb8)
    #expect(try read(contents("rgb8.png"), as: "picture.PNG").layout.format == .rgb8)
  }

  @Test func previewsAreReadBack() throws {
    let frame = try read("rgb8.png")
    let file = try #require(PreviewWriter.png(frame))
    #expect(try read(file, as: "x.png").samples == frame.samples)
    #expect(PreviewWriter.png(try read("rgb16.png")) == nil)
  }
}
