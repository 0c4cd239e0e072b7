/// Reads all rows of a table from the contents of a file.
enum TableRows {
  /// Returns the rows that are not empty, each with the number of its line.
  ///
  /// - Parameter isFirst: returns `true` for the fields of a first row. The separator with which
  ///   the first row has such fields is used for all rows.
  /// - Throws: `Failure` with the first line that is not a row.
  static func read(
    _ bytes: [UInt8], path: String, isFirst: ([Substring]) -> Bool
  ) throws -> [(line: Int, fields: [String])] {
    var lines = try TableLines(bytes, name: path)
    var separator: FieldSeparator?
    var rows: [(line: Int, fields: [String])] = []
    while let (number, line) = try lines.next() {
      func bad(_ reason: String) -> Failure {
        Failure.badData("\(path), line \(number): \(reason)")
      }
      switch line {
      case .unreadable(let reason, _): throw bad("the line \(reason)")
      case .text(let text):
        if text.utf8.contains(0) { throw bad("the line contains a NUL") }
        let found =
          separator ?? FieldSeparator.find(in: text, where: isFirst)?.separator
          ?? FieldSeparator.guess(for: text)
        guard let fields = found.fields(of: text) else {
          throw bad("its quotation marks do not match")
        }
        if fields.allSatisfy(\.isEmpty) { continue }
        separator = found
        rows.append((number, fields.map(String.init)))
      }
    }
    return rows
  }
}
