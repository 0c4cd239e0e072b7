/// The arrangement of the cells of a picture, with the positions of their middles.
///
/// Cells contain whole samples, so that some are one sample wider or higher than others.
struct CellGrid: Hashable, Sendable {
  /// The boundaries between cells, in samples.
  let columnEdges, rowEdges: [Int]
  /// The middles of the columns and rows of cells, −1…1 over the picture.
  private let across, down: [Double]
  /// The pixels of a sample.
  private let unit: SampleUnit
  /// The distance from the middle of a cell to the middle of its red pixels; its blue pixels are as
  /// far on the opposite side.
  let redOffset: SIMD2<Double>

  private struct SampleUnit: Hashable, Sendable { let columns, rows: Int }

  /// Divides the samples of a frame.
  init(of samples: LinearSamples, columns: Int, rows: Int) {
    let size = samples.layout.format.unit
    unit = SampleUnit(columns: size.columns, rows: size.rows)
    let (width, height) = (Double(samples.layout.width), Double(samples.layout.height))
    columnEdges = (0...columns).map { samples.columns * $0 / columns }
    rowEdges = (0...rows).map { samples.rows * $0 / rows }
    across = zip(columnEdges, columnEdges.dropFirst()).map {
      Double(($0 + $1) * size.columns) / width - 1
    }
    down = zip(rowEdges, rowEdges.dropFirst()).map { Double(($0 + $1) * size.rows) / height - 1 }
    redOffset = 2 * samples.redOffset / SIMD2(width, height)
  }

  /// The number of cells in a row.
  var columns: Int { across.count }
  /// The number of rows of cells.
  var rows: Int { down.count }

  /// Returns the position of the middle of a cell, −1…1 in both directions.
  func place(_ index: Int) -> SIMD2<Double> {
    SIMD2(across[index % columns], down[index / columns])
  }

  /// Returns the smallest rectangle of the picture's pixels that contains cells.
  func rectangle(of cells: [Int]) -> PixelRectangle {
    func span(_ places: [Int], _ edges: [Int], _ unit: Int) -> (start: Int, length: Int) {
      let (first, last) = (places.min() ?? 0, places.max() ?? 0)
      return (edges[first] * unit, (edges[last + 1] - edges[first]) * unit)
    }
    let x = span(cells.map { $0 % columns }, columnEdges, unit.columns)
    let y = span(cells.map { $0 / columns }, rowEdges, unit.rows)
    return PixelRectangle(x: x.start, y: y.start, width: x.length, height: y.length)
  }

  /// The distances from the middle of a cell to the middles of its red, green and blue pixels.
  var offsets: [SIMD2<Double>] { [redOffset, .zero, -redOffset] }
}
