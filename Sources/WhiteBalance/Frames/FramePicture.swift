package import ColorScience

extension Frame {
  /// The frame as a picture of red, green and blue in 16 bits; a color filter's cells of 2×2 become
  /// a pixel each.
  ///
  /// - Parameter transfer: what its codes are to be encoded by.
  /// - Throws: `FrameError` where the frame is smaller than a cell.
  package func picture(encodedBy transfer: TransferFunction) throws(FrameError) -> Frame {
    let samples = try LinearSamples(layout: layout, region: layout.bounds)
    let span = self.bytes.span
    var bytes: [UInt8] = []
    bytes.reserveCapacity(samples.columns * samples.rows * 6)
    let steps = 4095.0
    // Light to codes, in steps that are finer where it is dark.
    let codes = stride(from: 0, through: steps, by: 1).map {
      65_535 * transfer.encoded($0 / steps * $0 / steps)
    }
    for row in 0..<samples.rows {
      for column in 0..<samples.columns {
        let light = samples.sample(span, column: column, row: row).light
        for channel in 0..<3 {
          let place = Double(min(max(light[channel], 0), 1)).squareRoot() * steps
          let index = min(Int(place), Int(steps) - 1)
          let share = place - Double(index)
          let code = UInt16(codes[index] + share * (codes[index + 1] - codes[index]) + 0.5)
          bytes.append(UInt8(truncatingIfNeeded: code.littleEndian))
          bytes.append(UInt8(truncatingIfNeeded: code.littleEndian >> 8))
        }
      }
    }
    return try Frame(
      layout: try FrameLayout(
        width: samples.columns, height: samples.rows, format: .rgb16, transfer: transfer),
      bytes: bytes)
  }
}
