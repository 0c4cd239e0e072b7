import CameraControl
import Foundation
import WbcalSystem

/// Writes a message to standard error, behind the program's name.
func complain(_ message: String) { remark("wbcal: " + message) }

/// Writes a remark to standard error; results alone go to standard output.
func remark(_ message: String) { Terminal.standardError.write(printable(message) + "\n") }

/// A text without the control characters by which names from outside could affect the terminal.
func printable(_ text: String) -> String {
  String(
    String.UnicodeScalarView(
      text.unicodeScalars.map { scalar in
        let steers = scalar.properties.generalCategory == .control && scalar != "\n"
        return steers || scalar.properties.isBidiControl ? "?" : scalar
      }))
}

/// The number that a text spells, with ASCII's minus sign or Unicode's; the standard library alone
/// would stop reading at a NUL.
func number(_ text: some StringProtocol) -> Double? {
  if text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) { return Double(text) }
  guard text.contains("\u{2212}") else { return nil }
  return number(text.replacingOccurrences(of: "\u{2212}", with: "-"))
}

/// The temperature that a text spells, with or without its unit: 5600, 5600K or 5600 K.
func kelvin(_ text: some StringProtocol) -> Double? {
  number(text)
    ?? (text.hasSuffix("K")
      ? number(text.dropLast().trimmingCharacters(in: .whitespaces)) : nil)
}

/// Why a text is no number.
func notANumber(_ text: some StringProtocol) -> String {
  let text = String(text.prefix(40))
  let hasComma = number(text.replacingOccurrences(of: ",", with: "")) != nil
  return "'\(text)' is not a number"
    + (hasComma && text.contains(",")
      ? "; write it with a decimal point and without thousands separators" : "")
}

/// The numbers of a text in which commas separate them; `nil` unless there are exactly `count`.
func numbers(_ text: some StringProtocol, count: Int) -> [Double]? {
  let fields = text.split(separator: ",", omittingEmptySubsequences: false)
  let numbers = fields.compactMap { number($0) }
  return numbers.count == count && fields.count == count ? numbers : nil
}

/// A text without the byte order mark that spreadsheets put in front.
func withoutByteOrderMark(_ text: String) -> String {
  text.unicodeScalars.first == "\u{FEFF}"
    ? String(String.UnicodeScalarView(text.unicodeScalars.dropFirst())) : text
}

/// Standard output, buffered into large writes.
struct StandardOutput {
  private var pending: [UInt8] = []

  mutating func write(_ text: String) throws {
    pending.append(contentsOf: text.utf8)
    if pending.count >= 1 << 16 { try flush() }
  }

  mutating func flush() throws {
    defer { pending.removeAll(keepingCapacity: true) }
    if let code = writeAll(to: 1, pending) {
      throw Failure("write to", "standard output", errno: code)
    }
  }

  /// Writes a line at once.
  static func line(_ text: String) throws {
    var output = StandardOutput()
    try output.write(printable(text) + "\n")
    try output.flush()
  }
}

/// The lines of standard input, read in large pieces.
///
/// A line of more than 1 MiB cannot be a row of numbers: it is dropped, and a text that says so
/// takes its place.
struct InputLines {
  private var buffer = [UInt8](repeating: 0, count: 1 << 16)
  private var unread = 0..<0

  /// The next line; `atPause` is called before each read, so that results can be shown while more
  /// input is awaited.
  mutating func next(atPause: () throws -> Void = {}) throws -> String? {
    var line: [UInt8] = []
    var isTooLong = false
    var text: String { isTooLong ? "(longer-than-1-MiB)" : String(decoding: line, as: UTF8.self) }
    while true {
      if let end = buffer[unread].firstIndex(of: UInt8(ascii: "\n")) {
        line += buffer[unread.lowerBound..<end]
        unread = end + 1..<unread.upperBound
        return text
      }
      line += buffer[unread]
      unread = 0..<0
      if line.count > 1 << 20 {
        isTooLong = true
        line.removeAll(keepingCapacity: true)
      }
      try atPause()
      let count = unsafe read(0, &buffer, buffer.count)
      if count < 0 {
        if errno == EINTR { continue }
        throw Failure("read", "standard input", errno: errno)
      }
      if count == 0 { return line.isEmpty && !isTooLong ? nil : text }
      unread = 0..<count
    }
  }
}

/// Writes a value as one line of JSON.
func printJSON(_ value: some Encodable) throws {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
  try StandardOutput.line(String(decoding: try encoder.encode(value), as: UTF8.self))
}

/// A number for JSON, which has no infinity.
func finite(_ value: Double?) -> Double? { value.flatMap { $0.isFinite ? $0 : nil } }

extension [ControlValue] {
  var byName: [String: Int] { Dictionary(uniqueKeysWithValues: map { ($0.id.rawValue, $0.value) }) }

  var text: String { map { "\($0.id.rawValue) \($0.value)" }.joined(separator: ", ") }
}
