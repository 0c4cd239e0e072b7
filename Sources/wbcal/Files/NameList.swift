import WbcalFoundation

/// A name from a list of files, or what stands in a name's place.
struct ListedName: Sendable {
  /// The file's name; of what is none, as much as shows what is meant.
  var path: String
  /// Why it is no name.
  var problem: Failure?
}

/// The names of files in standard input.
///
/// No name holds a NUL. So if one is among the first bytes that arrive, as after `find -print0`,
/// names end with NUL and may hold anything else; otherwise they end with a newline, or with a
/// carriage return and a newline, and empty lines are none. Bytes that are no text at all, such as
/// a picture's, end the list with its one failure.
struct NameList {
  private var lines: InputLines
  private var number = 0
  private var hasBegun = false
  private var isOver = false

  /// The longest name that a file can be opened by, in bytes.
  static let longest = Int(PATH_MAX) - 1

  init(_ lines: InputLines = InputLines()) { self.lines = lines }

  /// The next name; `nil` behind the last.
  mutating func next() -> ListedName? {
    if isOver { return nil }
    do {
      if !hasBegun { try begin() }
      while let bytes = try lines.next() {
        number += 1
        var name = bytes[...]
        if lines.separator == UInt8(ascii: "\n"), name.last == UInt8(ascii: "\r") {
          name.removeLast()
        }
        if !name.isEmpty { return listed(name) }
      }
      isOver = true
      return nil
    } catch {
      isOver = true
      return ListedName(path: "-", problem: Failure(error))
    }
  }

  /// Finds out what ends a name.
  private mutating func begin() throws {
    hasBegun = true
    let start = try lines.block()
    let isUTF16 = start.starts(with: [0xFF, 0xFE]) || start.starts(with: [0xFE, 0xFF])
    if isUTF16 {
      throw Failure.badData("standard input is UTF-16 text; save the list of names as UTF-8")
    }
    let isPixmap =
      start.count > 3 && start.first == UInt8(ascii: "P")
      && (UInt8(ascii: "1")...UInt8(ascii: "6")).contains(start[start.startIndex + 1])
      && [9, 10, 13, 32].contains(start[start.startIndex + 2])
    // Text in another encoding is not UTF-8, and a name may hold control characters; names that are
    // both have not been seen, but every picture and every archive is.
    let steers = start.contains { ($0 < 0x20 && ![0, 9, 10, 13].contains($0)) || $0 == 0x7F }
    if steers || isPixmap, !isText(start) {
      throw Failure.badData(
        "standard input holds no names of files but binary data; to read a picture from it, write "
          + "/dev/stdin in place of -")
    }
    if start.contains(0) { lines.separator = 0 } else { try lines.skipByteOrderMark() }
  }

  /// Whether bytes are UTF-8 text, the last character of which may be cut off.
  private func isText(_ bytes: ArraySlice<UInt8>) -> Bool {
    (0...3).contains { String(validating: bytes.dropLast($0), as: UTF8.self) != nil }
  }

  private func listed(_ bytes: ArraySlice<UInt8>) -> ListedName {
    let text = String(validating: bytes, as: UTF8.self)
    let reason: String
    if bytes.contains(0) {
      reason = "holds a NUL, which ends a name; end all names with NUL, or all with a newline"
    } else if bytes.count > Self.longest {
      reason = "is longer than a file's name can be, \(Self.longest) bytes"
    } else if let text {
      return ListedName(path: text)
    } else {
      reason = "is not UTF-8, in which names are read; rename the file"
    }
    let start = String(decoding: bytes.prefix(60), as: UTF8.self)
    let path = bytes.count > 60 ? start + "…" : start
    let place = (lines.separator == 0 ? "name" : "line") + " \(number) of standard input"
    return ListedName(path: path, problem: .badData("\(shown(path)), \(place), \(reason)"))
  }
}
