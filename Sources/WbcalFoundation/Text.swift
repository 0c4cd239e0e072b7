extension StringProtocol {
  /// The text without the white space at its ends.
  package var trimmed: String {
    let rest = drop(while: \.isWhitespace)
    return rest.lastIndex { !$0.isWhitespace }.map { String(rest[...$0]) } ?? ""
  }

  /// The text as a file's name: every byte as `%` and two digits that is neither one of ASCII's
  /// letters and digits nor one of `-_.:@=+`.
  package var percentEncoded: String {
    utf8.reduce(into: "") { text, byte in
      let character = Character(Unicode.Scalar(byte))
      text +=
        character.isASCII && (character.isLetter || character.isNumber)
          || "-_.:@=+".contains(character) ? String(character) : "%" + hexadecimal(byte, digits: 2)
    }
  }

  /// The text that was encoded so; `nil` where it is none of UTF-8.
  package var percentDecoded: String? {
    var bytes: [UInt8] = []
    var rest = utf8[...]
    while let byte = rest.popFirst() {
      if byte != UInt8(ascii: "%") {
        bytes.append(byte)
        continue
      }
      guard let code = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) else {
        return nil
      }
      bytes.append(code)
      rest = rest.dropFirst(2)
    }
    return String(validating: bytes, as: UTF8.self)
  }
}

/// A number in hexadecimal, with zeros before it up to a count of digits.
package func hexadecimal(_ number: some BinaryInteger, digits: Int) -> String {
  let text = String(number, radix: 16, uppercase: true)
  return String(repeating: "0", count: max(0, digits - text.count)) + text
}
