import Foundation

/// A table of `Calibration/Reference`, read from the repository.
struct ReferenceTable {
  let rows: [[String: String]]

  init(_ name: String) throws {
    let url = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Calibration/Reference/\(name)")
    let lines = try String(contentsOf: url, encoding: .utf8).split(whereSeparator: \.isNewline)
      .map(Self.cells)
    rows = lines.dropFirst().map { Dictionary(uniqueKeysWithValues: zip(lines[0], $0)) }
  }

  private static func cells(_ line: Substring) -> [String] {
    var cells = [""]
    var quoted = false
    for character in line {
      switch character {
      case "\"": quoted.toggle()
      case "," where !quoted: cells.append("")
      default: cells[cells.count - 1].append(character)
      }
    }
    return cells
  }
}

extension [String: String] {
  func number(_ key: String) throws -> Double {
    guard let text = self[key], let value = Double(text) else {
      throw ReferenceError(column: key, text: self[key])
    }
    return value
  }
}

struct ReferenceError: Error {
  var column: String
  var text: String?
}
