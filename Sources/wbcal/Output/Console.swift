import CameraProfiles
import WbcalArguments
import WbcalFoundation
import WbcalSystem

/// Writes a message to standard error, after the program's name.
func complain(_ message: String) { writeMessage(message, after: "wbcal: ") }

/// Writes a remark to standard error; only results go to standard output.
func remark(_ message: String) { writeMessage(message) }

/// Writes a remark that ends in advice, which only helps in a terminal.
func remark(_ message: String, advice: String) { writeMessage(message, advice: advice) }

// It is called in a hundred places.
@inline(never)
private func writeMessage(_ message: String, after prefix: String = "", advice: String = "") {
  Progress.shared.report(remark: message)
  Progress.shared.withoutLine {
    _ = Terminal.standardError.write(printable(prefix + message + advice) + "\n")
  }
}

/// Returns a text without the control characters by which foreign names could affect the terminal.
/// A byte of a name that is not text is shown by its number.
func printable(_ text: String) -> String {
  var shown = String.UnicodeScalarView()
  for scalar in text.unicodeScalars {
    if let byte = scalar.systemByte {
      shown.append(contentsOf: "\\x\(hexadecimal(byte, digits: 2))".unicodeScalars)
    } else {
      shown.append(steersTerminal(scalar) ? "?" : scalar)
    }
  }
  return String(shown)
}

private func steersTerminal(_ scalar: Unicode.Scalar) -> Bool {
  scalar.properties.generalCategory == .control && scalar != "\n"
    || scalar.properties.isBidiControl
}

/// Returns a file's name as messages and rows of text show it: in one line, and visible if it is
/// empty.
func shown(_ name: String) -> String {
  name.isEmpty ? "''" : printable(name).replacing("\n", with: "?")
}

/// Parses a number, with ASCII's minus sign or Unicode's; the standard library alone would stop
/// reading at a NUL. A NaN has no sign, which messages would show.
func number(_ text: some StringProtocol) -> Double? {
  if text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) {
    let number = Double(text)
    return number?.isNaN == true ? .nan : number
  }
  guard text.contains("\u{2212}") else { return nil }
  return number(String(text).replacing("\u{2212}", with: "-"))
}

/// Parses a temperature with or without its unit: 5600, 5600K or 5600 K.
func kelvin(_ text: some StringProtocol) -> Double? {
  number(text)
    ?? (text.hasSuffix("K")
      ? number(text.dropLast().trimmed) : nil)
}

/// Returns the reason that a text is not a number.
func notANumber(_ text: some StringProtocol) -> String {
  let text = String(text.prefix(40))
  let hasComma = number(text.replacing(",", with: "")) != nil
  return "'\(text)' is not a number"
    + (hasComma && text.contains(",")
      ? "; write it with a decimal point and without thousands separators" : "")
}

/// Parses numbers that are separated by commas; `nil` unless there are exactly `count`.
func numbers(_ text: some StringProtocol, count: Int) -> [Double]? {
  let fields = text.split(separator: ",", omittingEmptySubsequences: false)
  let numbers = fields.compactMap { number($0) }
  return numbers.count == count && fields.count == count ? numbers : nil
}

/// Returns a text without the byte order mark that spreadsheets write at the start.
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
    let output = Surroundings.current.output
    guard let code = Progress.shared.withoutLine({ writeAll(to: output, pending) }) else { return }
    // The reader has stopped reading.
    if code == EPIPE { throw ExitCode.outputClosed }
    throw Failure("write to", "standard output", errno: code)
  }

  /// Writes a line at once.
  @inline(never)
  static func line(_ text: String) throws {
    var output = StandardOutput()
    try output.write(printable(text) + "\n")
    try output.flush()
  }
}

/// Writes a value as one line of JSON, with the version of the meaning of its keys.
///
/// - Parameter version: `nil` for a value that has a version of its own.
func printJSON(_ value: some Encodable, version: Int? = 1) throws {
  try StandardOutput.line(try jsonLine(value, version: version))
}

/// Returns a value as one line of JSON, as `printJSON` writes it.
dynamic func jsonLine(_ value: some Encodable, version: Int? = 1) throws -> String {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
  let data = try encoder.encode(
    Joined(first: value, second: ["version": version].compactMapValues(\.self)))
  var text = String(decoding: data, as: UTF8.self)
  // Characters that could affect a terminal are written as escapes with the same meaning. JSON has
  // none below a space.
  if text.utf8.contains(where: { $0 >= 0x7F }) {
    text = text.unicodeScalars.map {
      steersTerminal($0) ? "\\u" + hexadecimal($0.value, digits: 4).lowercased() : String($0)
    }.joined()
  }
  return text
}

/// The reasons for which an input or a camera has no result, as JSON.
struct FailureRecord: JSONRecord {
  private let error: String
  private let exitCode: Int32
  private let reasons: [String]

  init(_ failure: Failure) {
    (error, exitCode, reasons) = (failure.code.word, failure.code.rawValue, [failure.message])
  }
}

/// Writes a failure as one line of JSON.
///
/// - Parameter keys: the keys that name what has failed.
func printJSON(_ failure: Failure, of keys: some Encodable) throws {
  try printJSON(Joined(first: keys, second: FailureRecord(failure)))
}

/// Two records whose keys are written as those of one.
struct Joined<First: Encodable, Second: Encodable>: Encodable {
  var first: First
  var second: Second

  func encode(to encoder: any Encoder) throws {
    try first.encode(to: encoder)
    try second.encode(to: encoder)
  }
}

extension Joined: Sendable where First: Sendable, Second: Sendable {}

/// Returns a number for JSON, which has no infinity.
func finite(_ value: Double?) -> Double? { value.flatMap { $0.isFinite ? $0 : nil } }

extension [String: Int] {
  /// The values with their names, sorted by name.
  var sortedByName: [(key: String, value: Int)] { sorted { $0.key < $1.key } }
}

extension [ControlValue] {
  var byName: [String: Int] { Dictionary(uniqueKeysWithValues: map { ($0.id.rawValue, $0.value) }) }

  var text: String { map { "\($0.id.rawValue) \($0.value)" }.joined(separator: ", ") }
}
