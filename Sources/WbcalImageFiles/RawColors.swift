#if RawPhotographs
import CWbcalLibRaw
import ColorScience
import WhiteBalance

/// A raw photograph as red, green and blue of 16 bits, without interpolation.
///
/// If every pixel of a DNG file has all colors, these are used. If levels differ between the
/// colors, all are scaled to one black and one white level. For an X-Trans sensor, each pixel has
/// the means of 3×3 pixels, of which two are red, five green and two blue: regions keep their
/// positions, and extend up to two pixels further. A mean is clipped if one of its samples is.
struct RawColors {
  private var codes: [UInt16]
  private let layout: FrameLayout

  init(
    _ photograph: borrowing RawPhotograph, colors: RawPhotograph.Colors,
    samples: UnsafeMutableBufferPointer<UInt16>, stride: Int, step: Int, directory: RawDirectory?,
    blacks: RawBlackLevels
  ) throws(ImageFileProblem) {
    let (width, height) = photograph.visibleSize
    guard width * height <= 1 << 28, width >= 3, height >= 3 else {
      throw .tooLarge(.raw, width: width, height: height)
    }
    var levels = (black: Double(blacks.highest), white: photograph.whiteLevel)
    codes = [UInt16](repeating: 0, count: 3 * width * height)
    if case .xTrans(let pattern) = colors {
      guard step == 1 else {
        throw .unsupported(.raw, "it does not store one integer per pixel")
      }
      for row in 0..<height where !blacks.areEqual {
        unsafe blacks.level(
          UnsafeMutableBufferPointer(rebasing: samples[row * stride..<row * stride + width]),
          row: row)
      }
      unsafe Self.average(
        photograph, pattern, samples, stride: stride, white: levels.white, into: &codes)
    } else {
      guard step >= 3, let directory else {
        throw .unsupported(.raw, "its pixels do not store three colors")
      }
      levels = try unsafe Self.take(
        samples, stride: stride, step: step, width: width, height: height, of: directory,
        into: &codes)
    }
    do {
      layout = try FrameLayout(
        width: width, height: height, format: .rgb16, blackLevel: levels.black,
        whiteLevel: levels.white)
    } catch { throw .corrupt(.raw, "\(error)") }
    for opcode in directory?.opcodes ?? [] {
      for plane in 0..<3 where opcode.planes.contains(plane) {
        unsafe codes.withUnsafeMutableBufferPointer {
          unsafe RawReader.apply(
            opcode, plane: plane, to: $0, stride: 3 * width, step: 3, layout: layout)
        }
      }
    }
  }

  /// Converts pixels that have all colors to codes, and returns the black and white levels.
  private static func take(
    _ samples: UnsafeMutableBufferPointer<UInt16>, stride: Int, step: Int, width: Int, height: Int,
    of directory: RawDirectory, into codes: inout [UInt16]
  ) throws(ImageFileProblem) -> (black: Double, white: Double) {
    let own = directory.levels?.count == 3 ? directory.levels : nil
    let areEqual = own.map { own in own.allSatisfy { $0 == own[0] } } ?? false
    let isFine = directory.needsFineCodes || !areEqual
    let pixels =
      own == nil
      ? try RawReader.pixelLevels(of: directory, width: width, height: height) : nil
    let isSRGB = if case .decodedAsSRGB = directory.lossy { true } else { false }
    for row in 0..<height {
      for column in 0..<width {
        for plane in 0..<3 {
          let sample = unsafe samples[row * stride + column * step + plane]
          let code: UInt16
          if isSRGB {
            let light = TransferFunction.sRGB.encoded(Double(sample) / 65_535)
            code = UInt16(min((light * 255).rounded(), 255) * 257)
          } else if !isFine {
            code = sample
          } else {
            let levels =
              pixels?.levels(row: row, column: column, sample: plane) ?? own?[plane]
              ?? RawReader.codes
            code = RawReader.code(Double(sample), levels)
          }
          codes[3 * (row * width + column) + plane] = code
        }
      }
    }
    return isFine ? RawReader.codes : own?[0] ?? RawReader.codes
  }

  func withPixels<Result>(_ body: (Span<UInt8>, FrameLayout) -> Result) -> Result {
    unsafe codes.withUnsafeBytes { bytes in
      unsafe bytes.withMemoryRebound(to: UInt8.self) { unsafe body($0.span, layout) }
    }
  }

  /// Computes the means of each 3×3 pixels; those at the right and lower edges overlap their
  /// neighbors.
  private static func average(
    _ photograph: borrowing RawPhotograph, _ pattern: [Int],
    _ samples: UnsafeMutableBufferPointer<UInt16>, stride: Int, white: Double,
    into codes: inout [UInt16]
  ) {
    let (width, height) = photograph.visibleSize
    let clipped = UInt16(clamping: Int(white.rounded(.up)))
    for top in Swift.stride(from: 0, to: height, by: 3) {
      for left in Swift.stride(from: 0, to: width, by: 3) {
        let (firstRow, firstColumn) = (min(top, height - 3), min(left, width - 3))
        var sums = SIMD4<Int>.zero
        var counts = SIMD4<Int>.zero
        var most = SIMD4<UInt16>.zero
        for row in firstRow..<firstRow + 3 {
          for column in firstColumn..<firstColumn + 3 {
            let color = pattern[row % 6 * 6 + column % 6]
            let code = unsafe samples[row * stride + column]
            sums[color] += Int(code)
            counts[color] += 1
            most[color] = max(most[color], code)
          }
        }
        for color in 0..<3 {
          let mean = counts[color] > 0 ? (sums[color] + counts[color] / 2) / counts[color] : 0
          let code = most[color] >= clipped ? clipped : UInt16(mean)
          for row in top..<min(top + 3, height) {
            for column in left..<min(left + 3, width) {
              codes[3 * (row * width + column) + color] = code
            }
          }
        }
      }
    }
  }
}
#endif
