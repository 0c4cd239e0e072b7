/// An index of blobs by position.
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

  /// Calls `body` for all blobs that are within a distance of a position, and possibly for others
  /// nearby.
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
