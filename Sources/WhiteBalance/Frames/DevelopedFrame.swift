public import ColorScience

/// A picture made from a camera's frame by gains, a color conversion and a transfer function.
///
/// ```swift
/// import ColorScience
///
/// let layout = try FrameLayout(width: 2, height: 2, format: .bayer(.rggb, bits: 8))
/// let frame = try Frame(layout: layout, bytes: [60, 120, 120, 80])
/// let picture = try frame.developed(gains: Gains(red: 2, blue: 1.5))
/// // A cell of gray became a pixel of gray: 120/255 in the curve of sRGB.
/// assert(picture.frame.layout.width == 1)
/// assert(picture.frame.bytes[0..<2] == picture.frame.bytes[4..<6])
/// ```
public struct DevelopedFrame: Hashable, Sendable {
  /// The picture in 16-bit red, green and blue; each 2×2 cell of a color filter array became one
  /// pixel.
  public let frame: Frame
  /// The number of pixels of the picture.
  public let pixels: Int
  /// Pixels with a channel that came out above white and was set to white.
  public let clipped: Int
  /// Pixels with a channel that came out below −0.002 of white and was set to 0: their colors lie
  /// outside the color space.
  public let beyondSpace: Int
}

extension Frame {
  /// Converts the frame to a picture of red, green and blue.
  ///
  /// Samples that are clipped in the frame become as bright as the brightest sample of their pixel
  /// after the gains, so that a highlight whose other channels are neutral stays neutral.
  ///
  /// Error: a 16-bit code is within 1 of the exact one (`DevelopedFrameTests`). Complexity:
  /// O(pixels).
  ///
  /// - Parameters:
  ///   - gains: the factors of linear red, green and blue; they are not normalized.
  ///   - colors: the conversion from balanced red, green and blue to the picture's color space; it
  ///     maps (1, 1, 1) to itself if white is to stay white.
  ///   - transfer: the transfer function that encodes the picture's codes.
  /// - Precondition: the gains are positive and finite (`Gains.arePositiveAndFinite`).
  /// - Throws: `FrameError` if the frame is smaller than a cell.
  public func developed(
    gains: Gains = Gains(red: 1, blue: 1),
    colors: RootPolynomial = RootPolynomial(matrix: Matrix3x3(diagonal: SIMD3(1, 1, 1))),
    transfer: TransferFunction = .sRGB
  ) throws(FrameError) -> DevelopedFrame {
    precondition(gains.arePositiveAndFinite, "`gains` must be positive and finite")
    let samples = try LinearSamples(layout: layout, region: layout.bounds)
    let (columns, rows) = (samples.columns, samples.rows)
    let code = LightEncoder(transfer)
    let (red, green, blue) = matrixColumns(colors.matrix)
    let (redGreen, greenBlue, blueRed) = matrixColumns(colors.roots)
    let hasRoots = !colors.roots.elements.allSatisfy { $0 == 0 }
    let gains = SIMD3<Float>(gains.vector)
    var bytes = [UInt8](repeating: 0, count: columns * rows * 6)
    var (clipped, beyond) = (0, 0)
    let source = self.bytes.span
    var target = bytes.mutableSpan
    var place = 0
    for row in 0..<rows {
      for column in 0..<columns {
        let linear = samples.balanced(source, column: column, row: row, gains)
        var color = linear.x * red + linear.y * green + linear.z * blue
        if hasRoots {
          let linear = pointwiseMax(linear, .zero)
          let roots = (linear * SIMD3(linear.y, linear.z, linear.x)).squareRoot()
          color += roots.x * redGreen + roots.y * greenBlue + roots.z * blueRed
        }
        if color.max() > 1.000_01 { clipped += 1 }
        if color.min() < -0.002 { beyond += 1 }
        for channel in 0..<3 {
          let code = code(color[channel])
          target[place] = UInt8(truncatingIfNeeded: code.littleEndian)
          target[place + 1] = UInt8(truncatingIfNeeded: code.littleEndian >> 8)
          place += 2
        }
      }
    }
    let layout = try FrameLayout(width: columns, height: rows, format: .rgb16, transfer: transfer)
    return DevelopedFrame(
      frame: try Frame(layout: layout, bytes: bytes), pixels: columns * rows, clipped: clipped,
      beyondSpace: beyond)
  }
}

private func matrixColumns(
  _ matrix: Matrix3x3
) -> (SIMD3<Float>, SIMD3<Float>, SIMD3<Float>) {
  func column(_ unit: SIMD3<Double>) -> SIMD3<Float> { SIMD3<Float>(matrix * unit) }
  return (column(SIMD3(1, 0, 0)), column(SIMD3(0, 1, 0)), column(SIMD3(0, 0, 1)))
}

/// Encodes linear light from 0 to 1 in 16-bit codes.
private struct LightEncoder {
  private static let steps: Float = 8191
  private let codes: [Float]

  init(_ transfer: TransferFunction) {
    // The steps are finer where it is dark.
    codes = (0...Int(Self.steps)).map { step in
      let root = Double(step) / Double(Self.steps)
      return Float(65_535 * transfer.encoded(root * root))
    }
  }

  func callAsFunction(_ linear: Float) -> UInt16 {
    let place = min(max(linear, 0), 1).squareRoot() * Self.steps
    let index = min(Int(place), codes.count - 2)
    let share = place - Float(index)
    return UInt16(codes[index] + share * (codes[index + 1] - codes[index]) + 0.5)
  }
}

extension LinearSamples {
  /// A sample's linear light times the gains; clipped channels are as bright as the brightest one.
  fileprivate func balanced(
    _ bytes: Span<UInt8>, column: Int, row: Int, _ gains: SIMD3<Float>
  ) -> SIMD3<Float> {
    let codes = codes(bytes, column: column, row: row)
    let green = linear(code: codes.y)
    let linear =
      SIMD3(
        Float(linear(code: codes.x)),
        Float(codes.z == codes.y ? green : (green + linear(code: codes.z)) / 2),
        Float(linear(code: codes.w))) * gains
    guard codes.max() >= clippedFrom else { return linear }
    let brightest = linear.max()
    return SIMD3(
      codes.x >= clippedFrom ? brightest : linear.x,
      max(codes.y, codes.z) >= clippedFrom ? brightest : linear.y,
      codes.w >= clippedFrom ? brightest : linear.z)
  }
}
