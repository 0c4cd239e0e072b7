/// A command as a user would type it.
struct ShellWords: CustomStringConvertible {
  var words: [String]

  init(_ words: [String]) { self.words = words }

  var description: String { words.map(Self.quoted).joined(separator: " ") }

  /// Adds an option. A value that looks like an option follows an equals sign.
  mutating func add(_ option: String, _ value: String) {
    words += value.hasPrefix("-") ? ["\(option)=\(value)"] : [option, value]
  }

  /// The arguments after the command's name.
  var arguments: [String] { Array(words.dropFirst(2)) }

  /// Returns a word in a form that a POSIX shell reads literally.
  static func quoted(_ word: String) -> String {
    let plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=:,./@%"
    if !word.isEmpty, word.allSatisfy(plain.contains) { return word }
    return "'" + word.replacing("'", with: "'\\''") + "'"
  }

  /// Returns a number in its shortest exact form.
  static func number(_ value: Double) -> String {
    Int(exactly: value).map { "\($0)" } ?? "\(value)"
  }

  static func numbers(_ values: [Double]) -> String {
    values.map(number).joined(separator: ",")
  }
}
