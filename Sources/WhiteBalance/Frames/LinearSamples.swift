import ColorScience

/// The pixels of a region, or its 2×2 cells of a color filter array, read as codes and as linear
/// light.
///
/// Every format is read as four codes: red, green, green, blue. The two greens differ only in a
/// color filter array. Luma and chroma are converted to codes of red, green and blue, which are not
/// whole numbers.
package struct LinearSamples {
  /// The number of pixels of one sample: 1, or the 4 of a cell.
  package let pixelsPerSample: Int
  /// The number of samples in a row of the region.
  package let columns: Int
  /// The number of rows of samples in the region.
  package let rows: Int
  /// The region that is read.
  let region: PixelRectangle
  let layout: FrameLayout
  /// The code at and above which a sample is clipped: that of white, or the format's largest if it
  /// is lower. For luma and chroma it is half a code lower, because they are rounded.
  let clippedFrom: Float
  /// The linear values of all integer codes, with black 0 and white 1; empty if codes are not
  /// whole.
  let linearValues: [Float]
  private let lumaChroma: (offset: Float, luma: Float, cb: SIMD3<Float>, cr: SIMD3<Float>)
  private let pattern: BayerPattern?
  private let bytePlaces: PixelFormat.BytePlaces?

  init(layout: FrameLayout, region: PixelRectangle) throws(FrameError) {
    try layout.require(region)
    let unit = layout.format.unit
    self.layout = layout
    self.region = region
    columns = region.width / unit.columns
    rows = region.height / unit.rows
    pixelsPerSample = unit.columns * unit.rows
    pattern =
      if case .bayer(let pattern) = layout.format.arrangement {
        pattern.shifted(columns: region.x, rows: region.y)
      } else { nil }
    bytePlaces = layout.format.bytePlaces
    let matrix = layout.encoding.rows
    lumaChroma = (
      Float(layout.encoding.offset), Float(matrix.luma), SIMD3(matrix.cb), SIMD3(matrix.cr)
    )
    if layout.format.isSubsampled {
      linearValues = []
      clippedFrom = Float(min(layout.whiteLevel, 255) - 0.5)
    } else if layout.format.isInteger {
      let largest = layout.format.maximumValue
      let range = layout.whiteLevel - layout.blackLevel
      linearValues = (0...largest).map {
        Float(layout.transfer.linear((Double($0) - layout.blackLevel) / range))
      }
      clippedFrom = Float(max(0, min(layout.whiteLevel.rounded(.up), Double(largest))))
    } else {
      linearValues = []
      clippedFrom = Float(layout.whiteLevel)
    }
  }

  /// Creates the samples of a region, or of the whole frame; throws if `bytes` has fewer bytes than
  /// the layout needs.
  package init(
    of bytes: Span<UInt8>, layout: FrameLayout, region: PixelRectangle?
  ) throws(FrameError) {
    guard bytes.count >= layout.byteCount else {
      throw .tooShort(bytes: bytes.count, needed: layout.byteCount)
    }
    try self.init(layout: layout, region: region ?? layout.bounds)
  }

  /// The columns and rows from the middle of a sample to its red pixel; blue lies opposite. Zero in
  /// all formats but a color filter array.
  var redOffset: SIMD2<Double> {
    guard let red = pattern?.redPosition else { return .zero }
    return SIMD2(Double(red.column) - 0.5, Double(red.row) - 0.5)
  }

  /// Returns the linear value of a code.
  func linear(_ code: Double) -> Double {
    layout.transfer.linear((code - layout.blackLevel) / (layout.whiteLevel - layout.blackLevel))
  }

  /// Returns the linear value of a code, from the table if codes are integers.
  func linear(code: Float) -> Double {
    linearValues.isEmpty ? linear(Double(code)) : Double(linearValues[Int(code)])
  }

  /// Returns the lowest code whose linear value is above a level, or a number just above that code
  /// if codes are not whole.
  func firstCode(above level: Double) -> Float {
    let range = layout.whiteLevel - layout.blackLevel
    let code = Float(layout.blackLevel + range * layout.transfer.encoded(level))
    guard !linearValues.isEmpty else { return code.nextUp }
    var first = Int(max(0, min(code, Float(linearValues.count - 1))))
    while first > 0, linearValues[first - 1] > Float(level) { first -= 1 }
    while first < linearValues.count, linearValues[first] <= Float(level) { first += 1 }
    return Float(first)
  }

  /// Returns the difference in linear light between two codes that are `step` apart, centered on a
  /// code.
  func codeStep(_ code: Double, step: Double) -> Double {
    linear(code + step / 2) - linear(code - step / 2)
  }

  /// Returns a sample's linear light, and `true` if one of its channels is clipped.
  @inline(__always) package func sample(
    _ bytes: Span<UInt8>, column: Int, row: Int
  ) -> (linear: SIMD3<Float>, isClipped: Bool) {
    let codes = codes(bytes, column: column, row: row)
    func linear(_ code: Float) -> Float { Float(self.linear(code: code)) }
    let green = linear(codes.y)
    let linear = SIMD3(
      linear(codes.x), codes.z == codes.y ? green : (green + linear(codes.z)) / 2, linear(codes.w))
    return (linear, !all(codes .< SIMD4(repeating: clippedFrom)))
  }

  /// Returns the codes of red, green, green and blue in a column and row of the region.
  @inline(__always) func codes(
    _ bytes: Span<UInt8>, column: Int, row: Int
  ) -> SIMD4<Float> {
    if let places = bytePlaces {
      let start = (region.y + row) * layout.bytesPerRow + (region.x + column) * places.step
      let green = Float(bytes[start + places.green])
      return SIMD4(
        Float(bytes[start + places.red]), green, green, Float(bytes[start + places.blue]))
    }
    switch layout.format.arrangement {
    case .interleaved(let red, let green, let blue, let samples):
      let start = (region.y + row) * layout.bytesPerRow
      let first = (region.x + column) * samples
      let g = number(bytes, start, first + green)
      return SIMD4(number(bytes, start, first + red), g, g, number(bytes, start, first + blue))
    case .gray:
      let value = number(bytes, (region.y + row) * layout.bytesPerRow, region.x + column)
      return SIMD4(repeating: value)
    case .bayer:
      let at = (pattern ?? .rggb).redPosition
      let (x, y) = (region.x + 2 * column, region.y + 2 * row)
      let red = (y + at.row) * layout.bytesPerRow
      let blue = (y + 1 - at.row) * layout.bytesPerRow
      return SIMD4(
        number(bytes, red, x + at.column), number(bytes, red, x + 1 - at.column),
        number(bytes, blue, x + at.column), number(bytes, blue, x + 1 - at.column))
    case .subsampled(let chroma):
      let (y, cb, cr) = lumaAndChroma(bytes, chroma, x: region.x + column, y: region.y + row)
      let level = (Float(y) - lumaChroma.offset) * lumaChroma.luma
      let (blue, red) = ((Float(cb) - 128) * lumaChroma.cb, (Float(cr) - 128) * lumaChroma.cr)
      let rgb = level + blue + red
      return SIMD4(rgb.x, rgb.y, rgb.y, rgb.z)
    }
  }

  /// Returns the stored luma and chroma of a pixel.
  func lumaAndChroma(
    _ bytes: Span<UInt8>, _ chroma: PixelFormat.ChromaLayout, x: Int, y: Int
  ) -> (y: UInt8, cb: UInt8, cr: UInt8) {
    let row = y * layout.bytesPerRow
    let (across, down) = chroma.sharing
    func plane(_ index: Int, _ position: Int) -> UInt8 {
      bytes[layout.chroma[index].offset + y / down * layout.chroma[index].bytesPerRow + position]
    }
    let pair = row + x / 2 * 4
    switch chroma {
    case .yuyv: return (bytes[row + 2 * x], bytes[pair + 1], bytes[pair + 3])
    case .uyvy: return (bytes[row + 2 * x + 1], bytes[pair], bytes[pair + 2])
    case .nv12: return (bytes[row + x], plane(0, x / 2 * 2), plane(0, x / 2 * 2 + 1))
    case .nv21: return (bytes[row + x], plane(0, x / 2 * 2 + 1), plane(0, x / 2 * 2))
    case .yu12, .planar422, .planar440, .planar444:
      return (bytes[row + x], plane(0, x / across), plane(1, x / across))
    }
  }

  /// Returns the value of a sample; `index` counts samples from the start of a row.
  @inline(__always) private func number(
    _ bytes: Span<UInt8>, _ row: Int, _ index: Int
  ) -> Float {
    layout.format.isInteger
      ? Float(layout.format.code(bytes, row: row, index: index))
      : layout.format.number(bytes, row: row, index: index)
  }

  /// Returns the value of a binary16 from its bits: `Float16` does not exist on every platform.
  static func binary32(_ bits: UInt16) -> Float {
    let sign: UInt32 = UInt32(bits & 0x8000) << 16
    let magnitude = UInt32(bits & 0x7FFF)
    if magnitude >= 0x7C00 {
      return Float(bitPattern: sign | 0x7F80_0000 | (magnitude & 0x3FF) << 13)
    }
    // The multiplication corrects the exponent and normalizes subnormal numbers.
    let value =
      Float(bitPattern: magnitude << 13) * Float(sign: .plus, exponent: 112, significand: 1)
    return sign == 0 ? value : -value
  }

  /// Returns the bits of the nearest binary16, the even one of two equally near; infinity from
  /// 65,520 on.
  static func binary16(_ value: Float) -> UInt16 {
    let bits = value.bitPattern
    let sign = UInt16(bits >> 16) & 0x8000
    let magnitude = bits & 0x7FFF_FFFF
    if magnitude > 0x7F80_0000 { return sign | 0x7E00 }
    if magnitude >= 0x477F_F000 { return sign | 0x7C00 }
    if magnitude < 0x3880_0000 {
      // A subnormal result: adding 1/2 shifts the bits that are kept to the end.
      let sum = Float(bitPattern: magnitude) + 0.5
      return sign | UInt16(sum.bitPattern - Float(0.5).bitPattern)
    }
    let rounded = magnitude + 0xFFF + (magnitude >> 13 & 1)
    return sign | UInt16((rounded - 0x3800_0000) >> 13)
  }
}
