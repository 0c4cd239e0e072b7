import ColorScience
import Testing
import WhiteBalance

@testable import wbcal

/// Tables as programs and people write them, with 100 000 rows in all: each row is converted
/// correctly, or reported as failed.
struct GeneratedTableTests {
  /// Returns the number that a field was made of, without the tool's own parser.
  private func value(_ field: String) throws -> Double {
    try #require(Double(String(field.map { $0 == "−" ? "-" : $0 })))
  }

  /// Returns the fields of a row of comma-separated text.
  private func fields(_ line: Substring) -> [String] {
    var fields = [""]
    var isQuoted = false
    for character in line {
      if character == "\"" { isQuoted.toggle() }
      if character == ",", !isQuoted {
        fields.append("")
      } else {
        fields[fields.count - 1].append(character)
      }
    }
    return fields.map { field in
      guard field.hasPrefix("\"") else { return field }
      return field.dropFirst().dropLast().split(separator: "\"\"", omittingEmptySubsequences: false)
        .joined(separator: "\"")
    }
  }

  @Test func rowsToConvert() throws {
    let converter = Converter(from: .xy, to: .uv, method: .exact, locus: PlanckianLocus())
    var random = SplitMix64(state: 17)
    for trial in 0..<17_000 {
      let table = GeneratedTable(
        needed: ["x", "y"], extra: ["key", "lamp", "Größe", "u", "Y"], headerless: true,
        mayBeShort: false,
        random: &random
      ) { _, random in GeneratedTable.number(&random) }
      var (output, reports, refusal) = ("", [String](), String?.none)
      var rows = RowConversion(converter, withErrors: false)
      do {
        // Pieces of few bytes, so that lines cross their boundaries.
        var unread = table.bytes[...]
        let size = random.pick([7, 100, 1 << 16])
        var lines = TableLines(name: "input") {
          defer { unread = unread.dropFirst(size) }
          return Array(unread.prefix(size))
        }
        try rows.convert(&lines) { converted in
          output += converted.text
          reports += converted.messages
        }
      } catch let error as Failure {
        refusal = error.message
      } catch { refusal = "\(error)" }
      let problem = try check(table, output: output, reports: reports, refusal: refusal)
      guard let problem else { continue }
      Issue.record("trial \(trial): \(problem)\n\(String(decoding: table.bytes, as: UTF8.self))")
      return
    }
  }

  /// Returns the error in the result for a table; `nil` if there is none.
  private func check(
    _ table: GeneratedTable, output: String, reports: [String], refusal: String?
  ) throws -> String? {
    if table.isUTF16 { return refusal?.contains("UTF-16") == true ? nil : "UTF-16 was read" }
    if let line = table.badHeader {
      return refusal?.hasPrefix("line \(line): the line is not UTF-8") == true
        ? nil : "a header that is no text: \(refusal ?? "read")"
    }
    if let refusal { return "refused: \(refusal)" }
    var lines = output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    let others = table.hasHeader ? table.columns.filter { !["x", "y"].contains($0) } : []
    let isAnswered =
      table.hasHeader || table.rows.contains { if case .blank = $0.row { false } else { true } }
    guard isAnswered else { return lines.isEmpty ? nil : "an answer to nothing" }
    guard lines.popFirst().map(fields) == others + ["u", "v"] else { return "header: \(output)" }
    var reports = reports[...]
    for (number, row) in table.rows {
      if case .blank = row { continue }
      guard let found = lines.popFirst().map(fields), found.count == others.count + 2 else {
        return "line \(number) is lost: \(output)"
      }
      switch row {
      case .blank: continue
      case .bad:
        guard found.suffix(2) == ["", ""] else { return "line \(number) is answered: \(found)" }
        guard reports.popFirst()?.hasPrefix("wbcal: line \(number): ") == true else {
          return "line \(number) is not named as failed: \(reports)"
        }
      case .good(let cells):
        guard others.map({ cells[$0] }) == found.dropLast(2).map(Optional.init) else {
          return "line \(number) came through as \(found)"
        }
        let (x, y) = (try value(cells["x"] ?? ""), try value(cells["y"] ?? ""))
        let sum = 12 * y - 2 * x + 3
        guard let u = Double(found[others.count]), let v = Double(found[others.count + 1]),
          abs(u - 4 * x / sum) < 1e-12, abs(v - 6 * y / sum) < 1e-12
        else { return "line \(number) became \(found): \(reports)" }
      }
    }
    return lines.isEmpty && reports.isEmpty ? nil : "too much: \(lines) \(reports)"
  }

  @Test func tablesOfShots() throws {
    var random = SplitMix64(state: 4)
    for trial in 0..<17_000 {
      let table = GeneratedTable(
        needed: ["r", "g", "b", "light"], extra: ["class", "note", "noise"], headerless: false,
        mayBeShort: true,
        random: &random
      ) { column, random in
        column == "light"
          ? random.pick(["A", "D65", "xy:0.31,0.33", "4012K/−0.0031"])
          : GeneratedTable.number(&random)
      }
      let problem = try check(table)
      guard let problem else { continue }
      Issue.record("trial \(trial): \(problem)\n\(String(decoding: table.bytes, as: UTF8.self))")
      return
    }
  }

  private func check(_ table: GeneratedTable) throws -> String? {
    let shots: [RequestedShot]
    do { shots = try ShotTable(table.bytes, path: "t.csv").shots } catch {
      let message = Failure(error).message
      if table.isUTF16 { return message.contains("UTF-16") ? nil : message }
      let lines = table.badHeader.map { [$0] } ?? badRows(of: table)
      return lines.contains { message.hasPrefix("t.csv, line \($0): ") } ? nil : message
    }
    if table.isUTF16 || !badRows(of: table).isEmpty { return "nothing was found wrong" }
    let good = table.rows.compactMap { entry -> [String: String]? in
      if case .good(let cells) = entry.row { cells } else { nil }
    }
    guard shots.count == good.count else { return "\(shots.count) shots" }
    for (shot, cells) in zip(shots, good) {
      guard case .response(let response) = shot.source,
        response.red == (try value(cells["r"] ?? "")),
        response.green == (try value(cells["g"] ?? "")),
        response.blue == (try value(cells["b"] ?? "")), shot.light.name == cells["light"]
      else { return "\(shot) of \(cells)" }
    }
    return nil
  }

  /// Returns the lines that cannot give a shot: invalid ones, and those with text in the column of
  /// the class or the noise.
  private func badRows(of table: GeneratedTable) -> [Int] {
    table.rows.filter { entry in
      switch entry.row {
      case .blank: false
      case .bad: true
      case .good(let cells):
        cells["class"]?.isEmpty == false
          || cells["noise"].map { !$0.isEmpty && $0 != "7" } == true
      }
    }.map(\.line)
  }
}
