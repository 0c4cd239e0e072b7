#if GenICam
import WhiteBalance

/// A pixel format of the Pixel Format Naming Convention (PFNC) or of GigE Vision that can be read.
struct NamedPixelFormat {
  /// The way in which samples are stored.
  enum Storage {
    /// As `PixelFormat` describes it.
    case plain
    /// One after the other without a gap, the lowest bits first (PFNC's "p").
    case packed(bits: Int)
    /// Two samples in three bytes: the upper 8 bits of the first, the lower bits of both, the upper
    /// 8 bits of the second (GigE Vision's "Packed").
    case pairs(bits: Int)
  }

  let name: String
  /// The format of frames as they are passed on: packed samples are unpacked.
  let format: PixelFormat
  let storage: Storage
  let encoding: LumaChromaEncoding

  private init(
    _ name: String, _ format: PixelFormat, _ storage: Storage = .plain,
    encoding: LumaChromaEncoding = .default
  ) {
    self.name = name
    self.format = format
    self.storage = storage
    self.encoding = encoding
  }

  /// Returns the format with a name; `nil` if it cannot be read.
  init?(named name: String) {
    guard let found = Self.all.first(where: { $0.name == name }) else { return nil }
    self = found
  }

  /// Indicates whether its pictures have color.
  var hasColor: Bool { format.arrangement != .gray }

  /// Returns the length of a row in bytes, without padding; `nil` if rows do not end with a byte.
  func rowBytes(width: Int) -> Int? {
    switch storage {
    case .plain: return (try? FrameLayout(width: width, height: 2, format: format))?.bytesPerRow
    case .packed(let bits): return width * bits % 8 == 0 ? width * bits / 8 : nil
    case .pairs: return width % 2 == 0 ? width / 2 * 3 : nil
    }
  }

  /// The formats that can be read, the best first: the sensor's own samples with many bits, then
  /// packed ones, which are unpacked, then processed ones, and gray ones, which have no color.
  static let all: [NamedPixelFormat] =
    mosaics([12, 10, 14, 16, 8].map { ("\($0)", $0, .plain) })
    + mosaics([12, 10, 14].map { ("\($0)p", $0, .packed(bits: $0)) })
    + mosaics([12, 10].map { ("\($0)Packed", $0, .pairs(bits: $0)) })
    + [
      .init("RGB8", .rgb8), .init("BGR8", .bgr8), .init("RGB8Packed", .rgb8),
      .init("BGR8Packed", .bgr8), .init("RGBa8", .rgba8), .init("BGRa8", .bgra8),
    ]
    + lumaChroma
    + [8, 10, 12, 14, 16].map { .init("Mono\($0)", .gray(bits: $0)) }
    + [10, 12, 14].map { .init("Mono\($0)p", .gray(bits: $0), .packed(bits: $0)) }
    + [10, 12].map { .init("Mono\($0)Packed", .gray(bits: $0), .pairs(bits: $0)) }

  private static func mosaics(
    _ kinds: [(suffix: String, bits: Int, storage: Storage)]
  ) -> [NamedPixelFormat] {
    let orders: [(String, BayerPattern)] = [
      ("RG", .rggb), ("GR", .grbg), ("GB", .gbrg), ("BG", .bggr),
    ]
    return kinds.flatMap { kind in
      orders.map {
        .init("Bayer\($0.0)\(kind.suffix)", .bayer($0.1, bits: kind.bits), kind.storage)
      }
    }
  }

  /// Luma and chroma are those of BT.601 in full range, unless the name states another standard.
  private static let lumaChroma: [NamedPixelFormat] = {
    let full = LumaChromaEncoding(matrix: .bt601, range: .full)
    return [
      .init("YUV422_8", .subsampled(.yuyv), encoding: full),
      .init("YUV422_8_UYVY", .subsampled(.uyvy), encoding: full),
      .init("YUV422Packed", .subsampled(.uyvy), encoding: full),
      .init("YUV422_YUYV_Packed", .subsampled(.yuyv), encoding: full),
      .init("YCbCr422_8", .subsampled(.yuyv), encoding: full),
      .init(
        "YCbCr601_422_8", .subsampled(.yuyv), encoding: .init(matrix: .bt601, range: .limited)),
      .init(
        "YCbCr709_422_8", .subsampled(.yuyv), encoding: .init(matrix: .bt709, range: .limited)),
    ]
  }()
}
#endif
