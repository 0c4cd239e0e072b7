/// A reason why a table is not that of a chart.
public enum ChartTableError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The first line does not name each of `r`, `g`, `b` exactly once.
  case header(String)
  /// The number of rows is not 24.
  case rows(Int)
  /// A row, counted from 1, does not have as many fields as the header.
  case fields(row: Int, count: Int, needed: Int)
  /// A field of a row is not a finite, positive number.
  case number(row: Int, text: String)
  /// A row has the name of another patch.
  case name(row: Int, text: String, expected: String)

  /// One sentence that states the error and its row.
  public var description: String {
    switch self {
    case .header(let line):
      "the first line is '\(line)'; columns r,g,b or r,g,b,name are needed, in any order"
    case .rows(let count):
      "there are \(count) rows after the header; a ColorChecker Classic has 24 patches"
    case .fields(let row, let count, let needed):
      "row \(row) has \(count) fields instead of \(needed)"
    case .number(let row, let text):
      "row \(row): '\(text)' is not a positive number; responses must be linear, with the "
        + "black level subtracted"
    case .name(let row, let text, let expected):
      "row \(row) is '\(text)'; in the order of the ColorChecker Classic it must be \(expected)"
    }
  }
}
