extension StringProtocol {
  /// The text without white space at its ends.
  package var trimmed: String {
    let rest = drop(while: \.isWhitespace)
    return rest.lastIndex { !$0.isWhitespace }.map { String(rest[...$0]) } ?? ""
  }

  /// The text as a file name: every byte other than ASCII letters, digits and `-_.:@=+` becomes `%`
  /// and two digits.
  package var percentEncoded: String {
    utf8.reduce(into: "") { text, byte in
      let character = Character(Unicode.Scalar(byte))
      text +=
        character.isASCII && (character.isLetter || character.isNumber)
          || "-_.:@=+".contains(character) ? String(character) : "%" + hexadecimal(byte, digits: 2)
    }
  }

  /// The text decoded from `percentEncoded`; `nil` if the result is not UTF-8.
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

/// Returns a number in hexadecimal, padded with zeros to a number of digits.
package func hexadecimal(_ number: some BinaryInteger, digits: Int) -> String {
  let text = String(number, radix: 16, uppercase: true)
  return String(repeating: "0", count: max(0, digits - text.count)) + text
}
