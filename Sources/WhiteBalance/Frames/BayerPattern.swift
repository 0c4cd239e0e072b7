/// The colors of a Bayer filter's upper left 2×2 pixels, in reading order.
public enum BayerPattern: String, CaseIterable, Hashable, Sendable {
  /// Red at the upper left.
  case rggb
  /// Green at the upper left, red to the right of it.
  case grbg
  /// Green at the upper left, blue to the right of it.
  case gbrg
  /// Blue at the upper left.
  case bggr

  /// The column and row, each 0 or 1, of the red pixel in the 2×2 pattern; blue is diagonal to it.
  public var redPosition: (column: Int, row: Int) {
    switch self {
    case .rggb: (0, 0)
    case .grbg: (1, 0)
    case .gbrg: (0, 1)
    case .bggr: (1, 1)
    }
  }

  /// The pattern that remains when the given numbers of columns and rows are cut off at the left
  /// and top.
  public func shifted(columns: Int, rows: Int) -> BayerPattern {
    let red = redPosition
    let shifted = (column: red.column ^ (columns & 1), row: red.row ^ (rows & 1))
    return Self.allCases.first { $0.redPosition == shifted }!
  }
}
