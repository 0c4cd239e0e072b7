/// The positions of the values in a JSON text that is known to be valid.
struct JSONText {
  let bytes: [UInt8]

  /// Returns the ranges of an object's values by their keys, which keep their escapes; of duplicate
  /// keys the last counts.
  func members(of start: Int) -> [String: Range<Int>] {
    var members: [String: Range<Int>] = [:]
    var index = afterBlanks(start)
    guard byte(index) == UInt8(ascii: "{") else { return [:] }
    index = afterBlanks(index + 1)
    while byte(index) == UInt8(ascii: "\"") {
      let end = endOfValue(index)
      let key = String(decoding: bytes[index + 1..<end - 1], as: UTF8.self)
      let value = afterBlanks(afterBlanks(end) + 1)  // after the colon
      let valueEnd = endOfValue(value)
      members[key] = value..<valueEnd
      index = afterBlanks(afterBlanks(valueEnd) + 1)  // after the comma
    }
    return members
  }

  /// Returns the ranges of an array's elements.
  func elements(of start: Int) -> [Range<Int>] {
    var elements: [Range<Int>] = []
    var index = afterBlanks(start)
    guard byte(index) == UInt8(ascii: "[") else { return [] }
    index = afterBlanks(index + 1)
    while let first = byte(index), first != UInt8(ascii: "]") {
      let end = endOfValue(index)
      elements.append(index..<end)
      index = afterBlanks(end)
      guard byte(index) == UInt8(ascii: ",") else { break }
      index = afterBlanks(index + 1)
    }
    return elements
  }

  private func byte(_ index: Int) -> UInt8? { index < bytes.count ? bytes[index] : nil }

  private func afterBlanks(_ index: Int) -> Int {
    var index = index
    while let next = byte(index), " \t\r\n".utf8.contains(next) { index += 1 }
    return index
  }

  /// Returns the end of the value that begins at an index.
  private func endOfValue(_ start: Int) -> Int {
    var index = start
    var depth = 0
    while let next = byte(index) {
      switch next {
      case UInt8(ascii: "\""):
        index += 1
        while let inside = byte(index), inside != UInt8(ascii: "\"") {
          index += inside == UInt8(ascii: "\\") ? 2 : 1
        }
        if depth == 0 { return index + 1 }
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if depth == 0 { return index }
        depth -= 1
        if depth == 0 { return index + 1 }
      case UInt8(ascii: ","), UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"),
        UInt8(ascii: "\t"):
        if depth == 0 { return index }
      default: break
      }
      index += 1
    }
    return min(index, bytes.count)
  }
}
