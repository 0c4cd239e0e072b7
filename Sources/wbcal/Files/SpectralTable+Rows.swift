import WbcalFoundation

/// Tables are found by their contents: lines before and after them, and columns of other things, do
/// not matter.
extension SpectralTable {
  private struct Row {
    var line: Int
    var fields: [Substring]
  }

  /// The smallest number of wavelengths that makes a table among other lines.
  private static let fewestWavelengths = 8

  /// A table in some lines: its number of wavelengths, and a function that reads it.
  private typealias Place = (count: Int, read: (_ bad: (String) -> Failure) throws -> [Spectrum])

  /// Indicates whether lines contain a table.
  static func hasTable(in lines: [String]) -> Bool { table(in: lines) != nil }

  /// Returns the spectra of the table in some lines.
  static func spectra(
    ofRows lines: [String], _ bad: (String) -> Failure
  ) throws -> [Spectrum] {
    guard let table = table(in: lines) else {
      throw bad(
        "no row and no column has \(fewestWavelengths) or more increasing wavelengths, such as "
          + "400, 410")
    }
    let spectra = try table.read(bad)
    guard !spectra.isEmpty else { throw bad("there are no numbers besides the wavelengths") }
    return spectra
  }

  /// Returns the table with the most wavelengths in some lines, with any separator of fields.
  private static func table(in lines: [String]) -> Place? {
    var best: Place?
    for separator in FieldSeparator.allCases where separator != .none {
      let rows = lines.enumerated().map { index, line in
        Row(line: index + 1, fields: separator.fields(of: line) ?? [line[...]])
      }.filter { $0.fields.contains { !$0.isEmpty } }
      let takesComma = separator != .comma
      if let header = header(in: rows), header.bands.count > best?.count ?? 0 {
        best = (
          header.bands.count,
          { bad in try spectra(below: header, in: rows, takesComma: takesComma, bad) }
        )
      }
      if let column = wavelengthColumn(of: rows), column.count > best?.count ?? 0 {
        best = (
          column.count,
          { bad in try spectra(beside: column.index, in: rows, takesComma: takesComma, bad) }
        )
      }
    }
    return best
  }

  // MARK: A row for each spectrum

  private typealias Header = (row: Int, bands: [(column: Int, wavelength: Double)])

  /// Returns the row that names the most wavelengths.
  private static func header(in rows: [Row]) -> Header? {
    var best: Header?
    for (index, row) in rows.enumerated() where row.fields.count >= fewestWavelengths {
      let bands = row.fields.enumerated().compactMap { column, field in
        wavelength(named: field).map { (column: column, wavelength: $0) }
      }
      guard bands.count >= max(fewestWavelengths, (best?.bands.count ?? 0) + 1),
        zip(bands, bands.dropFirst()).allSatisfy({ $0.wavelength < $1.wavelength })
      else { continue }
      best = (index, bands)
    }
    return best
  }

  private static func spectra(
    below header: Header, in rows: [Row], takesComma: Bool, _ bad: (String) -> Failure
  ) throws -> [Spectrum] {
    let names = rows[header.row].fields
    var spectra: [Spectrum] = []
    for row in rows[(header.row + 1)...] {
      // A note after the table has no such row.
      let cells = header.bands.prefix { $0.column < row.fields.count }.map { row.fields[$0.column] }
      guard cells.contains(where: { !$0.isEmpty }),
        row.fields.count == names.count || !spectra.isEmpty || row.fields.count > 2
      else { continue }
      guard row.fields.count == names.count else {
        if !cells.allSatisfy({ number($0, takesComma: takesComma) != nil }) { continue }
        throw bad(
          "line \(row.line) has \(row.fields.count) fields, but the header has \(names.count)")
      }
      let samples = try header.bands.map { column, wavelength -> Sample in
        guard let value = number(row.fields[column], takesComma: takesComma) else {
          throw bad("line \(row.line): \(notANumber(row.fields[column]))")
        }
        return (wavelength, value)
      }
      spectra.append(Spectrum(name: name(of: row, below: names), samples: samples))
    }
    return spectra
  }

  /// Returns the name of a row: the field in a column of names if there is one, or else the first
  /// field that is not a number.
  private static func name(of row: Row, below names: [Substring]) -> String? {
    let isName = { (name: Substring) in
      ["name", "sample_name", "patch", "sample"].contains(name.lowercased())
    }
    if let column = names.firstIndex(where: isName) { return String(row.fields[column]) }
    return row.fields.first { !$0.isEmpty && wbcal.number($0) == nil }.map(String.init)
  }

  // MARK: A row for each wavelength

  /// Returns the first column with wavelengths, and their number.
  private static func wavelengthColumn(of rows: [Row]) -> (index: Int, count: Int)? {
    let width = min(rows.map(\.fields.count).max() ?? 0, 16)
    for column in 0..<width {
      let blocks = blocks(of: rows, column).filter { !isCount($0, of: rows, column) }
      if let count = blocks.map(\.count).max() { return (column, count) }
    }
    return nil
  }

  /// Returns the runs of successive rows with increasing wavelengths; a run of few rows is not a
  /// table.
  private static func blocks(of rows: [Row], _ column: Int) -> [Range<Int>] {
    var blocks: [Range<Int>] = []
    var start = 0
    var last = -Double.infinity
    func end(at index: Int) {
      if index - start >= fewestWavelengths { blocks.append(start..<index) }
    }
    for (index, row) in rows.enumerated() {
      let isLong = row.fields.count > max(column, 1)
      let wavelength = isLong ? Self.wavelength(named: row.fields[column]) : nil
      if let wavelength, wavelength > last {
        last = wavelength
        continue
      }
      end(at: index)
      start = wavelength == nil ? index + 1 : index
      last = wavelength ?? -.infinity
    }
    end(at: rows.count)
    return blocks
  }

  /// Indicates whether apparent wavelengths continue a sequence of smaller numbers, as pixel
  /// numbers do.
  private static func isCount(_ block: Range<Int>, of rows: [Row], _ column: Int) -> Bool {
    let wavelengths = rows[block].prefix(2).map { wavelength(named: $0.fields[column])! }
    guard block.lowerBound > 0,
      let before = rows[block.lowerBound - 1].fields.dropFirst(column).first,
      let number = wbcal.number(before)
    else { return false }
    let step = wavelengths[1] - wavelengths[0]
    return wavelengths[0] - 1.5 * step..<wavelengths[0] ~= number
  }

  private static func spectra(
    beside column: Int, in rows: [Row], takesComma: Bool, _ bad: (String) -> Failure
  ) throws -> [Spectrum] {
    let blocks = blocks(of: rows, column)
    var spectra: [Spectrum] = []
    for (index, block) in blocks.enumerated() {
      let next = index + 1 < blocks.count ? blocks[index + 1].lowerBound : rows.count
      try requireEnd(of: block, before: next, in: rows, column, bad)
      let wavelengths = rows[block].map { Self.wavelength(named: $0.fields[column])! }
      let names = block.lowerBound > 0 ? rows[block.lowerBound - 1].fields : []
      for other in 0..<rows[block].map(\.fields.count).max()! where other != column {
        guard
          let values = try values(of: other, in: rows[block], takesComma: takesComma, bad),
          !isCount(values), values != wavelengths
        else { continue }
        let isNamed = names.count > other && wbcal.number(names[other]) == nil
        spectra.append(
          Spectrum(
            name: isNamed ? String(names[other]) : nil, samples: Array(zip(wavelengths, values))))
      }
    }
    return spectra
  }

  /// Refuses a block that continues after a row that is not part of it.
  private static func requireEnd(
    of block: Range<Int>, before next: Int, in rows: [Row], _ column: Int,
    _ bad: (String) -> Failure
  ) throws {
    let last = wavelength(named: rows[block.upperBound - 1].fields[column])!
    let step = last - wavelength(named: rows[block.upperBound - 2].fields[column])!
    guard block.upperBound < rows.count else { return }
    let after = rows[block.upperBound..<min(max(next, block.upperBound) + 1, rows.count)]
    let continues = after.contains { row in
      row.fields.count > column
        && wavelength(named: row.fields[column]).map { last < $0 && $0 < last + 3.5 * step } == true
    }
    if continues {
      throw bad(
        "line \(rows[block.upperBound].line): the row is not a wavelength and numbers, unlike the "
          + "rows around it")
    }
  }

  /// Returns the numbers of a column; `nil` if the column contains something else.
  private static func values(
    of column: Int, in rows: ArraySlice<Row>, takesComma: Bool, _ bad: (String) -> Failure
  ) throws -> [Double]? {
    let values = rows.map { row in
      row.fields.count > column ? number(row.fields[column], takesComma: takesComma) : nil
    }
    let missing = values.count { $0 == nil }
    if missing == 0 { return values.map { $0! } }
    guard missing <= values.count / 4 else { return nil }
    let row = rows[rows.startIndex + values.firstIndex(of: nil)!]
    throw bad(
      "line \(row.line): the row is not a wavelength and a power: "
        + notANumber(row.fields.count > column ? row.fields[column] : ""))
  }

  /// Indicates whether numbers only count the rows.
  private static func isCount(_ values: [Double]) -> Bool {
    zip(values, values.dropFirst()).allSatisfy { $1 - $0 == 1 }
  }

  /// Parses a number, with a decimal comma if commas do not separate fields.
  private static func number(_ field: Substring, takesComma: Bool) -> Double? {
    wbcal.number(field)
      ?? (takesComma && field.contains(",") && !field.contains(".")
        ? wbcal.number(field.replacing(",", with: ".")) : nil)
  }
}
