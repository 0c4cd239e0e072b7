import CWbcalVideo4Linux
import ColorScience
import WhiteBalance

/// The format that a driver has agreed to, through either of V4L2's interfaces.
struct DriverFormat {
  /// A part of a frame that has its own memory.
  struct Plane: Hashable {
    /// The distance between rows in bytes, 0 if the driver does not report it.
    var bytesPerRow: Int
  }

  var fourCC: String
  var width, height: Int
  /// The planes: one, except for formats whose luma and chroma have separate memory.
  var planes: [Plane]
  private let space: v4l2_colorspace
  private let function: v4l2_xfer_func
  private let encoding: v4l2_ycbcr_encoding
  private let quantization: v4l2_quantization

  init(_ picture: v4l2_pix_format) {
    fourCC = Video4Linux.fourCC(picture.pixelformat)
    (width, height) = (Int(picture.width), Int(picture.height))
    planes = [Plane(bytesPerRow: Int(picture.bytesperline))]
    space = v4l2_colorspace(picture.colorspace)
    function = v4l2_xfer_func(picture.xfer_func)
    encoding = v4l2_ycbcr_encoding(picture.ycbcr_enc)
    quantization = v4l2_quantization(picture.quantization)
  }

  init(_ picture: v4l2_pix_format_mplane) {
    fourCC = Video4Linux.fourCC(picture.pixelformat)
    (width, height) = (Int(picture.width), Int(picture.height))
    let all = picture.plane_fmt
    planes = unsafe withUnsafeBytes(of: all) { bytes in
      unsafe bytes.bindMemory(to: v4l2_plane_pix_format.self)
        .prefix(Int(picture.num_planes)).map { Plane(bytesPerRow: Int($0.bytesperline)) }
    }
    space = v4l2_colorspace(picture.colorspace)
    function = v4l2_xfer_func(UInt32(picture.xfer_func))
    encoding = v4l2_ycbcr_encoding(UInt32(picture.ycbcr_enc))
    quantization = v4l2_quantization(UInt32(picture.quantization))
  }

  /// Indicates Motion JPEG, by either of its names.
  var isMotionJPEG: Bool { Self.motionJPEG.contains(fourCC) }
  static let motionJPEG = ["MJPG", "JPEG"]

  /// Returns the layout of frames, with separate planes joined; `nil` if the format, the transfer
  /// function or the encoding cannot be read: SMPTE 240M and 2084, BT.2020 with constant luminance.
  ///
  /// Properties that the driver leaves open have the defaults of `videodev2.h` (its
  /// `V4L2_MAP_…_DEFAULT`), with two exceptions: a sensor's raw samples are linear whatever the
  /// color space, and a missing color space means sRGB.
  func layout() throws(FrameError) -> FrameLayout? {
    guard let format = PixelFormat(fourCC: fourCC) else { return nil }
    let (isRGB, isRaw) =
      switch format.arrangement {
      case .subsampled: (false, false)
      case .bayer: (true, true)
      case .gray, .interleaved: (true, false)
      }
    let isLimited =
      quantization == V4L2_QUANTIZATION_DEFAULT
      ? !isRGB && space != V4L2_COLORSPACE_JPEG : quantization == V4L2_QUANTIZATION_LIM_RANGE
    let function =
      isRaw && function == V4L2_XFER_FUNC_DEFAULT ? V4L2_XFER_FUNC_NONE : function
    guard let transfer = TransferFunction(function, space) else { return nil }
    var encoding = LumaChromaEncoding.default
    if !isRGB {
      guard let matrix = LumaChromaEncoding.Matrix(self.encoding, space) else { return nil }
      encoding = LumaChromaEncoding(matrix: matrix, range: isLimited ? .limited : .full)
    }
    let hasFootroom = isLimited && isRGB && format.bitsPerSample == 8
    let stride = planes.first.flatMap { $0.bytesPerRow == 0 ? nil : $0.bytesPerRow }
    let whole = try FrameLayout(
      width: width, height: height, bytesPerRow: stride, format: format,
      blackLevel: hasFootroom ? 16 : 0, whiteLevel: hasFootroom ? 235 : nil, transfer: transfer,
      encoding: encoding)
    guard planes.count > 1 else { return whole }
    // The planes follow each other, each with its own distance between rows.
    guard planes.count == whole.chroma.count + 1, case .subsampled(let places) = format.arrangement
    else { return nil }
    let rows = places.planeSize(width: width, height: height).rows
    var chroma = whole.chroma
    var end = chroma[0].offset
    for index in chroma.indices {
      let reported = planes[index + 1].bytesPerRow
      if reported != 0 { chroma[index].bytesPerRow = reported }
      chroma[index].offset = end
      end += chroma[index].bytesPerRow * rows
    }
    return try FrameLayout(
      width: width, height: height, bytesPerRow: whole.bytesPerRow, format: format, chroma: chroma,
      transfer: transfer, encoding: encoding)
  }

  /// Returns the layout of a frame of Motion JPEG with the colors that the driver reports; `nil` if
  /// those cannot be read. Properties that it leaves open are those of JPEG: BT.601, full range,
  /// whatever the color space.
  func colored(_ layout: FrameLayout) -> FrameLayout? {
    guard let transfer = TransferFunction(function, space) else { return nil }
    var colors = layout.encoding
    if encoding != V4L2_YCBCR_ENC_DEFAULT {
      guard let matrix = LumaChromaEncoding.Matrix(encoding, space) else { return nil }
      colors.matrix = matrix
    }
    if quantization == V4L2_QUANTIZATION_LIM_RANGE { colors.range = .limited }
    return try? layout.replacing(transfer: transfer, encoding: colors)
  }
}

extension TransferFunction {
  fileprivate init?(_ function: v4l2_xfer_func, _ space: v4l2_colorspace) {
    switch (function, space) {
    case (V4L2_XFER_FUNC_DEFAULT, V4L2_COLORSPACE_DEFAULT),
      (V4L2_XFER_FUNC_DEFAULT, V4L2_COLORSPACE_SRGB),
      (V4L2_XFER_FUNC_DEFAULT, V4L2_COLORSPACE_JPEG), (V4L2_XFER_FUNC_SRGB, _):
      self = .sRGB
    case (V4L2_XFER_FUNC_DEFAULT, V4L2_COLORSPACE_RAW), (V4L2_XFER_FUNC_NONE, _): self = .linear
    // IEC 61966-2-5: 2 + 51/256.
    case (V4L2_XFER_FUNC_DEFAULT, V4L2_COLORSPACE_OPRGB), (V4L2_XFER_FUNC_OPRGB, _):
      self = .gamma(563.0 / 256)
    case (V4L2_XFER_FUNC_DEFAULT, V4L2_COLORSPACE_DCI_P3), (V4L2_XFER_FUNC_DCI_P3, _):
      self = .gamma(2.6)
    case (V4L2_XFER_FUNC_DEFAULT, V4L2_COLORSPACE_SMPTE240M): return nil
    case (V4L2_XFER_FUNC_DEFAULT, _), (V4L2_XFER_FUNC_709, _): self = .bt709
    default: return nil
    }
  }
}

extension LumaChromaEncoding.Matrix {
  fileprivate init?(_ encoding: v4l2_ycbcr_encoding, _ space: v4l2_colorspace) {
    switch (encoding, space) {
    case (V4L2_YCBCR_ENC_DEFAULT, V4L2_COLORSPACE_REC709),
      (V4L2_YCBCR_ENC_DEFAULT, V4L2_COLORSPACE_DCI_P3), (V4L2_YCBCR_ENC_709, _),
      (V4L2_YCBCR_ENC_XV709, _):
      self = .bt709
    case (V4L2_YCBCR_ENC_DEFAULT, V4L2_COLORSPACE_BT2020), (V4L2_YCBCR_ENC_BT2020, _):
      self = .bt2020
    case (V4L2_YCBCR_ENC_DEFAULT, V4L2_COLORSPACE_SMPTE240M): return nil
    case (V4L2_YCBCR_ENC_DEFAULT, _), (V4L2_YCBCR_ENC_601, _), (V4L2_YCBCR_ENC_XV601, _),
      (V4L2_YCBCR_ENC_SYCC, _):
      self = .bt601
    default: return nil
    }
  }
}

/// Returns the four characters of a pixel format's code; a big-endian one gets an ending, as in the
/// kernel.
func fourCC(_ code: UInt32) -> String {
  let bytes = (0..<4).map { UInt8(truncatingIfNeeded: code >> (8 * $0)) & 0x7F }
  return String(decoding: bytes, as: UTF8.self) + (code >> 31 == 1 ? "-BE" : "")
}

func code(fourCC: String) -> UInt32 {
  fourCC.utf8.prefix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) }
}
