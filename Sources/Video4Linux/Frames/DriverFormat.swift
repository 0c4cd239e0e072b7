import CWbcalVideo4Linux
import ColorScience
import WhiteBalance

extension FrameLayout {
  /// The layout that a driver has agreed to; `nil` where its format, its transfer function or its
  /// encoding cannot be read: SMPTE 240M and 2084, BT.2020 with constant luminance.
  ///
  /// What the driver leaves open is as `videodev2.h` says (its `V4L2_MAP_…_DEFAULT`), but for a
  /// sensor's raw samples, which are linear whatever the color space, and for a driver that names
  /// no color space: it is taken for sRGB.
  init?(_ picture: v4l2_pix_format) throws(FrameError) {
    guard let format = PixelFormat(fourCC: fourCC(picture.pixelformat)) else { return nil }
    let (isRGB, isRaw) =
      switch format.arrangement {
      case .subsampled: (false, false)
      case .bayer: (true, true)
      case .gray, .interleaved: (true, false)
      }
    let space = v4l2_colorspace(picture.colorspace)
    let isLimited =
      picture.quantization == V4L2_QUANTIZATION_DEFAULT.rawValue
      ? !isRGB && space != V4L2_COLORSPACE_JPEG
      : picture.quantization == V4L2_QUANTIZATION_LIM_RANGE.rawValue
    let function =
      isRaw && picture.xfer_func == V4L2_XFER_FUNC_DEFAULT.rawValue
      ? V4L2_XFER_FUNC_NONE : v4l2_xfer_func(picture.xfer_func)
    guard let transfer = TransferFunction(function, space) else { return nil }
    var encoding = LumaChromaEncoding.default
    if !isRGB {
      guard let matrix = LumaChromaEncoding.Matrix(v4l2_ycbcr_encoding(picture.ycbcr_enc), space)
      else { return nil }
      encoding = LumaChromaEncoding(matrix: matrix, range: isLimited ? .limited : .full)
    }
    let hasFootroom = isLimited && isRGB && format.bitsPerSample == 8
    try self.init(
      width: Int(picture.width), height: Int(picture.height),
      bytesPerRow: picture.bytesperline == 0 ? nil : Int(picture.bytesperline), format: format,
      blackLevel: hasFootroom ? 16 : 0, whiteLevel: hasFootroom ? 235 : nil, transfer: transfer,
      encoding: encoding)
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

/// The four characters of a pixel format's code; a big-endian one gets an ending, as in the kernel.
func fourCC(_ code: UInt32) -> String {
  let bytes = (0..<4).map { UInt8(truncatingIfNeeded: code >> (8 * $0)) & 0x7F }
  return String(decoding: bytes, as: UTF8.self) + (code >> 31 == 1 ? "-BE" : "")
}

func code(fourCC: String) -> UInt32 {
  fourCC.utf8.prefix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) }
}
