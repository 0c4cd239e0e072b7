/// An arrangement of blobs like the squares of a grid seen in perspective.
struct PatchLattice {
  /// The columns and rows that contain blobs; those of the first blob are 0.
  private(set) var columns = 0...0, rows = 0...0
  /// The number of blobs.
  private(set) var count = 0
  /// The index of the blob in each column and row, or -1.
  private var blobs = [Int](repeating: -1, count: side * side)

  private static let reach = 7
  private static let side = 2 * reach + 1

  /// The blob in a column and row.
  subscript(column: Int, row: Int) -> Int? {
    guard abs(column) <= Self.reach, abs(row) <= Self.reach else { return nil }
    let blob = blobs[Self.index(column, row)]
    return blob < 0 ? nil : blob
  }

  private static func index(_ column: Int, _ row: Int) -> Int {
    (row + reach) * side + column + reach
  }

  /// Grows a grid from a blob, step by step; the steps change slowly.
  init(
    from seed: Int, across: SIMD2<Double>, down: SIMD2<Double>, _ all: [PatchBlob],
    near: BlobIndex
  ) {
    var waiting = [(column: 0, row: 0, blob: seed, across: across, down: down)]
    blobs[Self.index(0, 0)] = seed
    while count < waiting.count {
      let (column, row, blob, across, down) = waiting[count]
      count += 1
      columns = min(columns.lowerBound, column)...max(columns.upperBound, column)
      rows = min(rows.lowerBound, row)...max(rows.upperBound, row)
      // If the edge of a shadow has left no blob at the next position, the one after it is tried.
      for (x, y) in [(1, 0), (0, 1), (-1, 0), (0, -1), (2, 0), (0, 2), (-2, 0), (0, -2)] {
        guard max(abs(column + x), abs(row + y)) <= Self.reach, self[column + x, row + y] == nil
        else { continue }
        let step = Double(x) * across + Double(y) * down
        let limit = 0.25 / Double(abs(x + y)) * (step * step).sum().squareRoot()
        guard let found = near.nearest(to: all[blob].center + step, within: limit, all),
          all[found].area < 3 * all[blob].area, all[blob].area < 3 * all[found].area,
          !blobs.contains(found)
        else { continue }
        blobs[Self.index(column + x, row + y)] = found
        let made = (all[found].center - all[blob].center) / Double(x + y)
        waiting.append(
          (
            column + x, row + y, found, x != 0 ? (across + made) / 2 : across,
            x != 0 ? down : (down + made) / 2
          ))
      }
    }
  }

  /// Calls `body` for each pair of neighbors, in both orders.
  func forEachStep(_ body: (Int, Int) -> Void) {
    for row in rows {
      for column in columns {
        guard let from = self[column, row] else { continue }
        for (x, y) in [(1, 0), (0, 1), (-1, 0), (0, -1)] {
          if let to = self[column + x, row + y] { body(from, to) }
        }
      }
    }
  }
}
