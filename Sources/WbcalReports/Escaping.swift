/// Escapes a text as the content or a quoted attribute of HTML and SVG.
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

/// Quotes a file's name as one word of a POSIX shell command.
func shellWord(_ name: String) -> String {
  let isSafe = name.allSatisfy {
    $0.isASCII && ($0.isLetter || $0.isNumber || "/._-+:".contains($0))
  }
  if isSafe, !name.isEmpty, !name.hasPrefix("-") { return name }
  // A leading "-" would be read as an option even in quotes.
  let path = name.hasPrefix("-") ? "./" + name : name
  let parts = path.split(separator: "'", omittingEmptySubsequences: false)
  return "'" + parts.joined(separator: "'\\''") + "'"
}
