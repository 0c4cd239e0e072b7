package import WhiteBalance

/// The stream of uncompressed video that ffmpeg calls yuv4mpegpipe: a header, then frames of 8-bit
/// planes of luma and chroma, each after `frameMark`.
///
/// Source: yuv4mpeg(5) of mjpegtools, and the keywords for range and chroma position that ffmpeg
/// reads and writes.
package struct Y4M: Sendable {
  /// The layout of the frames in the stream.
  package let layout: FrameLayout
  private let rate: (frames: Int, seconds: Int)

  package static let frameMark = Array("FRAME\n".utf8)

  /// Creates a stream for frames whose layout is `frames` before they are converted. The stream has
  /// planes without gaps, with the same chroma sharing or, if there is no keyword for it,
  /// 4:4:4.
  ///
  /// Luma and chroma have BT.601's weights, which readers assume because there is no keyword for
  /// them, and keep their range; red, green and blue become limited range.
  ///
  /// - Parameter rate: the number of frames in a number of seconds.
  /// - Throws: `FrameError`.
  package init(of frames: FrameLayout, rate: (frames: Int, seconds: Int)) throws(FrameError) {
    var range = CodeRange.limited
    var places = PixelFormat.ChromaLayout.planar444
    // RGB levels of 16 and 235 denote limited range, not black and white levels of light.
    var levels = (black: frames.blackLevel, white: frames.whiteLevel)
    switch frames.format.arrangement {
    case .subsampled(let chroma):
      range = frames.encoding.range
      switch chroma.sharing {
      case (2, 1): places = .planar422
      case (2, 2): places = .yu12
      default: places = .planar444
      }
    case .interleaved: if levels == (16, 235) { levels = (0, 255) }
    case .bayer, .gray: throw .colorless
    }
    layout = try FrameLayout(
      width: frames.width, height: frames.height, format: .subsampled(places),
      blackLevel: levels.black, whiteLevel: levels.white, transfer: frames.transfer,
      encoding: LumaChromaEncoding(matrix: .bt601, range: range))
    self.rate = rate
  }

  /// The line before the first frame.
  package var header: String {
    let chroma =
      switch layout.format {
      case .subsampled(.yu12): "C420jpeg XYSCSS=420JPEG"
      case .subsampled(.planar422): "C422 XYSCSS=422"
      default: "C444 XYSCSS=444"
      }
    let range = layout.encoding.range == .full ? "FULL" : "LIMITED"
    return "YUV4MPEG2 W\(layout.width) H\(layout.height) F\(rate.frames):\(rate.seconds) Ip A1:1 "
      + "\(chroma) XCOLORRANGE=\(range)\n"
  }
}
