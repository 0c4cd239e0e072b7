/// Describes the first defect of a text that is not valid JSON (RFC 8259), which Foundation's
/// essentials do not do.
///
/// - Parameters:
///   - bytes: the text, in UTF-8.
/// - Returns: the defect and its place, such as "unexpected ',' in line 3, column 7", with columns
///   counted in bytes; "it is damaged" if none is found.
package func jsonDamage(in bytes: some Sequence<UInt8>) -> String {
  var scanner = JSONScanner(bytes: Array(bytes))
  return scanner.damage()
}

private struct JSONScanner {
  let bytes: [UInt8]
  private var index = 0
  /// Indicates for each open bracket whether it belongs to an object.
  private var open: [Bool] = []

  init(bytes: [UInt8]) { self.bytes = bytes }

  private enum Part {
    case value, key, colon
    /// The token after a value: a comma, a closing bracket, or the end of the text.
    case rest
  }

  mutating func damage() -> String {
    var expected = Part.value
    // Only an empty object or array may end where its first member is expected.
    var isFirst = false
    while true {
      while let next = next, " \t\r\n".utf8.contains(next) { index += 1 }
      guard let next else { break }
      let wasFirst = isFirst
      isFirst = false
      switch (expected, Character(Unicode.Scalar(next))) {
      case (.value, "{"), (.value, "["):
        open.append(next == UInt8(ascii: "{"))
        expected = open.last == true ? .key : .value
        isFirst = true
        // Foundation's limit.
        guard open.count <= 512 else { return "it is nested more than 512 levels deep" }
        index += 1
      case (.value, "\""), (.key, "\""):
        if let problem = skipString() { return problem }
        expected = expected == .key ? .colon : .rest
      case (.value, "-"), (.value, "0"..."9"):
        if let problem = skipNumber() { return problem }
        expected = .rest
      case (.value, "a"..."z"):
        let start = index
        while let letter = self.next, UInt8(ascii: "a")...UInt8(ascii: "z") ~= letter { index += 1 }
        let word = text(from: start)
        guard ["true", "false", "null"].contains(word) else {
          return "unexpected '\(word)'" + place(of: start)
        }
        expected = .rest
      case (.colon, ":"):
        expected = .value
        index += 1
      case (.rest, ",") where !open.isEmpty:
        expected = open.last == true ? .key : .value
        index += 1
      case (.rest, "}") where open.last == true, (.rest, "]") where open.last == false,
        (.key, "}") where wasFirst, (.value, "]") where wasFirst && open.last == false:
        open.removeLast()
        expected = .rest
        index += 1
      default: return unexpected(index)
      }
    }
    if expected != .rest || !open.isEmpty {
      return bytes.isEmpty
        ? "it is empty" : "it ends before it is complete, in line \(line(of: index))"
    }
    return "it is damaged"
  }

  private var next: UInt8? { index < bytes.count ? bytes[index] : nil }

  private func text(from start: Int) -> String {
    String(decoding: bytes[start..<index], as: UTF8.self)
  }

  private func line(of index: Int) -> Int {
    1 + bytes[..<index].count { $0 == UInt8(ascii: "\n") }
  }

  private func place(of index: Int) -> String {
    let start = bytes[..<index].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    return " in line \(line(of: index)), column \(index - start + 1)"
  }

  private func unexpected(_ index: Int) -> String {
    let byte = bytes[index]
    return
      (0x21..<0x7F ~= byte
      ? "unexpected '\(Character(Unicode.Scalar(byte)))'"
      : "unexpected byte 0x" + String(byte, radix: 16, uppercase: true)) + place(of: index)
  }

  private mutating func skipString() -> String? {
    let start = index
    index += 1
    while let next {
      switch Character(Unicode.Scalar(next)) {
      case "\"":
        index += 1
        return String(validating: bytes[start..<index], as: UTF8.self) == nil
          ? "a string that is not UTF-8" + place(of: start) : nil
      case "\\":
        let escaped = bytes[(index + 1)...].prefix(5).map { Character(Unicode.Scalar($0)) }
        let isWhole =
          escaped.first == "u"
          ? escaped.count == 5 && escaped.dropFirst().allSatisfy(\.isHexDigit)
          : escaped.first.map { "\"\\/bfnrt".contains($0) } ?? true
        guard isWhole else { return unexpected(index) }
        index += 2
      case let character where character < " ": return unexpected(index)
      default: index += 1
      }
    }
    index = bytes.count
    return "an unterminated string" + place(of: start)
  }

  private mutating func skipNumber() -> String? {
    let start = index
    while let next, "+-.0123456789Ee".utf8.contains(next) { index += 1 }
    let number = text(from: start)
    guard number.wholeMatch(of: /-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?/) != nil else {
      return "unexpected '\(number)'" + place(of: start)
    }
    return Double(number)?.isFinite == true
      ? nil : "number \(number) is too large" + place(of: start)
  }
}
