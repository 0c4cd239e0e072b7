/// Formats a table as text: the first cell of each row is aligned to the left, the others to the
/// right.
func columns(_ rows: [[String]]) -> String {
  let widths = rows[0].indices.map { index in rows.map { $0[index].count }.max() ?? 0 }
  return rows.map { row in
    row.indices.map { index in
      let padding = String(repeating: " ", count: widths[index] - row[index].count)
      return index == 0 ? row[index] + padding : padding + row[index]
    }.joined(separator: "  ")
  }.joined(separator: "\n")
}
