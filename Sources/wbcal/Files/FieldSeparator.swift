/// What separates the fields of a table's rows.
enum FieldSeparator: CaseIterable {
  // The order in which they are tried.
  case comma, semicolon, tab
  /// Any white space.
  case space
  /// Nothing: a row is one field.
  case none

  /// In words, after "separated by".
  var words: String {
    switch self {
    case .comma: "commas"
    case .semicolon: "semicolons"
    case .tab: "tabs"
    case .space: "white space"
    case .none: "nothing"
    }
  }

  private func isSeparator(_ byte: UInt8) -> Bool {
    switch self {
    case .comma: byte == UInt8(ascii: ",")
    case .semicolon: byte == UInt8(ascii: ";")
    case .tab: byte == 0x09
    case .space: Self.isSpace(byte)
    case .none: false
    }
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0D).contains(byte)
  }

  /// The fields of a line, without the white space around them, but for white space between
  /// quotation marks (RFC 4180, but one line for each row); `nil` where these do not match.
  ///
  /// Works on bytes: finding the characters of a million rows would take as long as all else.
  func fields(of line: String) -> [Substring]? {
    let bytes = line.utf8
    if bytes.contains(UInt8(ascii: "\"")) { return quotedFields(of: line) }
    switch self {
    case .comma: return Self.trimmedFields(bytes, UInt8(ascii: ","))
    case .semicolon: return Self.trimmedFields(bytes, UInt8(ascii: ";"))
    case .tab: return Self.trimmedFields(bytes, 0x09)
    case .space:
      let fields = bytes.split(whereSeparator: Self.isSpace).map { Substring($0) }
      return fields.isEmpty ? [""] : fields
    case .none: return [Self.trimmed(bytes[...])]
    }
  }

  private static func trimmedFields(_ bytes: String.UTF8View, _ separator: UInt8) -> [Substring] {
    // Splitting, then trimming would make two arrays of each row.
    var fields: [Substring] = []
    fields.reserveCapacity(4)
    var rest = bytes[...]
    while let end = rest.firstIndex(of: separator) {
      fields.append(trimmed(rest[..<end]))
      rest = rest[end...].dropFirst()
    }
    fields.append(trimmed(rest))
    return fields
  }

  private static func trimmed(_ field: Substring.UTF8View) -> Substring {
    let start = field.drop(while: isSpace)
    return start.lastIndex { !isSpace($0) }.map { Substring(start[...$0]) } ?? ""
  }

  private func quotedFields(of line: String) -> [Substring]? {
    var fields: [Substring] = []
    var rest = line.utf8[...]
    while true {
      // White space before a field, unless it separates fields itself.
      rest = rest.drop { Self.isSpace($0) && (self == .space || !isSeparator($0)) }
      if self == .space, rest.isEmpty { return fields }
      if rest.first == UInt8(ascii: "\"") {
        var field = ""
        repeat {
          rest = rest.dropFirst()
          guard let end = rest.firstIndex(of: UInt8(ascii: "\"")) else { return nil }
          field += Substring(rest[..<end])
          rest = rest[end...].dropFirst()
          // Two marks within a field stand for one.
          if rest.first == UInt8(ascii: "\"") { field += "\"" }
        } while rest.first == UInt8(ascii: "\"")
        fields.append(field[...])
        rest = rest.drop { Self.isSpace($0) && !isSeparator($0) }
        guard let next = rest.first else { return fields }
        guard isSeparator(next) else { return nil }
      } else {
        let end = rest.firstIndex(where: isSeparator) ?? rest.endIndex
        fields.append(Self.trimmed(rest[..<end]))
        rest = rest[end...]
        if rest.isEmpty { return fields }
      }
      rest = rest.dropFirst()
    }
  }

  /// The separator by which the fields of a line are what is looked for, and those fields.
  static func find(
    in line: String, where isWanted: ([Substring]) -> Bool
  ) -> (separator: FieldSeparator, fields: [Substring])? {
    for separator in allCases
    where separator == .none || line.utf8.contains(where: separator.isSeparator) {
      if let fields = separator.fields(of: line), isWanted(fields) { return (separator, fields) }
    }
    return nil
  }

  /// The separator that a line most likely has, where no other row tells.
  static func guess(for line: String) -> FieldSeparator {
    [.semicolon, .tab, .space, .comma].first { line.utf8.contains(where: $0.isSeparator) } ?? .none
  }

  /// A field as comma-separated text has it: in quotation marks where it needs them.
  static func quoted(_ field: Substring) -> Substring {
    let needsMarks =
      field.utf8.contains { [0x0A, 0x0D, UInt8(ascii: ","), UInt8(ascii: "\"")].contains($0) }
      || field.utf8.first.map(isSpace) == true || field.utf8.last.map(isSpace) == true
    guard needsMarks else { return field }
    return "\""
      + field.split(separator: "\"", omittingEmptySubsequences: false)
      .joined(separator: "\"\"") + "\""
  }
}
