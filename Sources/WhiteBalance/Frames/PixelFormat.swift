/// The order of a frame's samples, and their number type.
public struct PixelFormat: Hashable, Sendable, CustomStringConvertible {
  /// The order of the samples.
  public enum Arrangement: Hashable, Sendable {
    /// Every pixel has red, green and blue; the offsets count samples from the start of the pixel.
    case interleaved(red: Int, green: Int, blue: Int, samplesPerPixel: Int)
    /// Every pixel has one sample, in the repeating 2×2 pattern of a color filter array.
    case bayer(BayerPattern)
    /// Every pixel has one sample, which is not a color.
    case gray
    /// Every pixel has luma; one, two or four pixels share chroma.
    case subsampled(ChromaLayout)
  }

  /// The places of luma and of the two chroma samples.
  public enum ChromaLayout: String, CaseIterable, Hashable, Sendable, Codable {
    /// Y, Cb, Y, Cr: 4:2:2 in one plane.
    case yuyv
    /// Cb, Y, Cr, Y: 4:2:2 in one plane.
    case uyvy
    /// A plane of luma and one of Cb, Cr pairs: 4:2:0.
    case nv12
    /// A plane of luma and one of Cr, Cb pairs: 4:2:0.
    case nv21
    /// A plane of luma, one of Cb and one of Cr: 4:2:0.
    case yu12
    /// A plane of luma, one of Cb and one of Cr: 4:2:2.
    case planar422
    /// A plane of luma, one of Cb and one of Cr: 4:4:0, two rows share chroma.
    case planar440
    /// A plane of luma, one of Cb and one of Cr: 4:4:4.
    case planar444

    /// The columns and rows of pixels that share chroma; at the right and lower edges of separate
    /// planes there may be fewer.
    public var sharing: (columns: Int, rows: Int) {
      switch self {
      case .yuyv, .uyvy, .planar422: (2, 1)
      case .nv12, .nv21, .yu12: (2, 2)
      case .planar440: (1, 2)
      case .planar444: (1, 1)
      }
    }

    /// The number of planes of chroma in addition to that of luma.
    var planeCount: Int {
      switch self {
      case .yuyv, .uyvy: 0
      case .nv12, .nv21: 1
      case .yu12, .planar422, .planar440, .planar444: 2
      }
    }

    /// The number of samples in a row of a plane of chroma, and its number of rows.
    package func planeSize(width: Int, height: Int) -> (columns: Int, rows: Int) {
      let samples = (width + sharing.columns - 1) / sharing.columns
      return (
        planeCount == 1 ? 2 * samples : samples, (height + sharing.rows - 1) / sharing.rows
      )
    }
  }

  /// The number type of samples.
  public enum Sample: Hashable, Sendable {
    /// An integer of 8…16 bits: in one byte if it has 8, otherwise in the low bits of two,
    /// little-endian.
    case unsigned(bits: Int)
    /// An integer of 10, 12 or 14 bits, packed as in MIPI CSI-2: the upper 8 bits of 4, 2 or 4
    /// samples, a byte each, then the lower bits of all of them, those of the first sample in the
    /// lowest bits.
    case packed(bits: Int)
    /// IEC 60559 binary16, little-endian.
    case half
    /// IEC 60559 binary32, little-endian.
    case float
  }

  /// The order of the samples.
  public let arrangement: Arrangement
  /// The number type of the samples.
  public let sample: Sample

  /// The order and the number type of the samples, such as "RGB, 8 bits".
  public var description: String {
    let order =
      switch arrangement {
      case .interleaved(let red, let green, let blue, let count):
        String((0..<count).map { $0 == red ? "R" : $0 == green ? "G" : $0 == blue ? "B" : "X" })
      case .bayer(let pattern): "Bayer \(pattern.rawValue)"
      case .gray: "gray"
      case .subsampled(let chroma): "\(chroma)"
      }
    return switch sample {
    case .unsigned(let bits): "\(order), \(bits) bits"
    case .packed(let bits): "\(order), \(bits) bits packed"
    case .half, .float: "\(order), binary\(bitsPerSample)"
    }
  }

  /// The number of significant bits of a sample.
  public var bitsPerSample: Int {
    switch sample {
    case .unsigned(let bits), .packed(let bits): bits
    case .half: 16
    case .float: 32
    }
  }

  /// The number of bytes of a sample, rounded up if samples are packed.
  public var bytesPerSample: Int { (bitsPerSample + 7) / 8 }

  /// The largest value of an integer sample; 1, which is white by convention, for other samples.
  public var maximumValue: Int {
    switch sample {
    case .unsigned(let bits), .packed(let bits): 1 << bits - 1
    case .half, .float: 1
    }
  }

  /// `true` if samples are integers.
  public var isInteger: Bool { sample != .half && sample != .float }

  /// The number of samples in a pixel; if chroma has its own planes, in a pixel of luma's plane.
  public var samplesPerPixel: Int {
    switch arrangement {
    case .interleaved(_, _, _, let samples): samples
    case .subsampled(.yuyv), .subsampled(.uyvy): 2
    case .bayer, .gray, .subsampled: 1
    }
  }

  /// The columns and rows of the smallest part of a frame that has red, green and blue.
  public var unit: (columns: Int, rows: Int) {
    switch arrangement {
    case .bayer: (2, 2)
    case .interleaved, .gray, .subsampled: (1, 1)
    }
  }

  var isSubsampled: Bool { chroma != nil }

  /// The offsets of a pixel's red, green and blue bytes, and the distance between pixels.
  struct BytePlaces { let red, green, blue, step: Int }

  /// The places of red, green and blue if every pixel has its own, of 8 bits.
  var bytePlaces: BytePlaces? {
    guard case .interleaved(let red, let green, let blue, let step) = arrangement,
      sample == .unsigned(bits: 8)
    else { return nil }
    return BytePlaces(red: red, green: green, blue: blue, step: step)
  }

  /// The places of luma and chroma, in formats that store them.
  var chroma: ChromaLayout? {
    if case .subsampled(let chroma) = arrangement { chroma } else { nil }
  }

  /// The numbers of pixels of which a frame's width and height must be multiples.
  var granularity: (columns: Int, rows: Int) {
    switch (arrangement, sample) {
    case (_, .packed(12)): (2, 1)
    case (_, .packed): (4, 1)
    // The sizes of separate planes of Cb and Cr are rounded up.
    case (.subsampled(let chroma), _) where chroma.planeCount < 2: chroma.sharing
    default: (1, 1)
    }
  }

  /// Returns the bytes of a row of `width` pixels; if chroma has its own planes, of a row of luma.
  func rowBytes(width: Int) -> Int {
    if case .packed(let bits) = sample { return width * samplesPerPixel * bits / 8 }
    return width * samplesPerPixel * bytesPerSample
  }

  /// Red, green, blue, 8 bits each (V4L2 `RGB3`).
  public static let rgb8 = interleaved(0, 1, 2, of: 3, .unsigned(bits: 8))
  /// Blue, green, red, 8 bits each (V4L2 `BGR3`).
  public static let bgr8 = interleaved(2, 1, 0, of: 3, .unsigned(bits: 8))
  /// Blue, green, red, 8 bits each, and one sample that is ignored (AVFoundation's `32BGRA`, V4L2
  /// `XR24`, `AR24`).
  public static let bgra8 = interleaved(2, 1, 0, of: 4, .unsigned(bits: 8))
  /// Red, green, blue and one sample that is ignored, 8 bits each.
  public static let rgba8 = interleaved(0, 1, 2, of: 4, .unsigned(bits: 8))
  /// One sample that is ignored and red, green, blue, 8 bits each.
  public static let argb8 = interleaved(1, 2, 3, of: 4, .unsigned(bits: 8))
  /// Red, green, blue, 16 bits each.
  public static let rgb16 = interleaved(0, 1, 2, of: 3, .unsigned(bits: 16))
  /// Red, green, blue and one sample that is ignored, 16 bits each.
  public static let rgba16 = interleaved(0, 1, 2, of: 4, .unsigned(bits: 16))
  /// Blue, green, red and one sample that is ignored, 16 bits each.
  public static let bgra16 = interleaved(2, 1, 0, of: 4, .unsigned(bits: 16))
  /// Red, green, blue as binary16.
  public static let rgbHalf = interleaved(0, 1, 2, of: 3, .half)
  /// Red, green, blue and one sample that is ignored as binary16.
  public static let rgbaHalf = interleaved(0, 1, 2, of: 4, .half)
  /// Red, green, blue as binary32.
  public static let rgbFloat = interleaved(0, 1, 2, of: 3, .float)
  /// Red, green, blue and one sample that is ignored as binary32.
  public static let rgbaFloat = interleaved(0, 1, 2, of: 4, .float)

  /// A color filter array of 8…16 bits, not packed.
  public static func bayer(_ pattern: BayerPattern, bits: Int) -> PixelFormat {
    precondition((8...16).contains(bits), "Bayer samples must have 8 to 16 bits")
    return PixelFormat(arrangement: .bayer(pattern), sample: .unsigned(bits: bits))
  }

  /// A color filter array of 10, 12 or 14 bits, packed as in MIPI CSI-2.
  public static func packedBayer(_ pattern: BayerPattern, bits: Int) -> PixelFormat {
    precondition([10, 12, 14].contains(bits), "packed Bayer samples must have 10, 12 or 14 bits")
    return PixelFormat(arrangement: .bayer(pattern), sample: .packed(bits: bits))
  }

  /// Gray of 8…16 bits.
  public static func gray(bits: Int) -> PixelFormat {
    precondition((8...16).contains(bits), "gray samples must have 8 to 16 bits")
    return PixelFormat(arrangement: .gray, sample: .unsigned(bits: bits))
  }

  /// Luma and chroma of 8 bits.
  public static func subsampled(_ layout: ChromaLayout) -> PixelFormat {
    PixelFormat(arrangement: .subsampled(layout), sample: .unsigned(bits: 8))
  }

  private static func interleaved(
    _ red: Int, _ green: Int, _ blue: Int, of samples: Int, _ sample: Sample
  ) -> PixelFormat {
    PixelFormat(
      arrangement: .interleaved(red: red, green: green, blue: blue, samplesPerPixel: samples),
      sample: sample)
  }
}

extension PixelFormat: Codable {
  /// All formats.
  static let all: [PixelFormat] =
    [
      rgb8, bgr8, bgra8, rgba8, argb8, rgb16, rgba16, bgra16, rgbHalf, rgbaHalf, rgbFloat,
      rgbaFloat,
    ]
    + BayerPattern.allCases.flatMap { pattern in
      (8...16).map { bayer(pattern, bits: $0) }
        + [10, 12, 14].map { packedBayer(pattern, bits: $0) }
    } + (8...16).map { gray(bits: $0) } + ChromaLayout.allCases.map { subsampled($0) }

  /// Encodes the format as its description, such as "RGB, 8 bits".
  public func encode(to encoder: any Encoder) throws { try description.encode(to: encoder) }

  /// Decodes a description.
  public init(from decoder: any Decoder) throws {
    let name = try String(from: decoder)
    guard let format = Self.all.first(where: { $0.description == name }) else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "there is no format '\(name)'"))
    }
    self = format
  }
}
