/// A command as somebody would type it.
struct ShellWords: CustomStringConvertible {
  var words: [String]

  init(_ words: [String]) { self.words = words }

  var description: String { words.map(Self.quoted).joined(separator: " ") }

  /// Adds an option; its value goes behind an equals sign where it would be taken for an option.
  mutating func add(_ option: String, _ value: String) {
    words += value.hasPrefix("-") ? ["\(option)=\(value)"] : [option, value]
  }

  /// The arguments behind the command's name.
  var arguments: [String] { Array(words.dropFirst(2)) }

  /// A word that a POSIX shell reads as it is.
  static func quoted(_ word: String) -> String {
    let plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=:,./@%"
    if !word.isEmpty, word.allSatisfy(plain.contains) { return word }
    return "'" + word.replacing("'", with: "'\\''") + "'"
  }

  /// A number with as few digits as mean the same.
  static func number(_ value: Double) -> String {
    Int(exactly: value).map { "\($0)" } ?? "\(value)"
  }

  static func numbers(_ values: [Double]) -> String {
    values.map(number).joined(separator: ",")
  }
}
