import WhiteBalance

/// A subset of the cells of a grid, such as those that a surface covers.
struct CellMask {
  let columns: Int
  let rows: Int
  var cells: [Bool]

  init(columns: Int, rows: Int, cells: [Bool]? = nil) {
    self.columns = columns
    self.rows = rows
    self.cells = cells ?? [Bool](repeating: false, count: columns * rows)
  }

  /// The indices of the covered cells.
  var covered: [Int] { cells.indices.filter { cells[$0] } }

  var count: Int { cells.reduce(0) { $0 + ($1 ? 1 : 0) } }

  /// The number of columns from the first covered cell to the last, inclusive.
  var columnCount: Int {
    let places = covered.map { $0 % columns }
    return places.isEmpty ? 0 : places.max()! - places.min()! + 1
  }

  /// Returns the connected parts: cells that share a side are connected if `joined` returns `true`
  /// for their indices.
  func components(joined: (Int, Int) -> Bool = { _, _ in true }) -> [CellMask] {
    var seen = cells.map { !$0 }
    var components: [CellMask] = []
    for start in cells.indices where !seen[start] {
      var component = CellMask(columns: columns, rows: rows)
      var waiting = [start]
      seen[start] = true
      while let cell = waiting.popLast() {
        component.cells[cell] = true
        forEachNeighbor(of: cell) { neighbor in
          if !seen[neighbor], joined(cell, neighbor) {
            seen[neighbor] = true
            waiting.append(neighbor)
          }
        }
      }
      components.append(component)
    }
    return components
  }

  func largestComponent() -> CellMask { components().max { $0.count < $1.count } ?? self }

  /// Returns the mask without parts narrower than three cells.
  func opened() -> CellMask { inverted().dilated().inverted().dilated() }

  /// Returns the mask with all holes of at most `limit` cells filled.
  func fillingHoles(upTo limit: Int) -> CellMask {
    var filled = self
    for hole in inverted().components() where hole.borderCount == 0 && hole.count <= limit {
      for cell in hole.covered { filled.cells[cell] = true }
    }
    return filled
  }

  /// The number of covered cells on the border of the grid.
  var borderCount: Int {
    covered.count { cell in
      let (row, column) = cell.quotientAndRemainder(dividingBy: columns)
      return row == 0 || column == 0 || row == rows - 1 || column == columns - 1
    }
  }

  /// The fraction of the smallest rectangle around all covered cells, at any angle, that is
  /// covered.
  var rectangularity: Double {
    let covered = covered.map { (x: Double($0 % columns), y: Double($0 / columns)) }
    guard !covered.isEmpty else { return 0 }
    // Slopes from −1 to 1 are all directions from −45° to 45°, which suffice for a rectangle.
    let areas = stride(from: -1.0, through: 1, by: 1.0 / 16).map { slope in
      var low = SIMD2(repeating: Double.infinity)
      var high = -low
      for cell in covered {
        let place = SIMD2(cell.x + slope * cell.y, cell.y - slope * cell.x)
        low = pointwiseMin(low, place)
        high = pointwiseMax(high, place)
      }
      let unit = (1 + slope * slope).squareRoot()
      return ((high.x - low.x) / unit + 1) * ((high.y - low.y) / unit + 1)
    }
    return Double(covered.count) / areas.min()!
  }

  /// Finds the largest upright rectangle of covered cells.
  ///
  /// Complexity: O(cells), with a stack of rising heights in each row.
  func largestRectangle() -> PixelRectangle? {
    var best: PixelRectangle?
    var heights = [Int](repeating: 0, count: columns + 1)
    for row in 0..<rows {
      for column in 0..<columns {
        heights[column] = cells[row * columns + column] ? heights[column] + 1 : 0
      }
      var stack: [Int] = []
      for column in 0...columns {
        while let top = stack.last, heights[top] >= heights[column] {
          stack.removeLast()
          let start = stack.last.map { $0 + 1 } ?? 0
          let found = PixelRectangle(
            x: start, y: row + 1 - heights[top], width: column - start, height: heights[top])
          if found.width * found.height > (best?.width ?? 0) * (best?.height ?? 0) { best = found }
        }
        stack.append(column)
      }
    }
    return best
  }

  private func inverted() -> CellMask {
    CellMask(columns: columns, rows: rows, cells: cells.map { !$0 })
  }

  /// Returns the mask with all eight neighbors of every covered cell.
  private func dilated() -> CellMask {
    var result = self
    for cell in covered {
      let (row, column) = cell.quotientAndRemainder(dividingBy: columns)
      for y in max(0, row - 1)...min(rows - 1, row + 1) {
        for x in max(0, column - 1)...min(columns - 1, column + 1) {
          result.cells[y * columns + x] = true
        }
      }
    }
    return result
  }

  private func forEachNeighbor(of cell: Int, _ body: (Int) -> Void) {
    let (row, column) = cell.quotientAndRemainder(dividingBy: columns)
    if column > 0 { body(cell - 1) }
    if column < columns - 1 { body(cell + 1) }
    if row > 0 { body(cell - columns) }
    if row < rows - 1 { body(cell + columns) }
  }
}
