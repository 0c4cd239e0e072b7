/// The separator between the fields of a table's rows.
enum FieldSeparator: CaseIterable {
  // The order in which they are tried.
  case comma, semicolon, tab
  /// Any white space.
  case space
  /// Nothing: a row is one field.
  case none

  /// The separator in words, after "separated by".
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

  /// Returns the fields of a line, without the white space around them, except for white space
  /// between quotation marks (RFC 4180, but one line for each row); `nil` if the quotation marks do
  /// not match.
  ///
  /// It works on bytes, because finding the characters would take as long as all other work on a
  /// row.
  func fields(of line: String) -> [Substring]? {
    let bytes = line.utf8
    let text = bytes.span
    var fields: [Substring] = []
    fields.reserveCapacity(4)
    var start = 0
    for index in text.indices {
      if text[index] == UInt8(ascii: "\"") { return quotedFields(of: line) }
      guard isSeparator(text[index]) else { continue }
      if self != .space || index > start { fields.append(Self.trimmed(bytes, start..<index)) }
      start = index + 1
    }
    let isEnded = self == .space && start == text.count && !fields.isEmpty
    if !isEnded { fields.append(Self.trimmed(bytes, start..<text.count)) }
    return fields
  }

  private static func trimmed(_ bytes: String.UTF8View, _ field: Range<Int>) -> Substring {
    let text = bytes.span
    guard let start = field.first(where: { !isSpace(text[$0]) }),
      let last = field.last(where: { !isSpace(text[$0]) })
    else { return "" }
    let first = bytes.index(bytes.startIndex, offsetBy: start)
    return Substring(bytes[first...bytes.index(first, offsetBy: last - start)])
  }

  private func quotedFields(of line: String) -> [Substring]? {
    var fields: [Substring] = []
    var rest = line.utf8[...]
    while true {
      // White space before a field is skipped, unless it separates fields itself.
      rest = rest.drop { Self.isSpace($0) && (self == .space || !isSeparator($0)) }
      if self == .space, rest.isEmpty { return fields }
      if rest.first == UInt8(ascii: "\"") {
        var field = ""
        repeat {
          rest = rest.dropFirst()
          guard let end = rest.firstIndex(of: UInt8(ascii: "\"")) else { return nil }
          field += Substring(rest[..<end])
          rest = rest[end...].dropFirst()
          // Two quotation marks within a field stand for one.
          if rest.first == UInt8(ascii: "\"") { field += "\"" }
        } while rest.first == UInt8(ascii: "\"")
        fields.append(field[...])
        rest = rest.drop { Self.isSpace($0) && !isSeparator($0) }
        guard let next = rest.first else { return fields }
        guard isSeparator(next) else { return nil }
      } else {
        let end = rest.firstIndex(where: isSeparator) ?? rest.endIndex
        let last = rest[..<end].lastIndex { !Self.isSpace($0) }
        fields.append(last.map { Substring(rest[...$0]) } ?? "")
        rest = rest[end...]
        if rest.isEmpty { return fields }
      }
      rest = rest.dropFirst()
    }
  }

  /// Returns the separator for which the fields of a line meet a condition, and those fields.
  static func find(
    in line: String, where isWanted: ([Substring]) -> Bool
  ) -> (separator: FieldSeparator, fields: [Substring])? {
    for separator in allCases
    where separator == .none || line.utf8.contains(where: separator.isSeparator) {
      if let fields = separator.fields(of: line), isWanted(fields) { return (separator, fields) }
    }
    return nil
  }

  /// Returns the most likely separator of a line, if no other row shows it.
  static func guess(for line: String) -> FieldSeparator {
    [.semicolon, .tab, .space, .comma].first { line.utf8.contains(where: $0.isSeparator) } ?? .none
  }

  /// Returns a field of comma-separated text, in quotation marks if it needs them.
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
