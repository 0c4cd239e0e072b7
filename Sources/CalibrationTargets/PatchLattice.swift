/// Blobs that lie like the squares of a grid seen in perspective.
struct PatchLattice {
  struct Place: Hashable {
    var column, row: Int
  }

  /// The index of the blob at each place.
  private(set) var blobs: [Place: Int] = [:]

  /// Grows a grid from a blob, from step to step; the steps change slowly.
  init(
    from seed: Int, across: SIMD2<Double>, down: SIMD2<Double>, _ all: [PatchBlob],
    near: BlobIndex
  ) {
    var waiting = [(place: Place(column: 0, row: 0), across: across, down: down)]
    blobs[waiting[0].place] = seed
    var taken: Set = [seed]
    var next = 0
    while next < waiting.count {
      let (place, across, down) = waiting[next]
      next += 1
      let blob = all[blobs[place]!]
      for (columns, rows) in [(1, 0), (0, 1), (-1, 0), (0, -1)] {
        let target = Place(column: place.column + columns, row: place.row + rows)
        guard blobs[target] == nil, abs(target.column) <= 7, abs(target.row) <= 7 else { continue }
        let step = Double(columns) * across + Double(rows) * down
        let limit = 0.25 * (step * step).sum().squareRoot()
        guard
          let found = near.nearest(to: blob.center + step, within: limit, all),
          all[found].area < 3 * blob.area, blob.area < 3 * all[found].area,
          taken.insert(found).inserted
        else { continue }
        blobs[target] = found
        let made = (all[found].center - blob.center) * Double(columns + rows)
        waiting.append(
          columns != 0 ? (target, (across + made) / 2, down) : (target, across, (down + made) / 2))
      }
    }
  }
}

/// Blobs by where they are.
struct BlobIndex {
  private let side: Double
  private let columns, rows: Int
  private var cells: [[Int]]

  init(_ blobs: [PatchBlob], width: Int, height: Int) {
    side = 16
    columns = width / 16 + 1
    rows = height / 16 + 1
    cells = Array(repeating: [], count: columns * rows)
    for (index, blob) in blobs.enumerated() {
      cells[Int(blob.center.y / side) * columns + Int(blob.center.x / side)].append(index)
    }
  }

  /// Calls `body` for at least all blobs that are within a distance of a place.
  func forEach(near place: SIMD2<Double>, within distance: Double, _ body: (Int) -> Void) {
    func range(_ center: Double, _ count: Int) -> ClosedRange<Int>? {
      let low = max(0, ((center - distance) / side).rounded(.down))
      let high = min(Double(count - 1), ((center + distance) / side).rounded(.down))
      return low <= high ? Int(low)...Int(high) : nil
    }
    guard let rows = range(place.y, rows), let columns = range(place.x, columns) else { return }
    for row in rows { for column in columns { cells[row * self.columns + column].forEach(body) } }
  }

  func nearest(
    to place: SIMD2<Double>, within distance: Double, _ blobs: [PatchBlob]
  ) -> Int? {
    var best: (index: Int, square: Double)?
    forEach(near: place, within: distance) { index in
      let offset = blobs[index].center - place
      let square = (offset * offset).sum()
      if square < best?.square ?? (distance * distance) { best = (index, square) }
    }
    return best?.index
  }
}
