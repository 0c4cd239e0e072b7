import CVideo4Linux
import ColorScience
import WhiteBalance

extension FrameLayout {
  /// The layout that a driver has agreed to; `nil` where its format cannot be read.
  ///
  /// What the driver leaves open is as `videodev2.h` says (its `V4L2_MAP_…_DEFAULT`), but for a sensor's
  /// raw samples, which are linear whatever the color space, and for a driver that names no color space:
  /// it is taken for sRGB.
  init?(_ picture: v4l2_pix_format) throws(FrameError) {
    guard let format = PixelFormat(fourCC: fourCC(picture.pixelformat)) else { return nil }
    let isRGB: Bool
    if case .subsampled = format.arrangement { isRGB = false } else { isRGB = true }
    let space = v4l2_colorspace(picture.colorspace)
    let isLimited =
      picture.quantization == V4L2_QUANTIZATION_DEFAULT.rawValue
      ? !isRGB && space != V4L2_COLORSPACE_JPEG
      : picture.quantization == V4L2_QUANTIZATION_LIM_RANGE.rawValue
    let isRaw: Bool
    if case .bayer = format.arrangement { isRaw = true } else { isRaw = false }
    let limitedRGB = isLimited && isRGB && format.bitsPerSample == 8
    try self.init(
      width: Int(picture.width), height: Int(picture.height),
      bytesPerRow: picture.bytesperline == 0 ? nil : Int(picture.bytesperline), format: format,
      blackLevel: limitedRGB ? 16 : 0, whiteLevel: limitedRGB ? 235 : nil,
      transfer: TransferFunction(
        isRaw && picture.xfer_func == 0
          ? V4L2_XFER_FUNC_NONE : v4l2_xfer_func(picture.xfer_func), space),
      encoding: LumaChromaEncoding(
        matrix: .init(v4l2_ycbcr_encoding(picture.ycbcr_enc), space),
        range: isLimited ? .limited : .full))
  }
}

extension TransferFunction {
  fileprivate init(_ function: v4l2_xfer_func, _ space: v4l2_colorspace) {
    switch function {
    case V4L2_XFER_FUNC_DEFAULT:
      switch space {
      case V4L2_COLORSPACE_DEFAULT, V4L2_COLORSPACE_SRGB, V4L2_COLORSPACE_JPEG: self = .sRGB
      case V4L2_COLORSPACE_RAW: self = .linear
      case V4L2_COLORSPACE_OPRGB: self = .gamma(Self.opRGB)
      case V4L2_COLORSPACE_DCI_P3: self = .gamma(2.6)
      default: self = .bt709
      }
    case V4L2_XFER_FUNC_NONE: self = .linear
    case V4L2_XFER_FUNC_OPRGB: self = .gamma(Self.opRGB)
    case V4L2_XFER_FUNC_DCI_P3: self = .gamma(2.6)
    // SMPTE 240M differs from BT.709 by 0.4 % of white.
    case V4L2_XFER_FUNC_709, V4L2_XFER_FUNC_SMPTE240M: self = .bt709
    default: self = .sRGB
    }
  }

  /// IEC 61966-2-5: 2 + 51/256.
  private static let opRGB = 563.0 / 256
}

extension LumaChromaEncoding.Matrix {
  fileprivate init(_ encoding: v4l2_ycbcr_encoding, _ space: v4l2_colorspace) {
    switch encoding {
    case V4L2_YCBCR_ENC_DEFAULT:
      switch space {
      case V4L2_COLORSPACE_REC709, V4L2_COLORSPACE_DCI_P3, V4L2_COLORSPACE_SMPTE240M: self = .bt709
      case V4L2_COLORSPACE_BT2020: self = .bt2020
      default: self = .bt601
      }
    // The weights of SMPTE 240M, 0.212, 0.701, 0.087, are near those of BT.709.
    case V4L2_YCBCR_ENC_709, V4L2_YCBCR_ENC_XV709, V4L2_YCBCR_ENC_SMPTE240M: self = .bt709
    case V4L2_YCBCR_ENC_BT2020, V4L2_YCBCR_ENC_BT2020_CONST_LUM: self = .bt2020
    default: self = .bt601
    }
  }
}

/// The four characters of a pixel format's code; a big-endian one gets an ending, as in the kernel.
func fourCC(_ code: UInt32) -> String {
  let bytes = (0..<4).map { UInt8(truncatingIfNeeded: code >> (8 * $0)) & 0x7F }
  return String(decoding: bytes, as: UTF8.self) + (code >> 31 == 1 ? "-BE" : "")
}

/// The code of four characters.
func code(fourCC: String) -> UInt32 {
  fourCC.utf8.prefix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) }
}
