/// Describes the first defect of a text that is not valid JSON (RFC 8259), which Foundation's
/// essentials do not do.
///
/// - Parameters:
///   - bytes: the text, in UTF-8.
/// - Returns: the defect and its place, such as "unexpected ',' in line 3, column 7", with columns
///   counted in bytes; "it is damaged" if none is found.
package func jsonDamage(in bytes: some Sequence<UInt8>) -> String {
  do throws(JSONDamage) {
    _ = try JSONReader.value(of: Array(bytes))
    return "it is damaged"
  } catch { return error.description }
}

/// The first defect of a JSON text, and its place.
struct JSONDamage: Error { let description: String }

/// A value in a JSON text.
struct JSONNode {
  var range: Range<Int>
  /// An object's values by their keys, which keep their escapes; of duplicate keys the last counts.
  var members: [String: JSONNode] = [:]
  /// An array's values.
  var elements: [JSONNode] = []
}

struct JSONReader {
  private let bytes: [UInt8]
  private var index = 0
  private var depth = 0

  /// Returns the value of a whole text.
  static func value(of bytes: [UInt8]) throws(JSONDamage) -> JSONNode {
    var reader = JSONReader(bytes: bytes)
    let value = try reader.value()
    reader.skip(" \t\r\n")
    guard reader.index == bytes.count else { throw reader.damage(at: reader.index) }
    return value
  }

  private mutating func value() throws(JSONDamage) -> JSONNode {
    let first = try token()
    let start = index
    switch first {
    case "{", "[": return try collection(isObject: first == "{")
    case "\"": try skipString()
    case "-", "0"..."9":
      let number = skip("+-.0123456789Ee")
      guard number.wholeMatch(of: /-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?/) != nil else {
        throw damage("unexpected '\(number)'", at: start)
      }
      guard Double(number)?.isFinite == true else {
        throw damage("number \(number) is too large", at: start)
      }
    case "a"..."z":
      let word = skip("abcdefghijklmnopqrstuvwxyz")
      guard ["true", "false", "null"].contains(word) else {
        throw damage("unexpected '\(word)'", at: start)
      }
    default: throw damage(at: start)
    }
    return JSONNode(range: start..<index)
  }

  private mutating func collection(isObject: Bool) throws(JSONDamage) -> JSONNode {
    // Foundation's limit.
    guard depth < 512 else {
      throw JSONDamage(description: "it is nested more than 512 levels deep")
    }
    depth += 1
    defer { depth -= 1 }
    var node = JSONNode(range: index..<index)
    index += 1
    let end: Character = isObject ? "}" : "]"
    var goesOn = try !take(end)
    while goesOn {
      if isObject {
        guard try token() == "\"" else { throw damage(at: index) }
        let quote = index
        try skipString()
        let key = String(decoding: bytes[quote + 1..<index - 1], as: UTF8.self)
        guard try take(":") else { throw damage(at: index) }
        node.members[key] = try value()
      } else {
        node.elements.append(try value())
      }
      goesOn = try take(",")
      if !goesOn, try !take(end) { throw damage(at: index) }
    }
    node.range = node.range.lowerBound..<index
    return node
  }

  private mutating func skipString() throws(JSONDamage) {
    let start = index
    index += 1
    while index < bytes.count {
      switch Character(Unicode.Scalar(bytes[index])) {
      case "\"":
        index += 1
        guard String(validating: bytes[start..<index], as: UTF8.self) == nil else { return }
        throw damage("a string that is not UTF-8", at: start)
      case "\\":
        let escaped = bytes[(index + 1)...].prefix(5).map { Character(Unicode.Scalar($0)) }
        let isWhole =
          escaped.first == "u"
          ? escaped.count == 5 && escaped.dropFirst().allSatisfy(\.isHexDigit)
          : escaped.first.map { "\"\\/bfnrt".contains($0) } ?? true
        guard isWhole else { throw damage(at: index) }
        index += 2
      case let character where character < " ": throw damage(at: index)
      default: index += 1
      }
    }
    throw damage("an unterminated string", at: start)
  }

  /// Returns the first character that is not blank.
  private mutating func token() throws(JSONDamage) -> Character {
    skip(" \t\r\n")
    if index < bytes.count { return Character(Unicode.Scalar(bytes[index])) }
    let line = 1 + bytes.count { $0 == UInt8(ascii: "\n") }
    throw JSONDamage(
      description: bytes.isEmpty ? "it is empty" : "it ends before it is complete, in line \(line)")
  }

  /// Skips the next token if it is this one, and returns whether it was.
  private mutating func take(_ wanted: Character) throws(JSONDamage) -> Bool {
    guard try token() == wanted else { return false }
    index += 1
    return true
  }

  @discardableResult private mutating func skip(_ characters: String) -> String {
    let skipped = bytes[index...].prefix { characters.utf8.contains($0) }
    index = skipped.endIndex
    return String(decoding: skipped, as: UTF8.self)
  }

  /// - Parameter problem: a problem other than an unexpected byte.
  private func damage(_ problem: String? = nil, at place: Int) -> JSONDamage {
    let byte = bytes[place]
    let sign =
      0x21..<0x7F ~= byte
      ? "'\(Character(Unicode.Scalar(byte)))'" : "byte 0x\(String(byte, radix: 16).uppercased())"
    let lines = bytes[..<place].split(
      separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let column = (lines.last?.count ?? 0) + 1
    return JSONDamage(
      description: (problem ?? "unexpected \(sign)") + " in line \(lines.count), column \(column)")
  }
}
