/// The black levels of a DNG file's pixels and its white levels, as the file states them.
struct RawLevels {
  /// The numbers of rows and columns after which the black levels repeat, and of samples per pixel.
  private let rows, columns, samples: Int
  private let blacks: [Double]
  private let rowDeltas, columnDeltas: [Double]
  /// The difference between white and the highest black, for each sample.
  private let ranges: [Double]

  /// Reads the levels; `nil` if the file's levels are inconsistent.
  init?(_ entries: TIFFEntries, samples: Int, whites: [Double]) {
    let period = entries.numbers(50713).compactMap { Int(exactly: $0) }
    (rows, columns) = period.count == 2 ? (period[0], period[1]) : (1, 1)
    self.samples = samples
    var blacks = entries.numbers(50714)
    guard (1...64).contains(rows), (1...64).contains(columns), samples <= 4 else { return nil }
    if blacks.count <= 1 {
      blacks = Array(repeating: blacks.first ?? 0, count: rows * columns * samples)
    }
    guard blacks.count == rows * columns * samples, whites.count >= samples else { return nil }
    self.blacks = blacks
    columnDeltas = entries.numbers(50715)
    rowDeltas = entries.numbers(50716)
    var highest = [Double](repeating: -.infinity, count: samples)
    for (index, black) in blacks.enumerated() {
      let (place, sample) = index.quotientAndRemainder(dividingBy: samples)
      let (row, column) = place.quotientAndRemainder(dividingBy: columns)
      let level =
        black + Self.largest(of: rowDeltas, from: row, by: rows)
        + Self.largest(of: columnDeltas, from: column, by: columns)
      highest[sample] = max(highest[sample], level)
    }
    ranges = zip(whites, highest).map { $0 - $1 }
    guard ranges.allSatisfy({ $0 > 0 && $0.isFinite }) else { return nil }
  }

  private static func largest(of deltas: [Double], from first: Int, by step: Int) -> Double {
    stride(from: first, to: deltas.count, by: step).map { deltas[$0] }.max() ?? 0
  }

  /// Indicates whether black varies by row or column in addition to the repeating levels.
  var vary: Bool { (rowDeltas + columnDeltas).contains { $0 != 0 } }

  /// Indicates whether there is a delta for every row and column, or none.
  func fit(width: Int, height: Int) -> Bool {
    [0, width].contains(columnDeltas.count) && [0, height].contains(rowDeltas.count)
  }

  /// Returns the levels of one sample of a pixel, at a position relative to the corner of the
  /// active area. All samples of a plane have the same difference from black to white.
  func levels(row: Int, column: Int, sample: Int) -> (black: Double, white: Double) {
    let place = (row % rows * columns + column % columns) * samples + sample
    let black =
      blacks[place] + (rowDeltas.isEmpty ? 0 : rowDeltas[row])
      + (columnDeltas.isEmpty ? 0 : columnDeltas[column])
    return (black, black + ranges[sample])
  }
}
