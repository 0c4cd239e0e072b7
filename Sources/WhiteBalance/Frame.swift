public import ColorScience

/// The geometry and meaning of a frame's bytes.
public struct FrameLayout: Hashable, Sendable {
  /// Pixels in a row.
  public let width: Int
  /// Rows.
  public let height: Int
  /// Distance between the starts of two rows, in bytes.
  public let bytesPerRow: Int
  /// Where the samples lie.
  public let format: PixelFormat
  /// The stored value of no light at all.
  public let blackLevel: Double
  /// The stored value at and above which a sample is clipped.
  public let whiteLevel: Double
  /// From stored values, scaled so that black is 0 and white 1, to linear light.
  public let transfer: TransferFunction

  /// A layout that has been checked: no row is shorter than its pixels, white is above black.
  ///
  /// - Parameters:
  ///   - bytesPerRow: the pixels of a row, without gap, if left out.
  ///   - whiteLevel: the largest value of the format if left out.
  /// - Throws: `FrameError` with the first condition that fails.
  public init(
    width: Int, height: Int, bytesPerRow: Int? = nil, format: PixelFormat,
    blackLevel: Double = 0, whiteLevel: Double? = nil, transfer: TransferFunction = .linear
  ) throws(FrameError) {
    guard width > 0, height > 0 else { throw .empty(width: width, height: height) }
    guard width <= 1 << 20, height <= 1 << 20 else {
      throw .tooLarge(width: width, height: height)
    }
    let needed = width * format.samplesPerPixel * format.bytesPerSample
    let stride = bytesPerRow ?? needed
    guard stride >= needed, stride <= 1 << 30 else {
      throw .badStride(bytesPerRow: stride, needed: needed)
    }
    let white = whiteLevel ?? Double(format.maximumValue)
    guard blackLevel.isFinite, white.isFinite, blackLevel < white else {
      throw .levels(black: blackLevel, white: white)
    }
    self.width = width
    self.height = height
    self.bytesPerRow = stride
    self.format = format
    self.blackLevel = blackLevel
    self.whiteLevel = white
    self.transfer = transfer
  }

  /// Bytes that a frame of this layout occupies; the last row may stop after its last pixel.
  public var byteCount: Int {
    (height - 1) * bytesPerRow + width * format.samplesPerPixel * format.bytesPerSample
  }

  /// The whole frame.
  public var bounds: PixelRectangle { PixelRectangle(x: 0, y: 0, width: width, height: height) }
}

/// A frame that owns its bytes.
public struct Frame: Sendable {
  /// The geometry and meaning of `bytes`.
  public var layout: FrameLayout
  /// The pixels, row by row.
  public var bytes: [UInt8]

  /// A frame whose bytes are enough for its layout.
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

/// A rectangle of whole pixels, its origin at the upper left.
public struct PixelRectangle: Hashable, Sendable {
  /// The first column.
  public var x: Int
  /// The first row.
  public var y: Int
  /// Columns.
  public var width: Int
  /// Rows.
  public var height: Int

  /// A rectangle; it need not lie inside any frame.
  public init(x: Int, y: Int, width: Int, height: Int) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }
}

/// What is wrong with a frame's description.
public enum FrameError: Error, Hashable, Sendable {
  /// A side is zero or negative.
  case empty(width: Int, height: Int)
  /// A side is above 2²⁰ pixels.
  case tooLarge(width: Int, height: Int)
  /// Rows would overlap, or the distance between them is above 1 GiB.
  case badStride(bytesPerRow: Int, needed: Int)
  /// The white level must be above the black level, both finite.
  case levels(black: Double, white: Double)
  /// There are fewer bytes than the geometry says.
  case tooShort(bytes: Int, needed: Int)
  /// The rectangle is empty or reaches outside the frame.
  case region(PixelRectangle, width: Int, height: Int)
}

extension FrameError: CustomStringConvertible {
  /// One sentence that says what is wrong.
  public var description: String {
    switch self {
    case .empty(let width, let height): "a frame of \(width)×\(height) pixels has no pixels"
    case .tooLarge(let width, let height):
      "a frame of \(width)×\(height) pixels is larger than 1048576 pixels a side"
    case .badStride(let stride, let needed):
      "a row of \(stride) bytes does not fit its pixels, which need \(needed)"
    case .levels(let black, let white):
      "the white level (\(white)) is not above the black level (\(black))"
    case .tooShort(let bytes, let needed):
      "the frame has \(bytes) bytes; its size and format need \(needed)"
    case .region(let region, let width, let height):
      "the region \(region.x),\(region.y),\(region.width),\(region.height) is not inside the "
        + "\(width)×\(height) picture, or smaller than a pixel (2×2 in a raw photograph)"
    }
  }
}
