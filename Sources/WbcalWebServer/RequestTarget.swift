/// The target of a request: a path and parameters, decoded.
package struct RequestTarget: Sendable, Equatable {
  /// A parameter after the question mark.
  package struct Parameter: Sendable, Equatable {
    package let name: String
    package let value: String
  }

  package let path: String
  package let query: [Parameter]

  /// Parses the target of a request line; `nil` if it is not a plain path with parameters: if it
  /// has a bad percent escape, a control character, a backslash, text that is not UTF-8, or a
  /// segment that is empty, `.` or `..`.
  package init?(_ text: String) {
    let parts = text.utf8.split(
      separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
    guard let path = parts.first.flatMap({ Self.decoded($0) }), path.hasPrefix("/"),
      !path.contains("\\")
    else { return nil }
    let segments = path.utf8.dropFirst().split(
      separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    // If the path ends in a slash the last segment is empty.
    for (index, segment) in segments.enumerated()
    where segment.elementsEqual(".".utf8) || segment.elementsEqual("..".utf8)
      || segment.isEmpty && index < segments.count - 1
    {
      return nil
    }
    var query: [Parameter] = []
    for pair in (parts.dropFirst().first ?? "".utf8[...]).split(separator: UInt8(ascii: "&")) {
      let sides = pair.split(
        separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = Self.decoded(sides[0], isForm: true),
        let value = Self.decoded(sides.count > 1 ? sides[1] : sides[0].suffix(0), isForm: true)
      else { return nil }
      query.append(Parameter(name: name, value: value))
    }
    self.path = path
    self.query = query
  }

  /// Returns the target relative to a top-level folder; a target outside it is returned unchanged.
  func within(_ folder: String) -> RequestTarget {
    path.hasPrefix("/\(folder)/")
      ? RequestTarget(path: String(path.dropFirst(folder.count + 1)), query: query) : self
  }

  private init(path: String, query: [Parameter]) { (self.path, self.query) = (path, query) }

  /// Decodes percent escapes; in a form `+` is a blank.
  package static func decoded(
    _ bytes: some Collection<UInt8>, isForm: Bool = false
  ) -> String? {
    var result: [UInt8] = []
    var rest = bytes[...]
    while var byte = rest.popFirst() {
      if byte == UInt8(ascii: "%") {
        guard let high = rest.popFirst().flatMap(hexadecimal),
          let low = rest.popFirst().flatMap(hexadecimal)
        else { return nil }
        byte = high << 4 | low
      } else if isForm, byte == UInt8(ascii: "+") {
        byte = UInt8(ascii: " ")
      }
      guard byte >= 0x20, byte != 0x7F else { return nil }
      result.append(byte)
    }
    return String(validating: result, as: UTF8.self)
  }

  private static func hexadecimal(_ byte: UInt8) -> UInt8? {
    Character(Unicode.Scalar(byte)).hexDigitValue.map { UInt8($0) }
  }
}
