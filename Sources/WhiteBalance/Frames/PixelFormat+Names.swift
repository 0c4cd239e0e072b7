extension PixelFormat {
  /// Creates the format of a V4L2 pixel format code, such as `XR24`, `NV12` or `pRCC`; `nil` for a
  /// code that is not supported.
  ///
  /// Source: the Linux kernel's `videodev2.h`. `MJPG` is a compressed stream, not a pixel format.
  public init?(fourCC: String) {
    guard let format = Self.byFourCC.first(where: { $0.code == fourCC })?.format else { return nil }
    self = format
  }

  /// The supported V4L2 pixel format codes.
  public static let fourCCs: [String] = byFourCC.map(\.code)

  /// The V4L2 pixel format code for frames of this format in contiguous memory; `nil` if there is
  /// none.
  public var fourCC: String? {
    Self.byFourCC.first { $0.format == self && !Self.inSeveralPieces.contains($0.code) }?.code
  }

  private static let inSeveralPieces = ["NM12", "NM21", "YM12", "YM16", "YM24"]

  private static let byFourCC: [(code: String, format: PixelFormat)] =
    [
      ("RGB3", .rgb8), ("BGR3", .bgr8), ("XR24", .bgra8), ("AR24", .bgra8), ("BGR4", .bgra8),
      ("XB24", .rgba8), ("AB24", .rgba8), ("BX24", .argb8), ("BA24", .argb8),
      ("GREY", .gray(bits: 8)), ("Y10 ", .gray(bits: 10)), ("Y12 ", .gray(bits: 12)),
      ("Y14 ", .gray(bits: 14)), ("Y16 ", .gray(bits: 16)),
      ("YUYV", .subsampled(.yuyv)), ("UYVY", .subsampled(.uyvy)), ("NV12", .subsampled(.nv12)),
      ("NV21", .subsampled(.nv21)), ("YU12", .subsampled(.yu12)),
      ("422P", .subsampled(.planar422)),
      // Here each plane has its own memory; in contiguous memory the planes follow each other.
      ("NM12", .subsampled(.nv12)), ("NM21", .subsampled(.nv21)), ("YM12", .subsampled(.yu12)),
      ("YM16", .subsampled(.planar422)), ("YM24", .subsampled(.planar444)),
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
}
