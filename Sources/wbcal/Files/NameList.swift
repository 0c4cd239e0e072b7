import WbcalFoundation

/// An entry of a list of files: a name, or a problem.
struct ListedName: Sendable {
  /// The file's name; for an invalid name, enough of it to identify it.
  var path: String
  /// The reason that it is not a valid name.
  var problem: Failure?
}

/// The names of files from standard input.
///
/// No name contains a NUL. If one is among the first bytes that arrive, as after `find -print0`,
/// names end with NUL and may contain anything else. Otherwise they end with a newline, or with a
/// carriage return and a newline, and empty lines are ignored. Bytes that are not text at all, such
/// as those of a picture, end the list with a single failure.
struct NameList {
  private var lines: TableLines
  private var hasBegun = false
  private var isOver = false

  /// The longest name that a file can be opened by, in bytes.
  static let longest = Int(PATH_MAX) - 1

  /// - Parameter more: returns the next bytes, none at the end.
  init(more: @escaping () throws -> [UInt8] = TableLines.standardInput) {
    lines = TableLines(name: "standard input", more: more)
    lines.separator = UInt8(ascii: "\n")
  }

  /// Returns the next name; `nil` after the last.
  mutating func next() -> ListedName? {
    if isOver { return nil }
    do {
      if !hasBegun { try begin() }
      while let (number, line) = try lines.next() {
        switch line {
        case .unreadable(_, let text): return listed(text, isReadable: false, number)
        case .text(let text):
          let name = lines.separator == 0 || !text.hasSuffix("\r") ? text : String(text.dropLast())
          if !name.isEmpty { return listed(name, isReadable: true, number) }
        }
      }
      isOver = true
      return nil
    } catch {
      isOver = true
      return ListedName(path: "-", problem: Failure(error))
    }
  }

  /// Determines the separator of the names.
  private mutating func begin() throws {
    hasBegun = true
    let start = try lines.start()
    let isUTF16 = start.starts(with: [0xFF, 0xFE]) || start.starts(with: [0xFE, 0xFF])
    if isUTF16 {
      throw Failure.badData("standard input is UTF-16 text; save the list of names as UTF-8")
    }
    let isPixmap =
      start.count > 3 && start.first == UInt8(ascii: "P")
      && (UInt8(ascii: "1")...UInt8(ascii: "6")).contains(start[start.startIndex + 1])
      && [9, 10, 13, 32].contains(start[start.startIndex + 2])
    // Text in another encoding is not UTF-8, and a name may contain control characters. Names with
    // both properties have not been seen, but all pictures and archives have both.
    let steers = start.contains { ($0 < 0x20 && ![0, 9, 10, 13].contains($0)) || $0 == 0x7F }
    if steers || isPixmap, !isText(start) {
      throw Failure.badData(
        "standard input contains binary data instead of file names; to read a picture from it, "
          + "write /dev/stdin instead of -")
    }
    if start.contains(0) { lines.separator = 0 }
  }

  /// Indicates whether bytes are UTF-8 text, in which the last character may be cut off.
  private func isText(_ bytes: ArraySlice<UInt8>) -> Bool {
    (0...3).contains { String(validating: bytes.dropLast($0), as: UTF8.self) != nil }
  }

  /// - Parameter text: `nil` for a name that is much too long.
  private func listed(_ text: String?, isReadable: Bool, _ number: Int) -> ListedName {
    let name = text ?? ""
    let reason: String
    if name.utf8.contains(0) {
      reason = "contains a NUL, which ends a name; end all names with NUL, or all with a newline"
    } else if text == nil || name.utf8.count > Self.longest {
      reason = "is longer than a file name can be, \(Self.longest) bytes"
    } else if isReadable {
      return ListedName(path: name)
    } else {
      reason = "is not UTF-8; rename the file"
    }
    let start = String(decoding: name.utf8.prefix(60), as: UTF8.self)
    let path = text == nil || name.utf8.count > 60 ? start + "…" : start
    let place = (lines.separator == 0 ? "name" : "line") + " \(number) of standard input"
    return ListedName(path: path, problem: .badData("\(shown(path)), \(place), \(reason)"))
  }
}
