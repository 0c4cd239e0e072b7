/// Where the red, green and blue samples of a frame lie, and how many bits they have.
public struct PixelFormat: Hashable, Sendable {
  /// The order of the samples.
  public enum Arrangement: Hashable, Sendable {
    /// Every pixel has all three; the offsets count samples from the start of a pixel.
    case interleaved(red: Int, green: Int, blue: Int, samplesPerPixel: Int)
    /// Every pixel has one, in the repeating 2×2 pattern of a color filter array.
    case bayer(BayerPattern)
  }

  /// The order of the samples.
  public let arrangement: Arrangement
  /// Significant bits of a sample, 8…16; the sample occupies one byte if 8, else two, little-endian,
  /// in the low bits.
  public let bitsPerSample: Int

  /// Bytes that a sample occupies, 1 or 2.
  public var bytesPerSample: Int { bitsPerSample <= 8 ? 1 : 2 }

  /// The largest number a sample can hold.
  public var maximumValue: Int { 1 << bitsPerSample - 1 }

  /// Samples that lie in one pixel.
  public var samplesPerPixel: Int {
    if case .interleaved(_, _, _, let samples) = arrangement { samples } else { 1 }
  }

  /// Red, green, blue, 8 bits each (V4L2 `RGB3`).
  public static let rgb8 = interleaved(0, 1, 2, of: 3, bits: 8)
  /// Blue, green, red, 8 bits each (V4L2 `BGR3`).
  public static let bgr8 = interleaved(2, 1, 0, of: 3, bits: 8)
  /// Blue, green, red and one sample that is ignored (AVFoundation's `32BGRA`, V4L2 `XR24`, `AR24`).
  public static let bgra8 = interleaved(2, 1, 0, of: 4, bits: 8)
  /// Red, green, blue and one sample that is ignored, 8 bits each.
  public static let rgba8 = interleaved(0, 1, 2, of: 4, bits: 8)
  /// Red, green, blue, 16 bits each.
  public static let rgb16 = interleaved(0, 1, 2, of: 3, bits: 16)
  /// Red, green, blue and one sample that is ignored, 16 bits each.
  public static let rgba16 = interleaved(0, 1, 2, of: 4, bits: 16)
  /// Blue, green, red and one sample that is ignored, 16 bits each.
  public static let bgra16 = interleaved(2, 1, 0, of: 4, bits: 16)

  /// A color filter array of 8…16 bits, not packed.
  public static func bayer(_ pattern: BayerPattern, bits: Int) -> PixelFormat {
    precondition((8...16).contains(bits), "a Bayer sample has 8 to 16 bits")
    return PixelFormat(arrangement: .bayer(pattern), bitsPerSample: bits)
  }

  private static func interleaved(
    _ red: Int, _ green: Int, _ blue: Int, of samples: Int, bits: Int
  ) -> PixelFormat {
    PixelFormat(
      arrangement: .interleaved(red: red, green: green, blue: blue, samplesPerPixel: samples),
      bitsPerSample: bits)
  }
}

/// The colors of a Bayer filter's upper left 2×2 pixels, read like text.
public enum BayerPattern: String, CaseIterable, Hashable, Sendable {
  /// Red at the upper left.
  case rggb
  /// Green at the upper left, red at its right.
  case grbg
  /// Green at the upper left, blue at its right.
  case gbrg
  /// Blue at the upper left.
  case bggr

  /// Column and row, each 0 or 1, of the red pixel in the 2×2 pattern; blue is diagonal to it.
  public var redPosition: (column: Int, row: Int) {
    switch self {
    case .rggb: (0, 0)
    case .grbg: (1, 0)
    case .gbrg: (0, 1)
    case .bggr: (1, 1)
    }
  }

  /// The pattern seen when the first columns and rows are cut away.
  public func shifted(columns: Int, rows: Int) -> BayerPattern {
    let red = redPosition
    switch (red.column ^ (columns & 1), red.row ^ (rows & 1)) {
    case (0, 0): return .rggb
    case (1, 0): return .grbg
    case (0, 1): return .gbrg
    default: return .bggr
    }
  }
}

extension PixelFormat {
  /// The format of a V4L2 pixel format code, such as `XR24` or `RG10`; `nil` for one that cannot be
  /// read.
  public init?(fourCC: String) {
    guard let format = Self.byFourCC.first(where: { $0.code == fourCC })?.format else { return nil }
    self = format
  }

  /// The V4L2 pixel format codes that can be read.
  public static let fourCCs: [String] = byFourCC.map(\.code)

  private static let byFourCC: [(code: String, format: PixelFormat)] =
    [
      ("RGB3", .rgb8), ("BGR3", .bgr8), ("XR24", .bgra8), ("AR24", .bgra8), ("BGR4", .bgra8),
      ("XB24", .rgba8), ("AB24", .rgba8),
      ("RGGB", .bayer(.rggb, bits: 8)), ("GRBG", .bayer(.grbg, bits: 8)),
      ("GBRG", .bayer(.gbrg, bits: 8)), ("BA81", .bayer(.bggr, bits: 8)),
      ("BYR2", .bayer(.bggr, bits: 16)),
    ]
    + [("RG", BayerPattern.rggb), ("BA", .grbg), ("GB", .gbrg), ("BG", .bggr)].map {
      ($0.0 + "10", .bayer($0.1, bits: 10))
    }
    + [("RG", BayerPattern.rggb), ("BA", .grbg), ("GB", .gbrg), ("BG", .bggr)].map {
      ($0.0 + "12", .bayer($0.1, bits: 12))
    }
    + [("RG", BayerPattern.rggb), ("GR", .grbg), ("GB", .gbrg), ("BG", .bggr)].map {
      ($0.0 + "14", .bayer($0.1, bits: 14))
    }
    + [("RG", BayerPattern.rggb), ("GR", .grbg), ("GB", .gbrg)].map {
      ($0.0 + "16", .bayer($0.1, bits: 16))
    }
}
