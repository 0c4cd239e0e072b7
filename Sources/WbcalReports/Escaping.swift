/// Text as the content or a quoted attribute of HTML and SVG.
///
/// Characters that XML does not allow, such as control characters in a file's name, become U+FFFD.
func escaped(_ text: String) -> String {
  var result = ""
  result.reserveCapacity(text.utf8.count)
  for scalar in text.unicodeScalars {
    switch scalar {
    case "&": result += "&amp;"
    case "<": result += "&lt;"
    case ">": result += "&gt;"
    case "\"": result += "&quot;"
    case "'": result += "&#39;"
    case "\t", "\n": result.unicodeScalars.append(scalar)
    case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{FFFE}", "\u{FFFF}": result += "\u{FFFD}"
    default: result.unicodeScalars.append(scalar)
    }
  }
  return result
}

/// A file's name as one word of a POSIX shell command.
func shellWord(_ name: String) -> String {
  let safe = !name.isEmpty && !name.hasPrefix("-") && name.utf8.allSatisfy(isSafeInShell)
  if safe { return name }
  // A leading "-" would be read as an option even in quotes.
  let path = name.hasPrefix("-") ? "./" + name : name
  let parts = path.split(separator: "'", omittingEmptySubsequences: false)
  return "'" + parts.joined(separator: "'\\''") + "'"
}

private func isSafeInShell(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."),
    UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: ":"):
    true
  default: false
  }
}
