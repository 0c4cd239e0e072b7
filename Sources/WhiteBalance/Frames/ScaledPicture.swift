import ColorScience

/// A small picture of a frame for a live view: 8-bit red, green and blue, each the mean of some or
/// all of the frame's pixels at its place.
///
/// Nonlinear codes are kept; linear ones are multiplied by gains and encoded with sRGB.
package struct ScaledPicture: Sendable {
  /// The number of pixels in a row, and the number of rows.
  package let width, height: Int
  /// Red, green and blue of each pixel, row by row.
  package private(set) var bytes: [UInt8]

  /// Creates a picture with at most `width` pixels in a row, and no more than the frame has.
  ///
  /// Complexity: O(pixels of the picture).
  ///
  /// - Precondition: the width is positive.
  /// - Throws: `FrameError` if there are too few bytes.
  package init(
    _ bytes: Span<UInt8>, layout: FrameLayout, width: Int, gains: Gains = Gains(red: 1, blue: 1)
  ) throws(FrameError) {
    precondition(width > 0, "`width` must be positive")
    let samples = try LinearSamples(of: bytes, layout: layout, region: nil)
    let scale = max(1, (samples.columns + width - 1) / width)
    let (columns, rows) = (samples.columns / scale, max(1, samples.rows / scale))
    (self.width, self.height) = (columns, rows)
    self.bytes = [UInt8](repeating: 0, count: 3 * columns * rows)
    // Bytes that are not linear can be shown unchanged.
    if layout.transfer != .linear, let places = layout.format.bytePlaces {
      average(bytes, layout, places, scale: scale)
    } else {
      sample(
        bytes, samples, scale: scale,
        gains: layout.transfer == .linear ? SIMD3(gains.vector) : SIMD3(repeating: 1))
    }
  }

  /// The largest number of pixels across and down that are averaged.
  private static let most = 3

  private mutating func average(
    _ source: Span<UInt8>, _ layout: FrameLayout, _ places: PixelFormat.BytePlaces, scale: Int
  ) {
    let stride = max(1, (scale + Self.most - 1) / Self.most)
    let taken = (scale + stride - 1) / stride
    let (width, height) = (width, height)
    let (step, right) = (places.step, stride * places.step)
    // The mean is computed at every byte, not only at the first pixel of each block, because bytes
    // side by side are computed many at a time.
    var means = [UInt8](repeating: 0, count: ((width - 1) * scale + 1) * step)
    // The layout was checked to lie in the bytes; checking each sample takes twice as long as
    // everything else.
    unsafe source.withUnsafeBufferPointer { source in
      unsafe bytes.withUnsafeMutableBufferPointer { target in
        unsafe means.withUnsafeMutableBufferPointer { means in
          var place = 0
          for row in 0..<height {
            func start(_ y: Int) -> Int {
              min(row * scale + y * stride, layout.height - 1) * layout.bytesPerRow
            }
            let (first, second, third) = (start(0), start(1), start(2))
            func sample(_ index: Int) -> UInt16 { UInt16(unsafe source[index]) }
            func two(_ index: Int) -> UInt16 {
              sample(first &+ index) &+ sample(second &+ index)
            }
            func three(_ index: Int) -> UInt16 { two(index) &+ sample(third &+ index) }
            switch taken {
            case 1: for index in 0..<means.count { unsafe means[index] = source[first &+ index] }
            case 2:
              for index in 0..<means.count {
                let sum = two(index) &+ two(index &+ right)
                unsafe means[index] = UInt8(truncatingIfNeeded: (sum &+ 2) / 4)
              }
            default:
              for index in 0..<means.count {
                let sum = three(index) &+ three(index &+ right) &+ three(index &+ 2 &* right)
                unsafe means[index] = UInt8(truncatingIfNeeded: (sum &+ 4) / 9)
              }
            }
            var start = 0
            for _ in 0..<width {
              unsafe target[place] = means[start &+ places.red]
              unsafe target[place + 1] = means[start &+ places.green]
              unsafe target[place + 2] = means[start &+ places.blue]
              start &+= scale &* step
              place &+= 3
            }
          }
        }
      }
    }
  }

  private mutating func sample(
    _ source: Span<UInt8>, _ samples: LinearSamples, scale: Int, gains: SIMD3<Float>
  ) {
    let layout = samples.layout
    let (black, range) = (
      Float(layout.blackLevel), Float(layout.whiteLevel - layout.blackLevel)
    )
    let table = layout.transfer == .linear ? Self.encoded : []
    func byte(_ code: Float, _ gain: Float) -> UInt8 {
      // With the arguments in this order, NaN becomes black.
      let share = min(max(0, gain * (code - black) / range), 1)
      // Dark values need finer steps than bright ones.
      return table.isEmpty ? UInt8(255 * share + 0.5) : table[Int(4095 * share.squareRoot() + 0.5)]
    }
    let offsets = scale == 1 ? [0] : [scale / 4, scale - 1 - scale / 4]
    let (width, height) = (width, height)
    var target = bytes.mutableSpan
    var place = 0
    for row in 0..<height {
      for column in 0..<width {
        var sum = SIMD4<Float>.zero
        // Two samples on the diagonal; the picture is not used for measurement.
        for offset in offsets {
          sum += samples.codes(
            source, column: column * scale + offset,
            row: min(row * scale + offset, samples.rows - 1))
        }
        sum /= Float(offsets.count)
        target[place] = byte(sum.x, gains.x)
        target[place + 1] = byte((sum.y + sum.z) / 2, gains.y)
        target[place + 2] = byte(sum.w, gains.z)
        place += 3
      }
    }
  }

  private static let encoded: [UInt8] = (0...4095).map { step in
    let root = Double(step) / 4095
    return UInt8((255 * TransferFunction.sRGB.encoded(root * root)).rounded())
  }
}
