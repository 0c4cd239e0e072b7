import ColorScience
import WhiteBalance

/// A frame divided into about 100 × 100 cells.
struct CellGrid {
  /// The averages of a cell's pixels.
  struct Cell {
    /// The natural logarithms of the mean linear red, green and blue; not finite if a mean is
    /// black.
    var logLinear: SIMD3<Double>
    /// The variance of `logLinear` that follows from the scatter of the pixels.
    var noise: SIMD3<Double>
    /// The standard deviation of green in the cell, relative to its mean.
    var texture: Double
    /// `true` if no channel is dark, and at most 2 % of the samples are clipped.
    var isUsable: Bool

    /// ln(red/green) and ln(blue/green).
    var logRatios: SIMD2<Double> { SIMD2(logLinear.x - logLinear.y, logLinear.z - logLinear.y) }
  }

  let columns: Int
  let rows: Int
  /// The cells, row by row.
  private(set) var cells: [Cell] = []
  /// The side of a cell, in pixels of the frame.
  let side: Int

  /// Divides a frame whose pixels are `bytes` into cells.
  ///
  /// Complexity: O(cells); at most about 144 samples of a large cell are read.
  init(_ bytes: Span<UInt8>, layout: FrameLayout) throws(FrameError) {
    let samples = try LinearSamples(of: bytes, layout: layout, region: nil)
    let perSample = samples.pixelsPerSample == 4 ? 2 : 1
    let inSamples = max(2, (max(samples.columns, samples.rows) + 127) / 128)
    side = inSamples * perSample
    columns = samples.columns / inSamples
    rows = samples.rows / inSamples
    let step = max(1, inSamples / 12)
    for row in 0..<rows {
      for column in 0..<columns {
        var sum = SIMD3<Double>.zero
        var squares = SIMD3<Double>.zero
        var count = 0
        var clipped = 0
        for y in stride(from: row * inSamples, to: (row + 1) * inSamples, by: step) {
          for x in stride(from: column * inSamples, to: (column + 1) * inSamples, by: step) {
            let sample = samples.sample(bytes, column: x, row: y)
            let linear = SIMD3<Double>(sample.linear)
            sum += linear
            squares += linear * linear
            count += 1
            if sample.isClipped { clipped += 1 }
          }
        }
        let mean = sum / Double(count)
        let variance = pointwiseMax(squares / Double(count) - mean * mean, .zero) / (mean * mean)
        cells.append(
          Cell(
            logLinear: SIMD3(logarithm(mean.x), logarithm(mean.y), logarithm(mean.z)),
            noise: variance / Double(count), texture: variance.y.squareRoot(),
            isUsable: mean.min() > 0.001 && clipped * 50 <= count))
      }
    }
  }

  /// Returns the pixels of a rectangle of cells, less half a cell at each side.
  func pixels(in cells: PixelRectangle) -> PixelRectangle {
    PixelRectangle(
      x: cells.x * side + side / 2, y: cells.y * side + side / 2,
      width: (cells.width - 1) * side, height: (cells.height - 1) * side)
  }
}
