import ColorScience

extension ChartReading {
  /// The patches of a table: the line `r,g,b` or `r,g,b,name`, then 24 rows from dark skin to
  /// black, linear, black subtracted, on any common scale.
  ///
  /// Spaces around fields, empty lines and upper case do not matter. `white` names `white 9.5`, and
  /// `black` `black 2`.
  ///
  /// - Throws: `ChartTableError` for the first thing that is wrong, with its row.
  public init(table: String) throws(ChartTableError) {
    let lines = table.split(whereSeparator: \.isNewline).filter { line in
      line.contains { !$0.isWhitespace }
    }.map { line in
      line.split(separator: ",", omittingEmptySubsequences: false).map(Self.trimmed)
    }
    let header = lines.first.map { $0.map { $0.lowercased() } } ?? []
    guard header == ["r", "g", "b"] || header == ["r", "g", "b", "name"] else {
      throw .header(lines.first?.joined(separator: ",") ?? "")
    }
    guard lines.count == 25 else { throw .rows(lines.count - 1) }
    var patches: [Patch] = []
    for (index, patch) in ColorChart.classicFrom2014.patches.enumerated() {
      let (row, fields) = (index + 1, lines[index + 1])
      guard fields.count == header.count else {
        throw .fields(row: row, count: fields.count, needed: header.count)
      }
      var response = SIMD3<Double>.zero
      for channel in 0..<3 {
        guard let value = Double(fields[channel]), value > 0, value.isFinite else {
          throw .number(row: row, text: fields[channel])
        }
        response[channel] = value
      }
      // Makers call the first and the last gray by their lightness, or not.
      let given = fields.count == 4 ? fields[3].lowercased() : patch.name
      guard (given + " ").hasPrefix(patch.name + " ") || (patch.name + " ").hasPrefix(given + " ")
      else { throw .name(row: row, text: fields[3], expected: patch.name) }
      patches.append(
        Patch(
          name: patch.name, response: LinearRGB(response), standardError: nil, pixels: nil,
          nonuniformity: nil, shading: 1))
    }
    self.init(patches, shadingError: nil)
  }

  private static func trimmed(_ field: Substring) -> String {
    let start = field.firstIndex { !$0.isWhitespace } ?? field.endIndex
    let end = field.lastIndex { !$0.isWhitespace }.map { field.index(after: $0) } ?? start
    return String(field[start..<end])
  }
}
