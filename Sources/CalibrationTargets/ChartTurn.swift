/// The arrangement of a turned chart's columns and rows on a grid.
struct ChartTurn {
  /// The number of clockwise turns of the chart by 90°.
  let quarters: Int

  static let all = (0..<4).map { ChartTurn(quarters: $0) }

  var columns: Int { quarters % 2 == 0 ? 6 : 4 }
  var rows: Int { 10 - columns }

  func place(of patch: Int) -> (column: Int, row: Int) {
    let (row, column) = patch.quotientAndRemainder(dividingBy: 6)
    return switch quarters {
    case 0: (column, row)
    case 1: (3 - row, column)
    case 2: (5 - column, 3 - row)
    default: (row, 5 - column)
    }
  }
}
