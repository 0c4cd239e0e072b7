/// Neighboring cells.
struct CellGroup {
  /// The indices of the cells, row by row.
  let cells: [Int]

  /// Returns the groups of marked cells that touch each other, also at a corner.
  static func groups(of marked: [Bool], columns: Int) -> [CellGroup] {
    var open = marked
    var groups: [CellGroup] = []
    for first in marked.indices where open[first] {
      open[first] = false
      var (found, next) = ([first], 0)
      while next < found.count {
        let cell = found[next]
        next += 1
        for neighbor in neighbors(of: cell, columns: columns, count: marked.count)
        where open[neighbor] {
          open[neighbor] = false
          found.append(neighbor)
        }
      }
      groups.append(CellGroup(cells: found.sorted()))
    }
    return groups
  }

  /// Returns the cells that touch a cell.
  static func neighbors(of cell: Int, columns: Int, count: Int) -> [Int] {
    let (column, row) = (cell % columns, cell / columns)
    return (row - 1...row + 1).flatMap { row in
      (column - 1...column + 1).compactMap { column -> Int? in
        let index = row * columns + column
        let isInside = 0..<columns ~= column && row >= 0 && index < count
        return isInside && index != cell ? index : nil
      }
    }
  }

  /// Returns the numbers of columns and rows that the cells span.
  func span(columns: Int) -> (across: Int, down: Int) {
    let across = cells.map { $0 % columns }
    let down = cells.map { $0 / columns }
    return (
      (across.max() ?? 0) - (across.min() ?? 0) + 1, (down.max() ?? 0) - (down.min() ?? 0) + 1
    )
  }
}
