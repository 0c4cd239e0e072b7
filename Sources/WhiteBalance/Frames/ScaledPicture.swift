import ColorScience

/// A small picture of a frame for a live view: 8-bit red, green and blue, each the mean of some of
/// the pixels that it represents.
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
    if let places = BytePlaces(layout) {
      average(bytes, layout, places, scale: scale)
    } else {
      sample(
        bytes, samples, scale: scale,
        gains: layout.transfer == .linear ? SIMD3(gains.vector) : SIMD3(repeating: 1))
    }
  }

  /// The offsets of red, green and blue bytes that can be shown unchanged.
  private struct BytePlaces {
    let red, green, blue, step: Int

    init?(_ layout: FrameLayout) {
      guard case .interleaved(let red, let green, let blue, let step) = layout.format.arrangement,
        layout.format.sample == .unsigned(bits: 8), layout.transfer != .linear
      else { return nil }
      (self.red, self.green, self.blue, self.step) = (red, green, blue, step)
    }
  }

  /// The largest number of pixels across and down that are averaged.
  private static let most = 3

  private mutating func average(
    _ source: Span<UInt8>, _ layout: FrameLayout, _ places: BytePlaces, scale: Int
  ) {
    let stride = max(1, (scale + Self.most - 1) / Self.most)
    let taken = (scale + stride - 1) / stride
    let count = taken * taken
    // Dividing by a count that is not known at compile time takes longer than everything else; this
    // is exact for sums of so few bytes.
    let share = (65536 + count - 1) / count
    // Without the parentheses, >> would come first, and everything would be black.
    func mean(_ sum: UInt16) -> UInt8 { UInt8(truncatingIfNeeded: (Int(sum) &* share) >> 16) }
    let (width, height) = (width, height)
    // Whole rows are added to each other, because bytes side by side are added many at a time: at
    // the first pixel of each block is the sum of the block.
    var sums = [UInt16](repeating: 0, count: ((width - 1) * scale + 1) * places.step)
    // The layout was checked to lie in the bytes; checking each sample takes twice as long as
    // everything else.
    unsafe source.withUnsafeBufferPointer { source in
      unsafe bytes.withUnsafeMutableBufferPointer { target in
        unsafe sums.withUnsafeMutableBufferPointer { sums in
          var place = 0
          for row in 0..<height {
            unsafe sums.update(repeating: UInt16(count / 2))
            for y in 0..<taken {
              let start = min(row * scale + y * stride, layout.height - 1) * layout.bytesPerRow
              for x in 0..<taken {
                let first = start + x * stride * places.step
                for index in 0..<sums.count {
                  unsafe sums[index] &+= UInt16(unsafe source[first &+ index])
                }
              }
            }
            var start = 0
            for _ in 0..<width {
              unsafe target[place] = mean(sums[start &+ places.red])
              unsafe target[place + 1] = mean(sums[start &+ places.green])
              unsafe target[place + 2] = mean(sums[start &+ places.blue])
              start &+= scale &* places.step
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
      // In this order, NaN counts as black.
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
