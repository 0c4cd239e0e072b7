import ColorScience
import Testing
import WhiteBalance

@testable import WbcalImageFiles

struct Y4MTests {
  private func stream(
    _ format: PixelFormat, width: Int = 5, encoding: LumaChromaEncoding = .default,
    black: Double = 0, white: Double = 255
  ) throws -> Y4M {
    try Y4M(
      of: FrameLayout(
        width: width, height: 4, format: format, blackLevel: black, whiteLevel: white,
        transfer: .sRGB, encoding: encoding), rate: (30_000, 1001))
  }

  /// The keywords are those that ffmpeg writes.
  @Test(
    arguments: [
      (.yuyv, .planar422, "C422 XYSCSS=422"), (.uyvy, .planar422, "C422 XYSCSS=422"),
      (.planar422, .planar422, "C422 XYSCSS=422"), (.nv12, .yu12, "C420jpeg XYSCSS=420JPEG"),
      (.nv21, .yu12, "C420jpeg XYSCSS=420JPEG"), (.yu12, .yu12, "C420jpeg XYSCSS=420JPEG"),
      (.planar444, .planar444, "C444 XYSCSS=444"),
      // The format has no keyword for this layout, whose chroma is interpolated to 4:4:4.
      (.planar440, .planar444, "C444 XYSCSS=444"),
    ] as [(PixelFormat.ChromaLayout, PixelFormat.ChromaLayout, String)])
  func lumaAndChroma(
    places: PixelFormat.ChromaLayout, planes: PixelFormat.ChromaLayout, words: String
  ) throws {
    let full = LumaChromaEncoding(matrix: .bt709, range: .full)
    let stream = try stream(.subsampled(places), width: 6, encoding: full, black: 6)
    #expect(
      stream.header
        == "YUV4MPEG2 W6 H4 F30000:1001 Ip A1:1 \(words) XCOLORRANGE=FULL\n")
    let layout = try FrameLayout(
      width: 6, height: 4, format: .subsampled(planes), blackLevel: 6,
      encoding: LumaChromaEncoding(matrix: .bt601, range: .full))
    #expect(stream.layout == layout)
  }

  @Test func redGreenAndBlue() throws {
    let stream = try stream(.bgra8)
    #expect(
      stream.header
        == "YUV4MPEG2 W5 H4 F30000:1001 Ip A1:1 C444 XYSCSS=444 XCOLORRANGE=LIMITED\n")
    #expect(stream.layout.blackLevel == 0 && stream.layout.whiteLevel == 255)
    // Codes that are a range are not levels of light; a black level is.
    #expect(try self.stream(.bgra8, black: 16, white: 235).layout.whiteLevel == 255)
    #expect(try self.stream(.bgra8, black: 6).layout.blackLevel == 6)
    #expect(throws: FrameError.colorless) { try self.stream(.gray(bits: 8)) }
    #expect(throws: FrameError.colorless) { try self.stream(.bayer(.rggb, bits: 8)) }
  }
}
