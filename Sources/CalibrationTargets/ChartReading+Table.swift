import ColorScience

extension ChartReading {
  /// Reads the patches from the fields of a table: a header with `r`, `g`, `b` and optionally
  /// `name`, in any order, then 24 rows from dark skin to black, linear, black subtracted, on any
  /// common scale. There are no spaces around fields.
  ///
  /// Upper case and other columns are ignored. `white` stands for `white 9.5`, and `black` for
  /// `black 2`; `red`, `green` and `blue` are also accepted as names of channels.
  ///
  /// - Throws: `ChartTableError` for the first error, with its row.
  public init(rows: [[String]]) throws(ChartTableError) {
    let header = rows.first?.map { $0.lowercased() } ?? []
    guard let columns = Self.columns(header) else {
      throw .header(rows.first?.joined(separator: ",") ?? "")
    }
    guard rows.count == 25 else { throw .rows(rows.count - 1) }
    var patches: [Patch] = []
    for (index, patch) in ColorChart.classicFrom2014.patches.enumerated() {
      let (row, fields) = (index + 1, rows[index + 1])
      guard fields.count == header.count else {
        throw .fields(row: row, count: fields.count, needed: header.count)
      }
      var response = SIMD3<Double>.zero
      for (channel, column) in columns.channels.enumerated() {
        guard let value = Double(fields[column]), value > 0, value.isFinite else {
          throw .number(row: row, text: fields[column])
        }
        response[channel] = value
      }
      // Some makers include the lightness in the names of the first and the last gray.
      let name = columns.name.map { fields[$0] } ?? patch.name
      let given = name.lowercased()
      guard (given + " ").hasPrefix(patch.name + " ") || (patch.name + " ").hasPrefix(given + " ")
      else { throw .name(row: row, text: name, expected: patch.name) }
      patches.append(
        Patch(
          name: patch.name, response: LinearRGB(response), standardError: nil, pixels: nil,
          nonuniformity: nil, shading: 1))
    }
    self.init(patches, shadingError: nil)
  }

  /// Returns `true` if fields are those of a header.
  package static func isHeader(_ fields: [String]) -> Bool {
    columns(fields.map { $0.lowercased() }) != nil
  }

  /// Returns the columns of the channels and of the name; `nil` if a channel is missing or named
  /// twice.
  private static func columns(_ header: [String]) -> (channels: [Int], name: Int?)? {
    func places(_ names: String...) -> [Int] {
      header.indices.filter { names.contains(header[$0]) }
    }
    let channels = [places("r", "red"), places("g", "green"), places("b", "blue")]
    let names = places("name", "patch", "patch name", "sample_name")
    guard channels.allSatisfy({ $0.count == 1 }), names.count < 2 else { return nil }
    return (channels.map { $0[0] }, names.first)
  }
}
