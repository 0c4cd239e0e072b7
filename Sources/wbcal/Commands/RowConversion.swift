import WbcalArguments

/// The result of some lines.
struct ConvertedRows: Sendable {
  /// The converted rows, as CSV.
  var text = ""
  /// Messages about lines, in their order.
  var messages: [String] = []
  /// Remarks that are shown once for all lines, with the first line that they apply to.
  var remarks: [Converter.Remark.Kind: String] = [:]
  /// `true` if a line has no answer.
  var failed = false
}

extension ConvertedRows {
  /// Appends the numbers of a row, and the messages about it.
  mutating func append(_ row: Converter.Row, place: String) {
    if !row.isUnique {
      messages.append(
        place + "two points of the locus have a normal through this color; the nearer is used")
    }
    for remark in row.remarks where remarks[remark.kind] == nil {
      remarks[remark.kind] = remark.text(place)
    }
    for (index, value) in row.numbers.enumerated() {
      if index > 0 { text += "," }
      // The shortest form that reads back to the same number.
      if let value { text += value.description }
    }
    text += "\n"
  }
}

/// The output of converted rows: CSV to standard output, and messages to standard error.
struct ConvertedOutput {
  private var shown: Set<Converter.Remark.Kind> = []
  private var failed = false

  mutating func show(_ rows: ConvertedRows) throws {
    rows.messages.forEach(remark)
    for (kind, text) in rows.remarks where shown.insert(kind).inserted { remark(text) }
    failed = failed || rows.failed
    var output = StandardOutput()
    try output.write(rows.text)
    try output.flush()
  }

  /// Throws the exit code if a row has no answer.
  func end() throws { if failed { throw ExitCode.badData } }
}

/// Converts the lines of a table one after another.
struct RowConversion: Sendable {
  /// The condition for the first row to be a header.
  enum Header {
    /// A known name in the row.
    case known
    case always, never
  }

  let converter: Converter
  let withErrors: Bool
  let header: Header
  private var separator: FieldSeparator?
  private var columns: RowColumns?
  /// The number of the row's line, if it has one, and the text that is appended to messages about
  /// it.
  private var line: Int?
  private var hint = ""
  /// A first line that is not text, which is answered once the columns are known.
  private var unread: (line: Int, reason: String)?

  init(_ converter: Converter, withErrors: Bool, header: Header = .known) {
    self.converter = converter
    self.withErrors = withErrors
    self.header = header
  }

  /// `true` if no further line changes the way in which later lines are read.
  var isSettled: Bool { columns != nil && separator != nil }

  /// Converts a whole table on all processors, in order.
  ///
  /// - Parameter show: receives finished rows, in pieces of a bounded size.
  /// - Throws: the reason that nothing can be converted, or the errors of reading and of `show`.
  mutating func convert(
    _ lines: inout TableLines, show: (ConvertedRows) throws -> Void
  ) throws {
    var first = ConvertedRows()
    while !isSettled, let (number, line) = try lines.next() {
      try convert(line, number: number, to: &first)
      guard !lines.haveMore || first.text.utf8.count >= 1 << 16 else { continue }
      // Results are shown while more input is awaited.
      try show(first)
      first = ConvertedRows()
    }
    begin(&first)
    try show(first)
    var rest = lines
    let work = OrderedWork(nextInput: { try rest.nextPiece() }) { [self] in
      var rows = self
      return { piece in Result { try rows.converted(piece) } }
    }
    try work.forEach { _, converted in try show(try converted.get()) }
  }

  private mutating func converted(_ piece: TableLines.Piece) throws -> ConvertedRows {
    var rows = ConvertedRows()
    var lines = TableLines(piece)
    while let (number, line) = try lines.next() { try convert(line, number: number, to: &rows) }
    return rows
  }

  /// Converts a line, and appends the result.
  ///
  /// - Throws: the reason that nothing can be converted, if the line is a header.
  mutating func convert(
    _ line: TableLines.Line, number: Int, to output: inout ConvertedRows
  ) throws(Converter.RowError) {
    self.line = number
    switch line {
    case .unreadable(let reason, let text):
      // A header with unknown names may have any order.
      if columns == nil, header == .always || text.map(isHeader) == true {
        throw Converter.RowError(description: place + "the line \(reason)")
      }
      if columns == nil, unread == nil {
        unread = (number, reason)
        return
      }
      begin(&output)
      fail("the line \(reason)", to: &output)
    case .text(let text):
      if text.utf8.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) { return }
      if columns == nil {
        if try readHeader(text) { return writeHeader(to: &output) }
        begin(&output)
        hint = hint(for: text)
        convert(text, to: &output)
        hint = ""
      } else {
        convert(text, to: &output)
      }
    }
  }

  /// Converts the words of a command line: numbers, or whole rows with separators.
  mutating func convert(words: [String], to output: inout ConvertedRows) {
    let columns = begin(&output)
    var row: [Substring] = []
    for word in words {
      let isNumber = converter.number(word[...], row.count % columns.count) != nil
      let isRow = !isNumber && FieldSeparator.guess(for: word) != .none
      if isRow || row.count == columns.count {
        if !row.isEmpty { convert(row, to: &output) }
        row = []
      }
      if isRow {
        separator = nil
        convert(word, to: &output)
      } else {
        row.append(word[...])
      }
    }
    if !row.isEmpty { convert(row, to: &output) }
  }

  private var place: String { line.map { "line \($0): " } ?? "" }

  /// Assumes unnamed columns and writes the header, unless this is done already.
  @discardableResult
  mutating func begin(_ output: inout ConvertedRows) -> RowColumns {
    if let columns { return columns }
    let columns = RowColumns(of: converter.from)
    self.columns = columns
    writeHeader(to: &output)
    return columns
  }

  /// Returns the hint for a first row that fails: it may be a header, unless it contains a number.
  private func hint(for line: String) -> String {
    let fields = FieldSeparator.guess(for: line).fields(of: line) ?? []
    let isHeader = header == .known && fields.allSatisfy { wbcal.number($0) == nil }
    let names = converter.from.columns.joined(separator: ",")
    return isHeader ? "; if this is a header, name \(names) in it or use --header" : ""
  }

  private mutating func writeHeader(to output: inout ConvertedRows) {
    let names =
      (columns?.otherNames ?? []).map(FieldSeparator.quoted)
      + converter.to.columns(withErrors: withErrors).map { $0[...] }
    output.text += names.joined(separator: ",") + "\n"
    guard let first = unread else { return }
    unread = nil
    let line = line
    self.line = first.line
    fail("the line \(first.reason)", to: &output)
    self.line = line
  }

  /// Indicates whether a first line that is not UTF-8 text is a header, according to its other
  /// names.
  private func isHeader(_ line: String) -> Bool {
    header == .known && FieldSeparator.find(in: line, where: RowColumns.haveName) != nil
  }

  /// Indicates whether the first row is a header, and reads its columns.
  private mutating func readHeader(_ line: String) throws(Converter.RowError) -> Bool {
    if header == .never { return false }
    let named = FieldSeparator.find(in: line) { fields in
      RowColumns.haveName(fields)
        && (header == .always || fields.allSatisfy { wbcal.number($0) == nil })
    }
    guard named != nil || header == .always else { return false }
    do throws(Converter.RowError) {
      if let (separator, names) = named {
        columns = try RowColumns(header: names, of: converter.from)
        self.separator = separator
      } else {
        // The names are not known, so that the number of columns decides.
        let width = converter.from.columns.count
        guard let found = FieldSeparator.find(in: line, where: { $0.count == width }) else {
          throw Converter.RowError(
            description: "the header has no known name, and not \(width) columns; name "
              + converter.from.columns.joined(separator: " and "))
        }
        columns = RowColumns(of: converter.from, areNamed: true)
        separator = width == 1 ? .none : found.separator
      }
    } catch { throw Converter.RowError(description: place + error.description) }
    return true
  }

  private mutating func convert(_ line: String, to output: inout ConvertedRows) {
    guard let columns else { return }
    if separator == nil {
      separator =
        FieldSeparator.find(in: line) { fields in
          fields.indices.allSatisfy { converter.number(fields[$0], $0) != nil }
        }?.separator
    }
    let separator = separator ?? FieldSeparator.guess(for: line)
    guard let fields = separator.fields(of: line) else {
      return fail("its quotation marks do not match", to: &output)
    }
    if columns.areNamed {
      guard fields.count == columns.count else {
        return fail(
          otherSeparator(of: line)
            ?? "it has \(fields.count) field\(fields.count == 1 ? "" : "s"), but the header "
            + "\(columns.count)",
          to: &output)
      }
      let others = columns.others.map { fields[$0] }
      if others.contains(where: { $0.utf8.contains(0) }) {
        return fail("it contains a NUL", to: &output)
      }
      convert(columns.numbers.map { fields[$0] }, others, to: &output)
    } else if fields.count != columns.count, let problem = otherSeparator(of: line) {
      fail(problem, to: &output)
    } else if separator == .comma, isDoubtful(fields) {
      let row = fields.joined(separator: ",")
      fail(
        "'\(row)' may be one number with a comma; write numbers with a decimal point "
          + "and without thousands separators", to: &output)
    } else {
      convert(fields, to: &output)
    }
  }

  /// Indicates whether the two numbers of a row may be the parts of one number with a comma: 0,3127
  /// or 5,600.
  private func isDoubtful(_ fields: [Substring]) -> Bool {
    guard fields.count == 2, fields[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      fields[0].utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2D || $0 == 0x2B })
    else { return false }
    return converter.from.isTemperature
      ? fields[1].utf8.count == 3 && fields[0].utf8.count <= 3
      : fields.contains { (wbcal.number($0) ?? 0) > 1 }
  }

  /// Returns the message about a row with another separator than the first.
  private func otherSeparator(of line: String) -> String? {
    guard let columns, let separator else { return nil }
    let other = FieldSeparator.find(in: line) { fields in
      fields.count == columns.count
        && zip(columns.numbers, 0...).allSatisfy { converter.number(fields[$0], $1) != nil }
    }
    return other.flatMap {
      $0.separator == separator
        ? nil : "its separator is \($0.separator.words), that of the first row \(separator.words)"
    }
  }

  private mutating func convert(
    _ fields: [Substring], _ others: [Substring] = [], to output: inout ConvertedRows
  ) {
    let row: Converter.Row
    do throws(Converter.RowError) {
      row = try converter.convert(fields, withErrors: withErrors)
    } catch { return fail(error.description, others, to: &output) }
    for other in others { output.text += FieldSeparator.quoted(other) + "," }
    output.append(row, place: place)
  }

  private mutating func fail(
    _ message: String, _ others: [Substring] = [], to output: inout ConvertedRows
  ) {
    output.failed = true
    output.messages.append("wbcal: " + place + message + hint)
    let results = converter.to.columns(withErrors: withErrors).count
    let empty = [Substring](repeating: "", count: (columns?.others.count ?? 0) - others.count)
    let fields = others.map(FieldSeparator.quoted) + empty
    output.text +=
      fields.map { $0 + "," }.joined() + String(repeating: ",", count: results - 1) + "\n"
  }
}
