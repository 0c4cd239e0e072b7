extension String {
  /// Returns the text with every line indented, and broken at spaces if it exceeds the width.
  package func wrapped(to width: Int, indent: Int = 0) -> String {
    split(separator: "\n", omittingEmptySubsequences: false)
      .flatMap { Self.wrap($0, to: width, indent: indent) }
      .joined(separator: "\n")
  }

  private static func wrap(_ line: Substring, to width: Int, indent: Int) -> [String] {
    // The continuation of an indented line, such as an example, has the same indentation.
    let text = line.drop { $0 == " " }
    guard !text.isEmpty else { return [""] }
    let margin = String(repeating: " ", count: indent + line.count - text.count)
    let room = Swift.max(1, width - margin.count)
    var lines: [String] = []
    var rest = text
    while rest.count > room {
      let end = rest.index(rest.startIndex, offsetBy: room)
      let space = rest[...end].lastIndex(of: " ") ?? rest[end...].firstIndex(of: " ")
      guard let space else { break }
      lines.append(margin + rest[..<space])
      rest = rest[space...].drop { $0 == " " }
    }
    if !rest.isEmpty { lines.append(margin + rest) }
    return lines
  }
}
