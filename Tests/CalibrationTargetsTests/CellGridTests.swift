import ColorScience
import Testing
import WhiteBalance
import WhiteBalanceTestSupport

@testable import CalibrationTargets

struct CellGridTests {
  /// A flat frame whose pixels have a relative standard deviation of 5 %.
  private static func grid() throws -> CellGrid {
    let layout = try FrameLayout(width: 512, height: 64, format: .rgb16)
    var frame = RenderedFrame(layout, seed: 4)
    frame.render { _, _, random in
      let scatter = SIMD3(random.normal(), random.normal(), random.normal())
      return SIMD3(0.4, 0.5, 0.25) * (1 + 0.05 * scatter)
    }
    return try CellGrid(frame.bytes.span, layout: layout)
  }

  /// The scatter of the cells of a flat frame is the stated one, and that of their pixels is 5 %.
  @Test func noiseOfCells() throws {
    let grid = try Self.grid()
    #expect(grid.columns == 128 && grid.rows == 16)
    let count = Double(grid.cells.count)
    func mean(_ value: (CellGrid.Cell) -> SIMD3<Double>) -> SIMD3<Double> {
      grid.cells.reduce(.zero) { $0 + value($1) } / count
    }
    let center = mean(\.logLinear)
    let scatter = mean { ($0.logLinear - center) * ($0.logLinear - center) }
    let noise = mean(\.noise)
    // A cell has 16 pixels, whose scatter around their own mean is smaller by a sixteenth.
    let expected = 0.0025 / 16
    for channel in 0..<3 {
      let ratios = (scatter[channel] / expected, noise[channel] / expected)
      #expect(abs(ratios.0 - 1) < 0.15)
      #expect(abs(ratios.1 - 0.9375) < 0.05)
    }
    let texture = grid.cells.reduce(0) { $0 + $1.texture } / count
    #expect(abs(texture - 0.05) < 0.004)
    #expect(abs(center.x - center.y - logarithm(0.8)) < 0.002)
    #expect(abs(center.z - center.y - logarithm(0.5)) < 0.002)
  }

  /// A frame has at most 128 cells along a side, each of at least two samples.
  @Test(arguments: [
    (256, 100, 2, 128, 50), (257, 100, 3, 85, 33), (100, 256, 2, 50, 128), (100, 384, 3, 33, 128),
    (5, 3, 2, 2, 1), (1, 9, 2, 0, 4),
  ])
  func sizes(width: Int, height: Int, side: Int, columns: Int, rows: Int) throws {
    for isBayer in [false, true] {
      let unit = isBayer ? 2 : 1
      let layout = try FrameLayout(
        width: width * unit, height: height * unit,
        format: isBayer ? .bayer(.rggb, bits: 8) : .gray(bits: 8))
      let bytes = [UInt8](repeating: 9, count: layout.byteCount)
      let grid = try CellGrid(bytes.span, layout: layout)
      #expect(grid.side == side * unit && grid.columns == columns && grid.rows == rows)
      #expect(grid.cells.count == columns * rows)
      #expect(
        grid.pixels(in: PixelRectangle(x: 3, y: 5, width: 4, height: 2))
          == PixelRectangle(
            x: 3 * side * unit + side * unit / 2, y: 5 * side * unit + side * unit / 2,
            width: 3 * side * unit, height: side * unit))
    }
  }

  /// Means, variances and usability of cells of 4×4 pixels equal plain sums.
  @Test func cellsOfPixels() throws {
    let layout = try FrameLayout(width: 512, height: 8, format: .rgb16)
    var random = SeededRandom(seed: 8)
    var codes = (0..<512 * 8 * 3).map { _ in 5000 + Int(random.next() % 30_000) }
    codes[0] = 65_535
    // One cell has exactly a thousandth of white in blue, and one has more.
    for y in 0..<4 {
      for x in 8..<16 { codes[3 * (512 * y + x) + 2] = x < 12 ? 65 : 66 }
    }
    let bytes = codes.flatMap { code -> [UInt8] in [UInt8(code & 255), UInt8(code >> 8)] }
    let grid = try CellGrid(bytes.span, layout: layout)
    #expect(grid.columns == 128 && grid.rows == 2)
    for (index, cell) in grid.cells.enumerated() {
      for channel in 0..<3 {
        let values = (0..<16).map { pixel -> Double in
          let (x, y) = (index % 128 * 4 + pixel % 4, index / 128 * 4 + pixel / 4)
          return Double(codes[3 * (512 * y + x) + channel]) / 65_535
        }
        let mean = values.reduce(0, +) / 16
        let variance = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / 16 / (mean * mean)
        #expect(abs(cell.logLinear[channel] - logarithm(mean)) < 1e-6)
        #expect(abs(cell.noise[channel] - variance / 16) < 1e-6)
        if channel == 1 { #expect(abs(cell.texture - variance.squareRoot()) < 1e-5) }
      }
      // One of 16 pixels is more than a fiftieth.
      #expect(cell.isUsable == ![0, 2].contains(index), "\(index)")
    }
  }

  /// One sample of a cell of 50 may be clipped; about 12 by 12 samples of a large cell are read.
  @Test func largeCells() throws {
    let layout = try FrameLayout(width: 128 * 25, height: 25, format: .gray(bits: 8))
    for (step, clipped, isUsable) in [(2, 3, true), (2, 4, false), (1, 4, true)] {
      var bytes = [UInt8](repeating: 100, count: layout.byteCount)
      // Samples in even columns and rows are read.
      for index in 0..<clipped { bytes[2 * layout.width + 2 * index + (2 - step)] = 255 }
      let grid = try CellGrid(bytes.span, layout: layout)
      #expect(grid.side == 25 && grid.columns == 128)
      #expect(grid.cells[0].isUsable == isUsable, "\(step) \(clipped)")
    }
  }
}
