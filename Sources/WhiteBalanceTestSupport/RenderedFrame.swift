import ColorScience
public import WhiteBalance

/// A frame that is filled with known linear values, pixel by pixel, by code that shares nothing
/// with the code that reads frames.
///
/// Values are rounded up or down to whole codes at random, so that means are kept for codes of any
/// width. Bytes between rows, and samples without a meaning, are random.
public struct RenderedFrame: Sendable {
  /// Pixel formats of every kind.
  public static let formats: [PixelFormat] =
    [
      .rgb8, .bgr8, .bgra8, .rgba8, .argb8, .rgb16, .rgba16, .bgra16, .rgbHalf, .rgbaHalf,
      .rgbFloat,
      .rgbaFloat, .gray(bits: 8), .gray(bits: 10), .gray(bits: 16),
    ]
    + [.yuyv, .uyvy, .nv12, .nv21, .yu12, .planar422, .planar440, .planar444].map {
      PixelFormat.subsampled($0)
    }
    + BayerPattern.allCases.flatMap { pattern in
      [8, 10, 12, 14, 16].map { PixelFormat.bayer(pattern, bits: $0) }
        + [10, 12, 14].map { PixelFormat.packedBayer(pattern, bits: $0) }
    }

  /// The geometry and the meaning of the codes.
  public let layout: FrameLayout
  /// The bytes of the frame.
  public private(set) var bytes: [UInt8]
  private var random: SeededRandom

  /// Creates a frame of random bytes. The seed also determines the rounding of later rendering.
  public init(_ layout: FrameLayout, seed: UInt64) {
    self.layout = layout
    bytes = [UInt8](repeating: 0, count: layout.byteCount)
    random = SeededRandom(seed: seed)
    for index in bytes.indices { bytes[index] = UInt8(truncatingIfNeeded: random.next()) }
  }

  /// The frame as rendered so far.
  public var frame: Frame { get throws { try Frame(layout: layout, bytes: bytes) } }

  /// Fills the frame with the linear red, green and blue of each pixel, with black 0 and white 1.
  public mutating func render(
    _ linear: (_ x: Int, _ y: Int, _ random: inout SeededRandom) -> SIMD3<Double>
  ) {
    if case .subsampled(let chroma) = layout.format.arrangement {
      return shareChroma(chroma, linear)
    }
    for y in 0..<layout.height {
      for x in 0..<layout.width {
        let value = linear(x, y, &random)
        store(SIMD3(code(value.x), code(value.y), code(value.z)), x, y)
      }
    }
  }

  private func code(_ linear: Double) -> Double {
    layout.blackLevel + layout.transfer.encoded(linear) * (layout.whiteLevel - layout.blackLevel)
  }

  private mutating func store(_ codes: SIMD3<Double>, _ x: Int, _ y: Int) {
    let start = y * layout.bytesPerRow
    switch layout.format.arrangement {
    case .interleaved(let red, let green, let blue, let samples):
      for (channel, offset) in [red, green, blue].enumerated() {
        put(codes[channel], start, x * samples + offset)
      }
    case .gray: put(codes.y, start, x)
    case .bayer(let pattern):
      let red = pattern.redPosition
      let (column, row) = (x % 2 == red.column, y % 2 == red.row)
      put(column && row ? codes.x : column || row ? codes.y : codes.z, start, x)
    case .subsampled: break
    }
  }

  /// Rounds a code up or down at random, so that means are kept.
  private mutating func whole(_ code: Double, most: Int) -> Int {
    max(0, min(most, Int((code + random.uniform()).rounded(.down))))
  }

  private mutating func put(_ code: Double, _ row: Int, _ index: Int) {
    let format = layout.format
    switch format.sample {
    case .unsigned(bits: 8): bytes[row + index] = UInt8(whole(code, most: 255))
    case .unsigned: putWord(UInt16(whole(code, most: format.maximumValue)), row + 2 * index)
    case .packed(let bits): putPacked(whole(code, most: format.maximumValue), bits, row, index)
    case .half: putWord(Self.binary16(code), row + 2 * index)
    case .float:
      let bits = Float(code).bitPattern
      putWord(UInt16(bits & 0xFFFF), row + 4 * index)
      putWord(UInt16(bits >> 16), row + 4 * index + 2)
    }
  }

  private mutating func putWord(_ word: UInt16, _ offset: Int) {
    bytes[offset] = UInt8(word & 255)
    bytes[offset + 1] = UInt8(word >> 8)
  }

  private mutating func putPacked(_ value: Int, _ bits: Int, _ row: Int, _ index: Int) {
    let (samples, rest) = (bits == 12 ? 2 : 4, bits - 8)
    let group = row + index / samples * samples * bits / 8
    bytes[group + index % samples] = UInt8(value >> rest)
    for bit in 0..<rest {
      let place = index % samples * rest + bit
      let byte = group + samples + place / 8
      let mask = UInt8(1) << UInt8(place % 8)
      bytes[byte] = value >> bit & 1 == 1 ? bytes[byte] | mask : bytes[byte] & ~mask
    }
  }

  /// Returns the half-precision number nearest to a positive normal number.
  static func binary16(_ value: Double) -> UInt16 {
    guard value > 0x1p-14 else { return 0 }
    let exponent = value.exponent
    let fraction = (value / Double(sign: .plus, exponent: exponent, significand: 1) - 1) * 1024
    return UInt16((Int(exponent) + 15) << 10 + Int(fraction.rounded()))
  }

  /// Stores luma for each pixel, and chroma for each group of pixels that share it.
  private mutating func shareChroma(
    _ chroma: PixelFormat.ChromaLayout, _ linear: (Int, Int, inout SeededRandom) -> SIMD3<Double>
  ) {
    // Table 3 of BT.601 and BT.709, from E′R, E′G, E′B in 0…1.
    let (red, blue) =
      switch layout.encoding.matrix {
      case .bt601: (0.299, 0.114)
      case .bt709: (0.2126, 0.0722)
      case .bt2020: (0.2627, 0.0593)
      }
    let isLimited = layout.encoding.range == .limited
    let rows = [.yuyv, .uyvy, .planar422, .planar444].contains(chroma) ? 1 : 2
    let columns = [.planar440, .planar444].contains(chroma) ? 1 : 2
    for y in stride(from: 0, to: layout.height, by: rows) {
      for x in stride(from: 0, to: layout.width, by: columns) {
        var (cb, cr) = (0.0, 0.0)
        // At odd edges, fewer pixels share it.
        let (right, bottom) = (min(x + columns, layout.width), min(y + rows, layout.height))
        let count = Double((right - x) * (bottom - y))
        for row in y..<bottom {
          for column in x..<right {
            let value = linear(column, row, &random)
            let coded = SIMD3(code(value.x), code(value.y), code(value.z)) / 255
            let luma = red * coded.x + (1 - red - blue) * coded.y + blue * coded.z
            cb += (coded.z - luma) / (2 * (1 - blue)) / count
            cr += (coded.x - luma) / (2 * (1 - red)) / count
            let code = whole(isLimited ? 16 + 219 * luma : 255 * luma, most: 255)
            let start = row * layout.bytesPerRow
            switch chroma {
            case .yuyv: bytes[start + 2 * column] = UInt8(code)
            case .uyvy: bytes[start + 2 * column + 1] = UInt8(code)
            case .nv12, .nv21, .yu12, .planar422, .planar440, .planar444:
              bytes[start + column] = UInt8(code)
            }
          }
        }
        // Shared chroma is the mean over its pixels.
        let scale = isLimited ? 224.0 : 255
        let u = UInt8(whole(128 + scale * cb, most: 255))
        let v = UInt8(whole(128 + scale * cr, most: 255))
        putChroma(chroma, u, v, x, y)
      }
    }
  }

  private mutating func putChroma(
    _ chroma: PixelFormat.ChromaLayout, _ u: UInt8, _ v: UInt8, _ x: Int, _ y: Int
  ) {
    func plane(_ index: Int, row: Int) -> Int {
      layout.chroma[index].offset + row * layout.chroma[index].bytesPerRow
    }
    let pair = y * layout.bytesPerRow + 2 * x
    switch chroma {
    case .yuyv: (bytes[pair + 1], bytes[pair + 3]) = (u, v)
    case .uyvy: (bytes[pair], bytes[pair + 2]) = (u, v)
    case .nv12: put(u, v, plane(0, row: y / 2) + x, plane(0, row: y / 2) + x + 1)
    case .nv21: put(v, u, plane(0, row: y / 2) + x, plane(0, row: y / 2) + x + 1)
    case .yu12: put(u, v, plane(0, row: y / 2) + x / 2, plane(1, row: y / 2) + x / 2)
    case .planar422: put(u, v, plane(0, row: y) + x / 2, plane(1, row: y) + x / 2)
    case .planar440: put(u, v, plane(0, row: y / 2) + x, plane(1, row: y / 2) + x)
    case .planar444: put(u, v, plane(0, row: y) + x, plane(1, row: y) + x)
    }
  }

  private mutating func put(_ first: UInt8, _ second: UInt8, _ place: Int, _ other: Int) {
    bytes[place] = first
    bytes[other] = second
  }
}
