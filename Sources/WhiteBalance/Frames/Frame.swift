public import ColorScience

/// The geometry and meaning of a frame's bytes. A span of bytes and a layout together are a view of
/// a frame that is owned elsewhere; `Frame` owns its bytes.
///
/// ```swift
/// // A camera's buffer, whose rows are aligned to 64 bytes; nothing is copied.
/// let buffer = [UInt8](repeating: 128, count: 3 * 128)
/// let layout = try FrameLayout(width: 30, height: 3, bytesPerRow: 128, format: .bgra8)
/// let statistics = try FrameStatistics(buffer.span, layout: layout)
/// assert(statistics.pixels.used == 90)
/// ```
public struct FrameLayout: Hashable, Sendable {
  /// A plane of chroma.
  public struct Plane: Hashable, Sendable, Codable {
    /// The offset of the first byte from the start of the frame.
    public var offset: Int
    /// The distance between the starts of two rows, in bytes.
    public var bytesPerRow: Int

    /// Creates a plane from its parts.
    public init(offset: Int, bytesPerRow: Int) {
      self.offset = offset
      self.bytesPerRow = bytesPerRow
    }
  }

  /// The number of pixels in a row.
  public let width: Int
  /// The number of rows.
  public let height: Int
  /// The distance between the starts of two rows, in bytes; of luma if chroma has its own planes.
  public let bytesPerRow: Int
  /// The order and type of the samples.
  public let format: PixelFormat
  /// The planes of chroma, if it has its own.
  public let chroma: [Plane]
  /// The stored value of black; if luma and chroma are stored, the value of the red, green and blue
  /// computed from them.
  public let blackLevel: Double
  /// The stored value at and above which a sample is clipped.
  public let whiteLevel: Double
  /// The function from stored values, scaled so that black is 0 and white 1, to linear light.
  public var transfer: TransferFunction
  /// The encoding of colors as luma and chroma, in formats that store them.
  public let encoding: LumaChromaEncoding
  /// The coarseness of the stored means of blocks, if the frame was compressed.
  public var blockRounding: BlockRounding?

  /// Creates a layout; no row may be shorter than its pixels, and white must be above black.
  ///
  /// Defaults: there is no gap between rows; the planes of chroma follow luma and each other, with
  /// rows as long as luma's, or half as long, rounded up; white is the format's largest value (1
  /// for floating-point formats); the transfer function is linear (sRGB for luma and chroma).
  ///
  /// - Throws: `FrameError` with the first condition that fails.
  public init(
    width: Int, height: Int, bytesPerRow: Int? = nil, format: PixelFormat, chroma: [Plane]? = nil,
    blackLevel: Double = 0, whiteLevel: Double? = nil, transfer: TransferFunction? = nil,
    encoding: LumaChromaEncoding = .default
  ) throws(FrameError) {
    guard width > 0, height > 0 else { throw .empty(width: width, height: height) }
    guard width <= 1 << 20, height <= 1 << 20 else { throw .tooLarge(width: width, height: height) }
    let (across, down) = format.granularity
    guard width % across == 0, height % down == 0 else {
      throw .granularity(width: width, height: height, across: across, down: down)
    }
    let needed = format.rowBytes(width: width)
    let stride = bytesPerRow ?? needed
    guard stride >= needed, stride <= 1 << 30 else {
      throw .badStride(bytesPerRow: stride, needed: needed)
    }
    let white = whiteLevel ?? Double(format.maximumValue)
    // No integer is below a white level of less than 1.
    guard blackLevel.isFinite, white.isFinite, blackLevel < white, !format.isInteger || white >= 1
    else { throw .levels(black: blackLevel, white: white) }
    let expected = Self.defaultChroma(format, bytesPerRow: stride, height: height)
    let planes = chroma ?? expected
    guard planes.count == expected.count else {
      throw .planes(given: planes.count, needed: expected.count)
    }
    let chromaBytes = format.chroma?.planeSize(width: width, height: height).columns ?? 0
    for plane in planes {
      guard plane.bytesPerRow >= chromaBytes, plane.bytesPerRow <= 1 << 30 else {
        throw .badStride(bytesPerRow: plane.bytesPerRow, needed: chromaBytes)
      }
      guard (0...1 << 50).contains(plane.offset) else { throw .planeOffset(plane.offset) }
    }
    self.width = width
    self.height = height
    self.bytesPerRow = stride
    self.format = format
    self.chroma = planes
    self.blackLevel = blackLevel
    self.whiteLevel = white
    self.transfer = transfer ?? (format.isSubsampled ? .sRGB : .linear)
    self.encoding = encoding
  }

  private static func defaultChroma(_ format: PixelFormat, bytesPerRow: Int, height: Int) -> [Plane]
  {
    guard let chroma = format.chroma else { return [] }
    let (stride, rows) = chroma.planeSize(width: bytesPerRow, height: height)
    return (0..<chroma.planeCount).map {
      Plane(offset: bytesPerRow * height + $0 * stride * rows, bytesPerRow: stride)
    }
  }

  /// Returns a layout of the same memory in which the given levels, transfer function and encoding
  /// are replaced.
  ///
  /// - Throws: `FrameError.levels` if the levels are out of order.
  public func replacing(
    blackLevel: Double? = nil, whiteLevel: Double? = nil, transfer: TransferFunction? = nil,
    encoding: LumaChromaEncoding? = nil
  ) throws(FrameError) -> FrameLayout {
    var layout = try FrameLayout(
      width: width, height: height, bytesPerRow: bytesPerRow, format: format, chroma: chroma,
      blackLevel: blackLevel ?? self.blackLevel, whiteLevel: whiteLevel ?? self.whiteLevel,
      transfer: transfer ?? self.transfer, encoding: encoding ?? self.encoding)
    layout.blockRounding = blockRounding
    return layout
  }

  /// Returns the layout of a number of rows of a frame with all colors in one plane.
  package func withRows(_ count: Int) throws(FrameError) -> FrameLayout {
    var layout = try FrameLayout(
      width: width, height: count, bytesPerRow: bytesPerRow, format: format,
      blackLevel: blackLevel, whiteLevel: whiteLevel, transfer: transfer, encoding: encoding)
    layout.blockRounding = blockRounding
    return layout
  }

  /// The number of bytes of a frame of this layout, without a gap after the last row of a plane.
  public var byteCount: Int {
    let luma = (height - 1) * bytesPerRow + format.rowBytes(width: width)
    guard let size = format.chroma?.planeSize(width: width, height: height) else { return luma }
    return chroma.reduce(luma) {
      max($0, $1.offset + (size.rows - 1) * $1.bytesPerRow + size.columns)
    }
  }

  /// Throws for a region that is empty or reaches outside the frame.
  package func require(_ region: PixelRectangle) throws(FrameError) {
    let unit = format.unit
    // Written so that no sum can overflow for any numbers.
    guard region.x >= 0, region.y >= 0, region.width >= unit.columns, region.height >= unit.rows,
      region.width <= width, region.height <= height,
      region.x <= width - region.width, region.y <= height - region.height
    else { throw .region(region, width: width, height: height) }
  }

  /// The whole frame.
  public var bounds: PixelRectangle { PixelRectangle(x: 0, y: 0, width: width, height: height) }
}

extension FrameLayout: Codable {
  private enum CodingKeys: String, CodingKey {
    case width, height, bytesPerRow, format, chroma, blackLevel, whiteLevel, transfer, encoding
    case blockRounding
  }

  /// Decodes and checks a layout; what is missing has the default of the initializer.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    func optional<Value: Decodable>(_ key: CodingKeys) throws -> Value? {
      try values.decodeIfPresent(Value.self, forKey: key)
    }
    do {
      self = try FrameLayout(
        width: values.decode(Int.self, forKey: .width),
        height: values.decode(Int.self, forKey: .height), bytesPerRow: optional(.bytesPerRow),
        format: values.decode(PixelFormat.self, forKey: .format), chroma: optional(.chroma),
        blackLevel: optional(.blackLevel) ?? 0, whiteLevel: optional(.whiteLevel),
        transfer: optional(.transfer), encoding: optional(.encoding) ?? .default)
    } catch let error as FrameError {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "\(error)"))
    }
    blockRounding = try optional(.blockRounding)
  }
}

/// A frame that owns its bytes. Two frames are equal if their layouts and all of their bytes are
/// equal, including those between rows and after the frame.
///
/// ```swift
/// let layout = try FrameLayout(width: 2, height: 2, format: .bayer(.rggb, bits: 8))
/// var frame = try Frame(layout: layout, bytes: [100, 200, 200, 50])
/// try frame.apply(Gains(red: 2, blue: 4))
/// assert(frame.bytes == [200, 200, 200, 200])
/// ```
public struct Frame: Hashable, Sendable {
  /// The geometry and meaning of `bytes`.
  public var layout: FrameLayout
  /// The pixels, row by row.
  public var bytes: [UInt8]

  /// Creates a frame; there must be enough bytes for the layout.
  ///
  /// - Throws: `FrameError.tooShort`.
  public init(layout: FrameLayout, bytes: [UInt8]) throws(FrameError) {
    guard bytes.count >= layout.byteCount else {
      throw .tooShort(bytes: bytes.count, needed: layout.byteCount)
    }
    self.layout = layout
    self.bytes = bytes
  }
}

/// A rectangle of whole pixels; the origin is at the upper left.
public struct PixelRectangle: Hashable, Sendable {
  /// The first column.
  public var x: Int
  /// The first row.
  public var y: Int
  /// The number of columns.
  public var width: Int
  /// The number of rows.
  public var height: Int

  /// Creates a rectangle; it need not lie inside any frame.
  public init(x: Int, y: Int, width: Int, height: Int) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }
}

/// An error in the description or the format of a frame.
public enum FrameError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A side is zero or negative.
  case empty(width: Int, height: Int)
  /// A side is above 2²⁰ pixels.
  case tooLarge(width: Int, height: Int)
  /// A side is not a multiple of the pixels that share chroma or are packed together.
  case granularity(width: Int, height: Int, across: Int, down: Int)
  /// Rows overlap, or the distance between them is above 1 GiB.
  case badStride(bytesPerRow: Int, needed: Int)
  /// The number of chroma planes is not that of the format.
  case planes(given: Int, needed: Int)
  /// The format does not store whole codes of each channel.
  case notWhole
  /// The pixels have no red, green and blue of their own.
  case colorless
  /// The samples have more than 8 bits, and the operation changes only samples of 8 bits.
  case depth(bits: Int)
  /// A plane of chroma starts before the frame or above 1 PiB.
  case planeOffset(Int)
  /// The levels are not finite, white is not above black, or the white level of an integer format
  /// is below 1.
  case levels(black: Double, white: Double)
  /// There are fewer bytes than the layout needs.
  case tooShort(bytes: Int, needed: Int)
  /// The rectangle is empty or reaches outside the frame.
  case region(PixelRectangle, width: Int, height: Int)

  /// A sentence that states the error.
  public var description: String {
    switch self {
    case .empty(let width, let height): "a frame of \(width)×\(height) pixels has no pixels"
    case .tooLarge(let width, let height):
      "a frame of \(width)×\(height) pixels exceeds 1048576 pixels a side"
    case .granularity(let width, let height, let across, let down):
      "\(width)×\(height) pixels are invalid in this format, whose width must be a multiple of "
        + "\(across) and whose height one of \(down)"
    case .notWhole:
      "black levels are measured from whole codes, which this format does not store for each "
        + "channel"
    case .colorless:
      "gains are applied to red, green and blue, which this format does not store; convert it first"
    case .depth(let bits):
      "only samples of 8 bits can be corrected, and these have \(bits); use another format"
    case .planeOffset(let offset): "a chroma plane cannot start at byte \(offset)"
    case .planes(let given, let needed):
      "the number of chroma planes must be \(needed), not \(given)"
    case .badStride(let stride, let needed):
      "a row cannot have \(stride) bytes; its pixels need \(needed)"
    case .levels(let black, let white):
      "the white level (\(white)) must be above the black level (\(black)), and at least 1 in "
        + "integer formats"
    case .tooShort(let bytes, let needed):
      "the frame has \(bytes) bytes; its size and format need \(needed)"
    case .region(let region, let width, let height):
      "the region \(region.x),\(region.y),\(region.width),\(region.height) is not inside the "
        + "\(width)×\(height) picture, or is smaller than a pixel (2×2 in a raw photograph)"
    }
  }
}
