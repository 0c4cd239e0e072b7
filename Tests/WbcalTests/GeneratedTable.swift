import ColorScience

extension SplitMix64 {
  mutating func chance(_ one: Int) -> Bool { next() % UInt64(one) == 0 }

  mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int(next() % UInt64(elements.count))]
  }
}

/// A random table whose answer is known: bytes as programs and people write them, and the expected
/// result of each line.
struct GeneratedTable {
  /// The contents of a line.
  enum Row {
    case blank
    /// Valid fields, by the columns' names.
    case good([String: String])
    case bad
  }

  var bytes: [UInt8] = []
  /// The rows after the header, with their lines' numbers.
  var rows: [(line: Int, row: Row)] = []
  /// The columns of the header or, without one, of the rows.
  var columns: [String] = []
  var hasHeader = false
  /// `true` if nothing can be read from it.
  var isUTF16 = false
  /// The number of the header's line if it is not text.
  var badHeader: Int?

  private static let texts = [
    "", "lamp", "desk lamp", "a, b", "say \"D65\"", "Größe", "a;b", "−", "7", "x\"", "  padded ",
    "=1+1", "n/a",
  ]

  /// Returns a number from 0.05 to 0.95 in one of the forms in which people write it.
  static func number(_ random: inout SplitMix64) -> String {
    let digits = 500 + Int(random.next() % 9001)
    let plain = "0.\(String(repeating: "0", count: digits < 1000 ? 1 : 0))\(digits)"
    return random.pick([
      plain, plain, plain, "+" + plain, String(plain.dropFirst()), "\(digits)e-4", "\(digits)E−4",
      plain + "0",
    ])
  }

  /// - Parameters:
  ///   - needed: the required columns, whose fields `fill` makes.
  ///   - extra: names of further columns, with texts in them; none without a header.
  ///   - headerless: `true` if the header may be missing.
  ///   - mayBeShort: `true` if a row may end before columns that are not required.
  init(
    needed: [String], extra: [String], headerless: Bool, mayBeShort: Bool, random: inout SplitMix64,
    fill: (String, inout SplitMix64) -> String
  ) {
    let separator = random.pick([",", ";", "\t", " "] as [Character])
    let ending = random.pick(["\n", "\r\n", "\r"])
    hasHeader = !headerless || !random.chance(3)
    columns = needed
    if hasHeader {
      columns += extra.filter { _ in random.chance(2) }
      columns.shuffle(using: &random)
    }
    var lines: [String] = []
    func joined(_ fields: [String]) -> String {
      fields.map { field in
        let needsMarks =
          field.isEmpty || field.hasPrefix(" ") || field.contains(separator)
          || field.contains("\"" as Character)
          || separator == " " && field.contains("\t" as Character)
        let isQuoted = needsMarks || random.chance(8)
        let text =
          isQuoted
          ? "\""
            + field.split(separator: "\"" as Character, omittingEmptySubsequences: false).joined(
              separator: "\"\"") + "\"" : field
        return separator != " " && random.chance(8) ? " \(text)  " : text
      }.joined(separator: separator == " " ? random.pick([" ", "   "]) : String(separator))
    }
    while random.chance(6) { lines.append(random.pick(["", "  "])) }
    if hasHeader { lines.append(joined(columns)) }
    let headerLine = lines.count
    for index in 0...Int(random.next() % 5) {
      let isFirst = index == 0 && !hasHeader
      var fields: [String: String] = [:]
      for column in columns {
        fields[column] =
          needed.contains(column) ? fill(column, &random) : random.pick(Self.texts)
      }
      var list = columns.map { fields[$0] ?? "" }
      let place = list.indices.first { needed.contains(columns[$0]) } ?? 0
      var row = Row.good(fields)
      var line = ""
      if isFirst || !random.chance(3) {
        line = joined(list)
      } else {
        row = .bad
        switch random.next() % 9 {
        case 0: list[place] = random.pick(["NULL", "n/a", "O.31", "0.3.1", "1_0", "5600 °", "--1"])
        case 1: list[place] = random.pick(["0,3127", "5,600"])
        case 2: list.append("0.5")
        case 3:
          list.removeLast()
          let lost = columns[columns.count - 1]
          if mayBeShort, !needed.contains(lost) {
            fields[lost] = ""
            row = .good(fields)
          }
        case 4: list[place] += "\0"
        case 5: line = joined(list) + "\(separator)\"open"
        case 6: line = "\"0.1\"2\(separator)" + joined(list)
        case 7:
          // Another separator.
          let other = separator == "," ? ";" : ","
          line = needed.map { fields[$0] ?? "" }.joined(separator: other)
        default:
          line = ""
          row = .blank
        }
        if case .blank = row {} else if line.isEmpty { line = joined(list) }
      }
      lines.append(line)
      rows.append((lines.count, row))
    }
    encode(lines, ending, headerLine, &random)
  }

  private mutating func encode(
    _ lines: [String], _ ending: String, _ headerLine: Int, _ random: inout SplitMix64
  ) {
    let text = lines.joined(separator: ending) + (random.chance(2) ? ending : "")
    switch random.next() % 20 {
    case 0:
      isUTF16 = true
      let isBig = random.chance(2)
      let mark: [UInt16] = random.chance(2) ? [0xFEFF] : []
      bytes = (mark + Array(text.utf16)).flatMap { unit in
        let (high, low) = (UInt8(unit >> 8), UInt8(unit & 0xFF))
        return isBig ? [high, low] : [low, high]
      }
    case 1 where hasHeader || lines[headerLine].isASCII:
      // Latin-1, which differs from UTF-8 only in lines that are not ASCII.
      bytes = text.unicodeScalars.map { UInt8(exactly: $0.value) ?? 0x96 }
      for (index, entry) in rows.enumerated() where !lines[entry.line - 1].isASCII {
        rows[index].row = .bad
      }
      if hasHeader, !lines[headerLine - 1].isASCII { badHeader = headerLine }
    default:
      bytes = (random.chance(6) ? [0xEF, 0xBB, 0xBF] : []) + Array(text.utf8)
    }
  }
}

extension String {
  fileprivate var isASCII: Bool { utf8.allSatisfy { $0 < 128 } }
}
