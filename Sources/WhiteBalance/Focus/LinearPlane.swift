/// The linear values of a region's green, luma or gray samples, row by row: those with the finest
/// detail.
///
/// The two greens of a color filter array's cell are averaged. Clipped samples are NaN.
package struct LinearPlane: Sendable {
  /// The number of samples in a row, and of rows.
  let width, height: Int
  /// Linear values: black 0, white 1.
  let values: [Float]

  /// Reads the plane of a region; `nil` for the whole frame.
  ///
  /// - Throws: `FrameError` if the bytes are too few or the region is not inside the frame.
  package init(
    _ bytes: Span<UInt8>, layout: FrameLayout, region: PixelRectangle? = nil
  ) throws(FrameError) {
    let samples = try LinearSamples(of: bytes, layout: layout, region: region)
    (width, height) = (samples.columns, samples.rows)
    var values = [Float](repeating: .nan, count: width * height)
    if let (offset, step) = Self.bytesOfSamples(layout.format) {
      let table = Self.table(samples)
      let (width, height) = (width, height)
      // The layout was checked to lie in the bytes.
      unsafe bytes.withUnsafeBufferPointer { bytes in
        unsafe values.withUnsafeMutableBufferPointer { values in
          unsafe table.withUnsafeBufferPointer { table in
            for row in 0..<height {
              let start =
                (samples.region.y + row) * layout.bytesPerRow + samples.region.x * step + offset
              for column in 0..<width {
                unsafe values[row &* width &+ column] =
                  table[Int(bytes[start &+ column &* step])]
              }
            }
          }
        }
      }
    } else {
      for row in 0..<height {
        for column in 0..<width {
          let codes = samples.codes(bytes, column: column, row: row)
          guard max(codes.y, codes.z) < samples.clippedFrom else { continue }
          let first = samples.linear(code: codes.y)
          let second = codes.z == codes.y ? first : samples.linear(code: codes.z)
          values[row * width + column] = Float((first + second) / 2)
        }
      }
    }
    self.values = values
  }

  /// Returns whether two planes have the same width and height.
  package func isAsLarge(as other: LinearPlane) -> Bool {
    (width, height) == (other.width, other.height)
  }

  /// The positions of 8-bit samples: the offset of the first, and the distance to the next; `nil`
  /// in other formats.
  private static func bytesOfSamples(_ format: PixelFormat) -> (offset: Int, step: Int)? {
    switch format.arrangement {
    case .subsampled(.yuyv): (0, 2)
    case .subsampled(.uyvy): (1, 2)
    case .subsampled: (0, 1)
    case .interleaved: format.bytePlaces.map { ($0.green, $0.step) }
    case .gray where format.sample == .unsigned(bits: 8): (0, 1)
    default: nil
    }
  }

  /// The linear value of each byte; that of luma is the linear value of the corresponding gray.
  private static func table(_ samples: LinearSamples) -> [Float] {
    let (layout, encoding) = (samples.layout, samples.layout.encoding)
    return (0...255).map { byte in
      let isLuma = layout.format.isSubsampled
      let code =
        isLuma ? Double(byte - encoding.offset) * encoding.rows.luma : Double(byte)
      return Float(code) < samples.clippedFrom ? Float(samples.linear(code)) : .nan
    }
  }
}
