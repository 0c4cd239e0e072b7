extension PixelFormat {
  /// The format of a V4L2 pixel format code, such as `XR24`, `NV12` or `pRCC`; `nil` for one that
  /// cannot be read.
  ///
  /// Source: the Linux kernel's `videodev2.h`. `MJPG` is a compressed stream, not a format of
  /// pixels.
  public init?(fourCC: String) {
    guard let format = Self.byFourCC.first(where: { $0.code == fourCC })?.format else { return nil }
    self = format
  }

  /// The V4L2 pixel format codes that can be read.
  public static let fourCCs: [String] = byFourCC.map(\.code)

  /// The format of one of AVFoundation's pixel formats, and its range of codes if the name states
  /// one; `nil` for a format that cannot be read. The name is what follows `kCVPixelFormatType_`,
  /// such as `32BGRA`.
  public static func coreVideo(_ name: String) -> (format: PixelFormat, range: CodeRange?)? {
    byCoreVideoName.first { $0.name == name }.map { ($0.format, $0.range) }
  }

  private static let byFourCC: [(code: String, format: PixelFormat)] =
    [
      ("RGB3", .rgb8), ("BGR3", .bgr8), ("XR24", .bgra8), ("AR24", .bgra8), ("BGR4", .bgra8),
      ("XB24", .rgba8), ("AB24", .rgba8), ("BX24", .argb8), ("BA24", .argb8),
      ("GREY", .gray(bits: 8)), ("Y10 ", .gray(bits: 10)), ("Y12 ", .gray(bits: 12)),
      ("Y14 ", .gray(bits: 14)), ("Y16 ", .gray(bits: 16)),
      ("YUYV", .subsampled(.yuyv)), ("UYVY", .subsampled(.uyvy)), ("NV12", .subsampled(.nv12)),
      ("NV21", .subsampled(.nv21)), ("YU12", .subsampled(.yu12)),
      ("RGGB", .bayer(.rggb, bits: 8)), ("GRBG", .bayer(.grbg, bits: 8)),
      ("GBRG", .bayer(.gbrg, bits: 8)), ("BA81", .bayer(.bggr, bits: 8)),
      ("BYR2", .bayer(.bggr, bits: 16)),
    ]
    + bayer(["RG10", "BA10", "GB10", "BG10"]) { .bayer($0, bits: 10) }
    + bayer(["RG12", "BA12", "GB12", "BG12"]) { .bayer($0, bits: 12) }
    + bayer(["RG14", "GR14", "GB14", "BG14"]) { .bayer($0, bits: 14) }
    + bayer(["RG16", "GR16", "GB16"]) { .bayer($0, bits: 16) }
    + bayer(["pRAA", "pgAA", "pGAA", "pBAA"]) { .packedBayer($0, bits: 10) }
    + bayer(["pRCC", "pgCC", "pGCC", "pBCC"]) { .packedBayer($0, bits: 12) }
    + bayer(["pREE", "pgEE", "pGEE", "pBEE"]) { .packedBayer($0, bits: 14) }

  private static func bayer(
    _ codes: [String], _ format: (BayerPattern) -> PixelFormat
  ) -> [(code: String, format: PixelFormat)] {
    zip(codes, [.rggb, .grbg, .gbrg, .bggr]).map { ($0, format($1)) }
  }

  private static let byCoreVideoName: [(name: String, format: PixelFormat, range: CodeRange?)] = [
    ("24RGB", .rgb8, nil), ("24BGR", .bgr8, nil), ("32BGRA", .bgra8, nil),
    ("32RGBA", .rgba8, nil), ("32ARGB", .argb8, nil), ("64RGBALE", .rgba16, nil),
    ("64RGBAHalf", .rgbaHalf, nil), ("128RGBAFloat", .rgbaFloat, nil),
    ("OneComponent8", .gray(bits: 8), nil), ("OneComponent16", .gray(bits: 16), nil),
    ("422YpCbCr8", .subsampled(.uyvy), .limited), ("422YpCbCr8_yuvs", .subsampled(.yuyv), .limited),
    ("422YpCbCr8FullRange", .subsampled(.yuyv), .full),
    ("420YpCbCr8Planar", .subsampled(.yu12), .limited),
    ("420YpCbCr8PlanarFullRange", .subsampled(.yu12), .full),
    ("420YpCbCr8BiPlanarVideoRange", .subsampled(.nv12), .limited),
    ("420YpCbCr8BiPlanarFullRange", .subsampled(.nv12), .full),
    ("14Bayer_RGGB", .bayer(.rggb, bits: 14), nil), ("14Bayer_GRBG", .bayer(.grbg, bits: 14), nil),
    ("14Bayer_GBRG", .bayer(.gbrg, bits: 14), nil), ("14Bayer_BGGR", .bayer(.bggr, bits: 14), nil),
    ("16VersatileBayer", .bayer(.rggb, bits: 16), nil),
  ]
}
