import CWbcalFrameKernels
public import ColorScience

/// A change of colors in linear light, prepared for frames of one layout: gains of red, green and
/// blue, or any matrix, and the gains of a flat field.
///
/// A pixel is decoded to linear red, green and blue, multiplied by the gains of its place and by
/// the matrix, encoded again and rounded. Codes are whole numbers: if a change is small, a whole
/// surface would be rounded the same way, by up to half a code. Samples are therefore rounded up
/// and down by turns, in a pattern of 8 × 8 that is the same in every frame, so that means are not
/// rounded.
///
/// The result may have another layout of the same size: samples can move to separate planes, or
/// more or fewer pixels can share chroma, in the same pass. Where pixels share chroma, each pixel
/// is computed with the chroma that it has, and the stored chroma is the mean over the pixels that
/// share it.
///
/// Samples that were clipped become as bright as the brightest sample of their pixel
/// (`GainApplication.HighlightPolicy.neutral`), so that a highlight does not take on a color.
/// Negative values of red, green or blue, which noise and shared chroma produce, are kept down to
/// −white; codes above white become white.
///
/// ```swift
/// import ColorScience
///
/// func correct(_ bytes: [UInt8], layout: FrameLayout) throws -> [UInt8] {
///   let tint = Matrix3x3(diagonal: SIMD3(1.1, 1, 1.05))
///   let correction = try FrameCorrection(tint, layout: layout)
///   var result = [UInt8](repeating: 0, count: correction.output.byteCount)
///   var span = result.mutableSpan
///   try correction.apply(to: bytes.span, writingTo: &span)
///   return result
/// }
///
/// let layout = try FrameLayout(width: 2, height: 1, format: .subsampled(.yuyv))
/// let result = try correct([126, 128, 16, 128], layout: layout)
/// assert(result == [127, 128, 16, 130])
/// ```
///
/// Error: each sample is less than 1.5 codes from the exact result. The mean over 8 × 8 samples of
/// an even surface is within half a code, or a few hundredths of a code where colors vary
/// (`FrameCorrectionTests`). Complexity: O(width) to make, O(pixels) to apply.
public struct FrameCorrection: Sendable {
  /// The layout of the frames.
  public let layout: FrameLayout
  /// The layout of the corrected frames.
  public let output: FrameLayout
  /// The matrix by which linear red, green and blue are multiplied.
  public let matrix: Matrix3x3

  private let shading: MeshRows?
  private let decode, encode: [SIMD4<Float>]
  private let clippedFrom: Float
  /// The linear values of codes, and the codes of linear values, by their positions in the tables.
  private let linearValues, codes: [Float]
  /// The results at each position of red, then of green and of blue, if no channel depends on
  /// another; otherwise empty.
  private let direct: [Float]

  /// Prepares a matrix for frames of a layout.
  ///
  /// - Parameters:
  ///   - matrix: the matrix for linear red, green and blue; its elements are finite.
  ///   - shading: the gains that undo the shading of the lens, by default none.
  ///   - layout: the layout of the frames.
  ///   - output: the layout of the result, by default that of the frames. Its levels, transfer
  ///     function and encoding define its codes.
  /// - Precondition: both layouts have the same size.
  /// - Throws: `FrameError.colorless` for gray frames and those of color filter arrays, `depth` for
  ///   samples of more than 8 bits.
  public init(
    _ matrix: Matrix3x3, shading: GainMesh? = nil, layout: FrameLayout, output: FrameLayout? = nil
  ) throws(FrameError) {
    let output = output ?? layout
    precondition(
      (layout.width, layout.height) == (output.width, output.height), "the sizes must be equal")
    for format in [layout.format, output.format] {
      switch format.arrangement {
      case .gray, .bayer: throw .colorless
      case .interleaved, .subsampled: break
      }
      guard format.sample == .unsigned(bits: 8) else { throw .depth(bits: format.bitsPerSample) }
    }
    self.matrix = matrix
    self.shading = shading.map {
      MeshRows($0, times: Gains(red: 1, blue: 1), width: layout.width, height: layout.height)
    }
    self.layout = layout
    self.output = output
    // The position of a code in the tables is (code + 304) · 8, rounded down.
    decode = layout.samplesToCodes.map { SIMD4<Float>(8 * $0 + SIMD4(0, 0, 0, 2432.5)) }
    encode = output.codesToSamples.map { SIMD4<Float>($0) }
    let white = min(layout.whiteLevel, 255)
    // Luma and chroma are rounded, so that white may come out half a code lower.
    let clipped = layout.format.isSubsampled ? white - 0.5 : white.rounded(.up)
    clippedFrom = Float((clipped + 304) * 8 + 0.5)
    let range = layout.whiteLevel - layout.blackLevel
    let seen = (0..<WB_PLACES).map { position in
      let code = min(Double(position) / 8 - 304, white)
      return layout.transfer.linear((code - layout.blackLevel) / range)
    }
    linearValues = seen.map { Float($0) }
    codes = Self.codes(of: output)
    // A gain of at least 1 leaves a clipped channel white, and no channel is brighter than white.
    let gains = (0..<3).map { matrix.rows[$0][$0] }
    let isDirect =
      shading == nil && matrix == Matrix3x3(diagonal: SIMD3(gains))
      && gains.allSatisfy { $0 >= 1 }
    direct =
      isDirect
      ? gains.flatMap { gain in seen.map { Float(output.code(min(max(gain * $0, -1), 1))) } } : []
  }

  /// The codes of positive linear values, then of negative ones, each for the middle of the values
  /// that have the same upper bits.
  private static func codes(of layout: FrameLayout) -> [Float] {
    let count = WB_LIGHTS
    return [1.0, -1].flatMap { sign in
      (0..<count).map { index in
        let fraction = (Double(index % 256) + 0.5) / 256
        let size = Double(sign: .plus, exponent: index / 256 - 20, significand: 1 + fraction)
        let linear = index == 0 ? 0 : index == count - 1 ? 1 : size
        return Float(layout.code(sign * linear))
      }
    }
  }

  /// Writes a corrected frame to another buffer. The bytes of that buffer that belong to no color
  /// sample are not changed.
  ///
  /// - Throws: `FrameError.tooShort` if one of the buffers has too few bytes.
  public func apply(
    to bytes: Span<UInt8>, writingTo output: inout MutableSpan<UInt8>
  ) throws(FrameError) {
    for (count, layout) in [(bytes.count, layout), (output.count, self.output)]
    where count < layout.byteCount {
      throw .tooShort(bytes: count, needed: layout.byteCount)
    }
    unsafe bytes.withUnsafeBufferPointer { bytes in
      unsafe output.withUnsafeMutableBufferPointer { output in
        // The kernel does not write to its input.
        let input = unsafe UnsafeMutablePointer(mutating: bytes.baseAddress!)
        unsafe correct(input, output.baseAddress!)
      }
    }
  }

  private func correct(
    _ bytes: UnsafeMutablePointer<UInt8>, _ result: UnsafeMutablePointer<UInt8>
  ) {
    let (across, down) = output.sharing
    let groups = (output.width + across - 1) / across
    // The chroma of rows that share it is summed.
    var sums = [Float](repeating: 0, count: down == 1 ? 0 : 2 * groups)
    // The gains of a row: those of red, then of green and of blue.
    var gains = [Float](repeating: 0, count: shading == nil ? 0 : 3 * layout.width)
    unsafe withKernel { colors in
      unsafe sums.withUnsafeMutableBufferPointer { sums in
        for top in stride(from: 0, to: layout.height, by: down) {
          let rows = top..<min(top + down, layout.height)
          for row in rows {
            var (from, to) = unsafe (
              layout.kernelRow(row, of: bytes), output.kernelRow(row, of: result)
            )
            for channel in 0..<3 {
              shading?.fill(&gains, from: channel * layout.width, channel: channel, row: row)
            }
            unsafe gains.withUnsafeBufferPointer { gains in
              unsafe wb_correct(
                &from, &to, gains.isEmpty ? nil : gains.baseAddress,
                sums.isEmpty ? nil : sums.baseAddress, layout.width, &colors)
            }
          }
          guard !sums.isEmpty else { continue }
          var to = unsafe output.kernelRow(top, of: result)
          let share = 1 / Float(across * rows.count)
          unsafe wb_store_sums(sums.baseAddress, groups, share, &to, 1, &colors)
          unsafe wb_store_sums(sums.baseAddress! + groups, groups, share, &to, 2, &colors)
        }
      }
    }
  }

  private static let identity = Matrix3x3(diagonal: SIMD3(1, 1, 1))

  /// Passes the tables to the kernel.
  func withKernel(_ body: (inout wb_colors) -> Void) {
    typealias Row = (Float, Float, Float, Float)
    func rows(_ rows: [SIMD4<Float>]) -> (Row, Row, Row) {
      func row(_ index: Int) -> Row {
        (rows[index].x, rows[index].y, rows[index].z, rows[index].w)
      }
      return (row(0), row(1), row(2))
    }
    let change = matrix.rows.map { SIMD4<Float>(Float($0.x), Float($0.y), Float($0.z), 0) }
    unsafe linearValues.withUnsafeBufferPointer { linearValues in
      unsafe codes.withUnsafeBufferPointer { codes in
        unsafe direct.withUnsafeBufferPointer { direct in
          var colors = unsafe wb_colors(
            decode: rows(decode), change: rows(change), encode: rows(encode),
            clipped_from: clippedFrom, light: linearValues.baseAddress, codes: codes.baseAddress,
            direct: direct.isEmpty ? nil : direct.baseAddress,
            // Unchanged frames keep their codes.
            dithers: matrix == Self.identity && shading == nil && output == layout ? 0 : 1)
          unsafe body(&colors)
        }
      }
    }
  }
}

extension FrameLayout {
  /// The code of linear light.
  fileprivate func code(_ linear: Double) -> Double {
    blackLevel + (whiteLevel - blackLevel) * transfer.encoded(linear)
  }

  /// The columns and rows of pixels that share chroma.
  fileprivate var sharing: (columns: Int, rows: Int) { format.chroma?.sharing ?? (1, 1) }

  /// The matrix from samples, in the order of `kernelRow`, and 1 to the codes of red, green and
  /// blue.
  fileprivate var samplesToCodes: [SIMD4<Double>] {
    guard format.isSubsampled else { return Self.unchanged }
    let rows = encoding.rows
    return (0..<3).map { channel in
      let (cb, cr) = (rows.cb[channel], rows.cr[channel])
      return SIMD4(rows.luma, cb, cr, -rows.luma * Double(encoding.offset) - 128 * (cb + cr))
    }
  }

  /// The inverse: the matrix from the codes of red, green and blue, and the offsets of the samples.
  fileprivate var codesToSamples: [SIMD4<Double>] {
    guard format.isSubsampled else { return Self.unchanged }
    let rows = encoding.rows
    let matrix = Matrix3x3(columns: SIMD3(repeating: rows.luma), rows.cb, rows.cr)
    let offsets = [Double(encoding.offset), 128, 128]
    // Luma and two chromas always determine a color.
    return zip(matrix.inverse?.rows ?? [], offsets).map { SIMD4($0, $1) }
  }

  private static let unchanged: [SIMD4<Double>] = [
    SIMD4(1, 0, 0, 0), SIMD4(0, 1, 0, 0), SIMD4(0, 0, 1, 0),
  ]

  /// The addresses of a row's samples: red, green and blue, or luma, Cb and Cr.
  fileprivate func kernelRow(_ row: Int, of frame: UnsafeMutablePointer<UInt8>) -> wb_row {
    let start = row * bytesPerRow
    func made(_ a: Int, _ b: Int, _ c: Int, _ step: Int, _ sharedStep: Int) -> wb_row {
      unsafe wb_row(
        first: (frame + a, frame + b, frame + c),
        step: (Int32(step), Int32(sharedStep), Int32(sharedStep)), shared: Int32(sharing.columns),
        shared_rows: Int32(sharing.rows), row: Int32(row))
    }
    func plane(_ index: Int) -> Int {
      chroma[index].offset + row / sharing.rows * chroma[index].bytesPerRow
    }
    switch format.arrangement {
    case .interleaved(let red, let green, let blue, let samples):
      return made(start + red, start + green, start + blue, samples, samples)
    case .subsampled(.yuyv): return made(start, start + 1, start + 3, 2, 4)
    case .subsampled(.uyvy): return made(start + 1, start, start + 2, 2, 4)
    case .subsampled(.nv12): return made(start, plane(0), plane(0) + 1, 1, 2)
    case .subsampled(.nv21): return made(start, plane(0) + 1, plane(0), 1, 2)
    case .subsampled: return made(start, plane(0), plane(1), 1, 1)
    case .gray, .bayer: preconditionFailure("the frame has no colors")
    }
  }
}
