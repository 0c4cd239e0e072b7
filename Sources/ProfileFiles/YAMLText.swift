internal import WbcalFoundation

/// A value of the subset of YAML that tuning files use: collections in blocks and in brackets, of
/// plain and quoted scalars.
enum YAMLValue: Equatable {
  case nothing
  case scalar(String)
  case list([YAMLValue])
  case map([String: YAMLValue])

  subscript(_ key: String) -> YAMLValue? {
    if case .map(let values) = self { values[key] } else { nil }
  }

  /// The items of a list; `nil` for any other value.
  var items: [YAMLValue]? { if case .list(let items) = self { items } else { nil } }

  /// The value as a number; `nil` if it is not one.
  var number: Double? { if case .scalar(let text) = self { Double(text) } else { nil } }

  /// The numbers of a list that contains only numbers; `nil` for any other value.
  var numbers: [Double]? {
    guard let items else { return nil }
    let numbers = items.compactMap(\.number)
    return numbers.count == items.count ? numbers : nil
  }
}

/// An error that states why a text is not in the subset of YAML, with the line.
struct YAMLError: Error {
  var line: Int
  var problem: String
}

/// A reader of the subset of YAML that `YAMLValue` holds.
struct YAMLText {
  private struct Line {
    var number: Int
    /// The number of columns before the text.
    var indent: Int
    var text: Substring
  }

  /// The largest depth of nesting: more than any tuning has, and small enough for the stack.
  private static let deepest = 64

  private var lines: [Line] = []
  private var next = 0

  /// Returns the value of a document.
  static func value(of text: String) throws(YAMLError) -> YAMLValue {
    var reader = YAMLText()
    // The text is split by scalars, because a carriage return and a line feed are one character.
    for (index, scalars) in text.unicodeScalars.split(
      separator: "\n", omittingEmptySubsequences: false
    ).enumerated() {
      try reader.append(Substring(scalars), number: index + 1)
    }
    let value = try reader.block(from: 0, depth: 0)
    guard reader.next == reader.lines.count else {
      throw YAMLError(
        line: reader.lines[reader.next].number, problem: "its indentation matches no line above it")
    }
    return value
  }

  private mutating func append(_ line: Substring, number: Int) throws(YAMLError) {
    let text = Self.withoutComment(line)
    let indent = text.prefix { $0 == " " }.count
    let rest = text.dropFirst(indent)
    guard !rest.isEmpty else { return }
    if indent == 0, rest.hasPrefix("%") || rest == "---" || rest == "..." { return }
    guard rest.first != "\t" else {
      throw YAMLError(line: number, problem: "it is indented with a tab; YAML requires spaces")
    }
    lines.append(Line(number: number, indent: indent, text: rest))
  }

  /// Returns a line without its comment and without blanks at its end.
  private static func withoutComment(_ line: Substring) -> Substring {
    var quote: Character?
    var before: Character = " "
    var end = line.endIndex
    for (index, character) in zip(line.indices, line) {
      if let open = quote {
        if character == open { quote = nil }
      } else if "'\"".contains(character), " \t,[{:".contains(before) {
        quote = character
      } else if character == "#", before == " " || before == "\t" {
        end = index
        break
      }
      before = character
    }
    var text = line[..<end]
    while let last = text.last, last == " " || last == "\t" || last == "\r" { text.removeLast() }
    return text
  }

  // MARK: Blocks

  /// Returns the collection or scalar that begins in the next line, if it is indented far enough.
  private mutating func block(from indent: Int, depth: Int) throws(YAMLError) -> YAMLValue {
    guard next < lines.count, lines[next].indent >= indent else { return .nothing }
    let line = lines[next]
    guard depth < Self.deepest else {
      throw YAMLError(line: line.number, problem: "it is nested too deeply")
    }
    if Self.isItem(line.text) { return try list(at: line.indent, depth: depth) }
    if Self.entry(line.text) != nil { return try map(at: line.indent, depth: depth) }
    next += 1
    return try inline(line.text, of: line, depth: depth)
  }

  private mutating func list(at indent: Int, depth: Int) throws(YAMLError) -> YAMLValue {
    var items: [YAMLValue] = []
    while next < lines.count, lines[next].indent == indent, Self.isItem(lines[next].text) {
      let rest = lines[next].text.dropFirst()
      let blanks = rest.prefix { $0 == " " }.count
      if rest.isEmpty {
        next += 1
        items.append(try block(from: indent + 1, depth: depth + 1))
      } else {
        // The text after the dash begins a block of its own.
        lines[next].indent += 1 + blanks
        lines[next].text = rest.dropFirst(blanks)
        items.append(try block(from: indent + 1, depth: depth + 1))
      }
    }
    return .list(items)
  }

  private mutating func map(at indent: Int, depth: Int) throws(YAMLError) -> YAMLValue {
    var values: [String: YAMLValue] = [:]
    while next < lines.count, lines[next].indent == indent,
      let (key, rest) = Self.entry(lines[next].text)
    {
      let line = lines[next]
      next += 1
      if !rest.isEmpty {
        values[key] = try inline(rest, of: line, depth: depth)
      } else if next < lines.count, lines[next].indent == indent, Self.isItem(lines[next].text) {
        // A list may be indented as far as its key.
        values[key] = try list(at: indent, depth: depth + 1)
      } else {
        values[key] = try block(from: indent + 1, depth: depth + 1)
      }
    }
    return .map(values)
  }

  private static func isItem(_ text: Substring) -> Bool { text == "-" || text.hasPrefix("- ") }

  /// Returns the key with which a line begins, and the text after the colon.
  private static func entry(_ text: Substring) -> (key: String, rest: Substring)? {
    guard let first = text.first, !"[{".contains(first) else { return nil }
    var start = text.startIndex
    if "'\"".contains(first) {
      guard let end = text.dropFirst().firstIndex(of: first) else { return nil }
      start = end
    }
    guard
      let colon = text[start...].indices.first(where: { index in
        guard text[index] == ":" else { return false }
        let after = text.index(after: index)
        return after == text.endIndex || text[after] == " "
      })
    else { return nil }
    let rest = text[text.index(after: colon)...].drop { $0 == " " }
    return (unquoted(text[..<colon]), rest)
  }

  private static func unquoted(_ text: Substring) -> String {
    let text = text.trimmed
    guard text.count > 1, let first = text.first, first == text.last, "'\"".contains(first) else {
      return text
    }
    return String(text.dropFirst().dropLast())
  }

  // MARK: Brackets

  /// Returns a value after a key or a dash; one in brackets may continue in the lines below.
  private mutating func inline(
    _ text: Substring, of line: Line, depth: Int
  ) throws(YAMLError) -> YAMLValue {
    guard let first = text.first, "[{".contains(first) else {
      return .scalar(Self.unquoted(text))
    }
    var whole = String(text)
    var open = Self.openBrackets(text)
    while open > 0, next < lines.count {
      whole += " " + lines[next].text
      open += Self.openBrackets(lines[next].text)
      next += 1
    }
    var rest = Substring(whole)
    guard let value = Self.flow(&rest, depth: depth), rest.allSatisfy({ $0 == " " }) else {
      throw YAMLError(
        line: line.number, problem: "its brackets do not contain a valid list or map")
    }
    return value
  }

  /// Returns the number of brackets that a text opens and does not close.
  private static func openBrackets(_ text: Substring) -> Int {
    text.utf8.reduce(0) { count, byte in
      switch byte {
      case UInt8(ascii: "["), UInt8(ascii: "{"): count + 1
      case UInt8(ascii: "]"), UInt8(ascii: "}"): count - 1
      default: count
      }
    }
  }

  /// Removes and returns the value with which a text begins; `nil` if there is none.
  private static func flow(_ rest: inout Substring, depth: Int) -> YAMLValue? {
    guard depth < deepest else { return nil }
    rest = rest.drop { $0 == " " }
    switch rest.first {
    case "[":
      var items: [YAMLValue] = []
      let isWhole = members(of: &rest, until: "]") { rest in
        flow(&rest, depth: depth + 1).map { items.append($0) } != nil
      }
      return isWhole ? .list(items) : nil
    case "{":
      var values: [String: YAMLValue] = [:]
      let isWhole = members(of: &rest, until: "}") { rest in
        guard let colon = rest.firstIndex(of: ":") else { return false }
        let key = unquoted(rest[..<colon])
        rest = rest[rest.index(after: colon)...]
        values[key] = flow(&rest, depth: depth + 1)
        return values[key] != nil
      }
      return isWhole ? .map(values) : nil
    default:
      let end = rest.firstIndex { ",]}".contains($0) } ?? rest.endIndex
      defer { rest = rest[end...] }
      return .scalar(unquoted(rest[..<end]))
    }
  }

  /// Removes the members of a collection in brackets, which are separated by commas; a trailing
  /// comma is allowed.
  ///
  /// - Parameter take: removes a member; returns `false` if there is none.
  /// - Returns: `true` if the brackets close.
  private static func members(
    of rest: inout Substring, until end: Character, take: (inout Substring) -> Bool
  ) -> Bool {
    rest.removeFirst()
    while true {
      rest = rest.drop { $0 == " " }
      if rest.first == end {
        rest.removeFirst()
        return true
      }
      guard take(&rest) else { return false }
      rest = rest.drop { $0 == " " }
      if rest.first == "," {
        rest.removeFirst()
      } else if rest.first != end {
        return false
      }
    }
  }
}
