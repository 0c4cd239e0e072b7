import CWbcalVideo4Linux
import ColorScience
import Testing
import WhiteBalance

@testable import Video4Linux

/// Compares the defaults for properties that a driver leaves open with the `V4L2_MAP_…_DEFAULT`
/// macros of `videodev2.h`.
struct DriverFormatTests {
  private func layout(
    _ format: String, space: v4l2_colorspace = V4L2_COLORSPACE_SRGB,
    change: (inout v4l2_pix_format) -> Void = { _ in }
  ) throws -> FrameLayout {
    var picture = v4l2_pix_format()
    picture.width = 64
    picture.height = 32
    picture.pixelformat = code(fourCC: format)
    picture.colorspace = space.rawValue
    change(&picture)
    return try #require(try DriverFormat(picture).layout())
  }

  @Test func aWebcamsPictures() throws {
    let layout = try layout("YUYV") { $0.bytesperline = 256 }
    #expect(layout.bytesPerRow == 256)
    #expect(layout.format == .subsampled(.yuyv))
    #expect(layout.encoding == LumaChromaEncoding(matrix: .bt601, range: .limited))
    #expect(layout.transfer == .sRGB)
    #expect(layout.byteCount == 31 * 256 + 128)
  }

  @Test(arguments: [
    (V4L2_COLORSPACE_DEFAULT, LumaChromaEncoding.Matrix.bt601, CodeRange.limited),
    (V4L2_COLORSPACE_SRGB, .bt601, .limited), (V4L2_COLORSPACE_SMPTE170M, .bt601, .limited),
    (V4L2_COLORSPACE_JPEG, .bt601, .full), (V4L2_COLORSPACE_REC709, .bt709, .limited),
    (V4L2_COLORSPACE_DCI_P3, .bt709, .limited), (V4L2_COLORSPACE_BT2020, .bt2020, .limited),
  ])
  func defaultsOfEncoding(
    space: v4l2_colorspace, matrix: LumaChromaEncoding.Matrix, range: CodeRange
  ) throws {
    #expect(
      try layout("UYVY", space: space).encoding == LumaChromaEncoding(matrix: matrix, range: range))
  }

  @Test(arguments: [
    (V4L2_COLORSPACE_SRGB, TransferFunction.sRGB), (V4L2_COLORSPACE_JPEG, .sRGB),
    (V4L2_COLORSPACE_REC709, .bt709), (V4L2_COLORSPACE_SMPTE170M, .bt709),
    (V4L2_COLORSPACE_OPRGB, .gamma(2.199_218_75)), (V4L2_COLORSPACE_DCI_P3, .gamma(2.6)),
    (V4L2_COLORSPACE_RAW, .linear),
  ])
  func defaultsOfTransfer(space: v4l2_colorspace, transfer: TransferFunction) throws {
    #expect(try layout("RGB3", space: space).transfer == transfer)
  }

  @Test func whatTheDriverSaysCounts() throws {
    let layout = try layout("NV12", space: V4L2_COLORSPACE_SRGB) {
      $0.ycbcr_enc = V4L2_YCBCR_ENC_709.rawValue
      $0.quantization = V4L2_QUANTIZATION_FULL_RANGE.rawValue
      $0.xfer_func = V4L2_XFER_FUNC_709.rawValue
      $0.bytesperline = 80
    }
    #expect(layout.encoding == LumaChromaEncoding(matrix: .bt709, range: .full))
    #expect(layout.transfer == .bt709)
    #expect(layout.chroma == [.init(offset: 32 * 80, bytesPerRow: 80)])
  }

  @Test func limitedRGBHasOtherEnds() throws {
    let full = try layout("XR24")
    #expect(full.blackLevel == 0 && full.whiteLevel == 255)
    let limited = try layout("XR24") {
      $0.quantization = V4L2_QUANTIZATION_LIM_RANGE.rawValue
    }
    #expect(limited.blackLevel == 16 && limited.whiteLevel == 235)
  }

  @Test func rawSamplesAreLinear() throws {
    #expect(try layout("RGGB").transfer == .linear)
    #expect(try layout("pRAA").transfer == .linear)
    #expect(try layout("GREY").transfer == .sRGB)
  }

  @Test func curvesAndEncodingsThatCannotBeRead() throws {
    func isRead(_ change: (inout v4l2_pix_format) -> Void) throws -> Bool {
      var picture = v4l2_pix_format()
      (picture.width, picture.height) = (64, 32)
      picture.pixelformat = code(fourCC: "YUYV")
      change(&picture)
      return try DriverFormat(picture).layout() != nil
    }
    #expect(try isRead { _ in })
    #expect(try !isRead { $0.xfer_func = V4L2_XFER_FUNC_SMPTE2084.rawValue })
    #expect(try !isRead { $0.xfer_func = V4L2_XFER_FUNC_SMPTE240M.rawValue })
    #expect(try !isRead { $0.colorspace = V4L2_COLORSPACE_SMPTE240M.rawValue })
    #expect(try !isRead { $0.ycbcr_enc = V4L2_YCBCR_ENC_SMPTE240M.rawValue })
    #expect(try !isRead { $0.ycbcr_enc = V4L2_YCBCR_ENC_BT2020_CONST_LUM.rawValue })
  }

  /// Motion JPEG is BT.601 with full range (JFIF 1.02), whatever color space the driver reports,
  /// unless it reports an encoding or a range.
  @Test func motionJPEGIsAsJPEGHasIt() throws {
    func encoding(_ change: (inout v4l2_pix_format) -> Void) throws -> LumaChromaEncoding? {
      var picture = v4l2_pix_format()
      (picture.width, picture.height) = (64, 32)
      picture.pixelformat = code(fourCC: "MJPG")
      picture.colorspace = V4L2_COLORSPACE_SRGB.rawValue
      change(&picture)
      let decoded = try FrameLayout(
        width: 64, height: 32, format: .subsampled(.planar422),
        encoding: LumaChromaEncoding(matrix: .bt601, range: .full))
      return DriverFormat(picture).colored(decoded)?.encoding
    }
    let jpeg = LumaChromaEncoding(matrix: .bt601, range: .full)
    #expect(try encoding { _ in } == jpeg)
    #expect(try encoding { $0.colorspace = V4L2_COLORSPACE_REC709.rawValue } == jpeg)
    #expect(
      try encoding { $0.ycbcr_enc = V4L2_YCBCR_ENC_709.rawValue }
        == LumaChromaEncoding(matrix: .bt709, range: .full))
    #expect(
      try encoding { $0.quantization = V4L2_QUANTIZATION_LIM_RANGE.rawValue }
        == LumaChromaEncoding(matrix: .bt601, range: .limited))
    #expect(try encoding { $0.xfer_func = V4L2_XFER_FUNC_SMPTE2084.rawValue } == nil)
  }

  /// A driver with several planes reports rows of luma 80 bytes apart, and those of chroma 96.
  @Test func planesApartAreLaidOneBehindTheOther() throws {
    func layout(_ format: String, _ strides: [UInt32]) throws -> FrameLayout? {
      var picture = v4l2_pix_format_mplane()
      (picture.width, picture.height) = (64, 32)
      picture.pixelformat = code(fourCC: format)
      picture.num_planes = UInt8(strides.count)
      picture.colorspace = V4L2_COLORSPACE_REC709.rawValue
      picture.plane_fmt.0.bytesperline = strides[0]
      if strides.count > 1 { picture.plane_fmt.1.bytesperline = strides[1] }
      if strides.count > 2 { picture.plane_fmt.2.bytesperline = strides[2] }
      return try DriverFormat(picture).layout()
    }
    let pairs = try #require(try layout("NM21", [80, 96]))
    #expect(pairs.format == .subsampled(.nv21) && pairs.bytesPerRow == 80)
    #expect(pairs.chroma == [.init(offset: 32 * 80, bytesPerRow: 96)])
    #expect(pairs.encoding.matrix == .bt709 && pairs.transfer == .bt709)
    let three = try #require(try layout("YM12", [64, 40, 48]))
    #expect(
      three.chroma == [
        .init(offset: 2048, bytesPerRow: 40), .init(offset: 2048 + 16 * 40, bytesPerRow: 48),
      ])
    #expect(try layout("YM16", [64, 32, 32])?.format == .subsampled(.planar422))
    #expect(try layout("NV12", [80])?.chroma == [.init(offset: 32 * 80, bytesPerRow: 80)])
    #expect(try layout("YM12", [64, 32]) == nil)
  }

  @Test(arguments: ["MJPG", "YVYU", "Y16 -BE"])
  func formatsThatCannotBeRead(format: String) throws {
    var picture = v4l2_pix_format()
    (picture.width, picture.height) = (64, 32)
    picture.pixelformat =
      format == "Y16 -BE" ? code(fourCC: "Y16 ") | 1 << 31 : code(fourCC: format)
    #expect(try DriverFormat(picture).layout() == nil)
  }
}
