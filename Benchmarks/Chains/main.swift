import Foundation
import SimulatedCamera

// Calibrates random simulated cameras, and compares the results with the truth.
//
//     wbcal-chain-benchmark run WBCAL FIRST COUNT FILE.csv     writes a line for each camera
//     wbcal-chain-benchmark table FILE.csv [BEFORE.csv]        prints the tables
//     wbcal-chain-benchmark lab FOLDER                         prints lines of the guests' output
//     wbcal-chain-benchmark times FIRST COUNT                  prints the times of the model's fits
//     wbcal-chain-benchmark describe SEED                      prints the random camera
let arguments = Array(CommandLine.arguments.dropFirst())
switch (arguments.first, arguments.count) {
case ("run", 5):
  guard let first = Int(arguments[2]), let count = Int(arguments[3]), count > 0 else { exit(64) }
  try await study(
    tool: arguments[1], seeds: first..<first + count, table: URL(filePath: arguments[4]))
case ("table", 2), ("table", 3):
  let tables = try arguments.dropFirst().map { path in
    try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").compactMap(Row.init)
  }
  Report(rows: tables[0], before: tables.count > 1 ? tables[1] : nil).printAll()
case ("lab", 2):
  print(Row.header)
  for row in try LabRun.rows(in: URL(filePath: arguments[1])) { print(row.line) }
case ("times", 3):
  guard let first = Int(arguments[1]), let count = Int(arguments[2]), count > 0 else { exit(64) }
  try await FitTimes.measured(of: first..<first + count).printTable()
case ("describe", 2): print(RandomChain(seed: UInt64(arguments[1]) ?? 0))
default:
  print(
    """
    usage: wbcal-chain-benchmark run WBCAL FIRST COUNT FILE.csv
           wbcal-chain-benchmark table FILE.csv [BEFORE.csv]
           wbcal-chain-benchmark lab FOLDER
           wbcal-chain-benchmark times FIRST COUNT
           wbcal-chain-benchmark describe SEED
    """)
  exit(64)
}

/// Runs the tool on a camera for each seed, two at a time.
func study(tool: String, seeds: Range<Int>, table: URL) async throws {
  let work = FileManager.default.temporaryDirectory.appending(path: "chains-\(getpid())")
  defer { try? FileManager.default.removeItem(at: work) }
  var rows: [Row] = []
  try await withThrowingTaskGroup(of: Row.self) { group in
    var waiting = seeds.makeIterator()
    func startNext() {
      guard let seed = waiting.next() else { return }
      group.addTask { try ChainRun.row(of: seed, tool: tool, in: work) }
    }
    for _ in 0..<2 { startNext() }
    for try await row in group {
      rows.append(row)
      startNext()
    }
  }
  rows.sort { $0.seed < $1.seed }
  let lines = [Row.header] + rows.map(\.line)
  try (lines.joined(separator: "\n") + "\n").write(to: table, atomically: true, encoding: .utf8)
}
