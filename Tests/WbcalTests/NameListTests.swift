import ColorScience
import Foundation
import Testing

@testable import wbcal

/// Lists of names for `estimate -`, each of which is processed or reported as failed, once and in
/// order.
struct NameListTests {
  private static let trials =
    ProcessInfo.processInfo.environment["WBCAL_NAME_LISTS"].flatMap { Int($0) } ?? 100_000

  /// A list, and its expected result for each entry: a name, or `nil` for a failure.
  private struct MadeList {
    var blocks: [[UInt8]] = []
    var expected: [String?] = []
  }

  private static let names = [
    "a.png", "b c.dng", " leading.tif", "trailing.ppm ", "tab\there.png", "ü.png", "e\u{301}.png",
    "灰卡.jpg", "-", "--json", "a,b.png", "\"q\".png", ".", "/", "P6230001.ORF", "*", "\u{202E}x.png",
    "x\u{1B}[31m.png", "\u{FEFF}x", "II*", "MMMM",
  ]

  private static func list(_ random: inout SplitMix64) -> MadeList {
    let endsWithNUL = Bool.random(using: &random)
    let separator: [UInt8] = endsWithNUL ? [0] : [10]
    var made = MadeList()
    var bytes: [UInt8] = []
    var first = 0
    // Control characters and bytes that are not UTF-8 do not occur together: that would be binary
    // data.
    let isLatin = Int.random(in: 0..<4, using: &random) == 0
    if !endsWithNUL, Int.random(in: 0..<8, using: &random) == 0 { bytes = [0xEF, 0xBB, 0xBF] }
    for index in 0..<Int.random(in: 0...8, using: &random) {
      var name = Array(names.randomElement(using: &random)!.utf8)
      if isLatin { name.removeAll { $0 < 0x20 } }
      switch Int.random(in: 0..<400, using: &random) {
      case 0:
        name = Array(repeating: 0x61, count: Int.random(in: 4096...9000, using: &random))
        made.expected.append(nil)
      case 1:
        name = Array(repeating: 0x61, count: 4095)
        made.expected.append(String(decoding: name, as: UTF8.self))
      case 2..<60 where isLatin:
        name.insert(0xFC, at: 0)
        made.expected.append(nil)
      case 60..<80 where endsWithNUL && !isLatin:
        name += [[10], [13], [13, 10]].randomElement(using: &random)! + [0x62]
        made.expected.append(String(decoding: name, as: UTF8.self))
      case 80..<140:
        name = []
      default:
        let isMark = bytes.isEmpty && !endsWithNUL && name.starts(with: [0xEF, 0xBB, 0xBF])
        made.expected.append(String(decoding: name.dropFirst(isMark ? 3 : 0), as: UTF8.self))
      }
      bytes += name
      if !endsWithNUL, Int.random(in: 0..<3, using: &random) == 0 { bytes.append(13) }
      bytes += separator
      if index == 0 { first = bytes.count }
    }
    // The last name may end with the list. A single name must have its separator, or the separator
    // of the list could not be determined.
    if bytes.count > first, bytes.last == separator[0], Bool.random(using: &random) {
      bytes.removeLast()
    }
    var rest = bytes[...]
    while !rest.isEmpty {
      let least = made.blocks.isEmpty ? max(1, first) : 1
      let count = min(rest.count, max(least, Int.random(in: 1...100, using: &random)))
      made.blocks.append(Array(rest.prefix(count)))
      rest = rest.dropFirst(count)
    }
    return made
  }

  private static func read(_ blocks: [[UInt8]]) -> [ListedName] {
    var blocks = blocks[...]
    var list = NameList { blocks.popFirst() ?? [] }
    var names: [ListedName] = []
    while let name = list.next() { names.append(name) }
    return names
  }

  @Test func everyNameOnceAndInOrder() {
    var random = SplitMix64(state: 17)
    for trial in 0..<Self.trials {
      let made = Self.list(&random)
      let names = Self.read(made.blocks)
      let found = names.map { $0.problem == nil ? $0.path : nil }
      guard found != made.expected else { continue }
      Issue.record("list \(trial): \(made.blocks): \(found) instead of \(made.expected)")
      return
    }
  }

  /// Pictures and archives end a list at once, with one short message.
  @Test func binaryDataIsNoList() throws {
    var random = SplitMix64(state: 18)
    let starts: [[UInt8]] = [
      [0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10], [0xFF, 0xD8, 0xFF], [0x49, 0x49, 0x2A, 0],
      [0x1F, 0x8B, 8, 0], Array("P6\n64 48\n255\n".utf8), Array("P6 64 48 255\n".utf8), [],
    ]
    for start in starts {
      for _ in 0..<50 {
        let data = start + (0..<3000).map { _ in UInt8.random(in: 0...255, using: &random) }
        let names = Self.read([data, data])
        #expect(names.count == 1)
        let problem = try #require(names[0].problem)
        #expect(names[0].path == "-" && problem.code == .badData)
        #expect(problem.message.contains("/dev/stdin") && problem.message.utf8.count < 160)
      }
    }
    // A card of one color has no control characters.
    let card = Array("P6 64 48 255\n".utf8) + (0..<9000).map { [100, 128, 40][$0 % 3] }
    #expect(Self.read([card]).count == 1)
  }

  @Test func whatIsNoName() throws {
    func problems(_ blocks: [UInt8]...) -> [String] {
      Self.read(blocks).compactMap(\.problem?.message)
    }
    #expect(problems([0xFF, 0xFE, 0x61, 0, 10, 0])[0].contains("UTF-16"))
    let latin = problems(Array("a\n".utf8) + [0x62, 0xFC, 10])
    #expect(latin.count == 1 && latin[0].contains("line 2") && latin[0].contains("not UTF-8"))
    let late = problems(Array("a\nb\n".utf8), [0x63, 0, 0x64, 10])
    #expect(late.count == 1 && late[0].hasPrefix("c?d, line 3") && late[0].contains("NUL"))
    let long = problems(Array("a\0".utf8) + Array(repeating: 0x62, count: 3 << 20))
    #expect(long.count == 1 && long[0].contains("name 2") && long[0].contains("4095 bytes"))
    #expect(long[0].utf8.count < 200)
    struct Lost: Error {}
    var list = NameList { throw Lost() }
    #expect(list.next()?.problem != nil)
    #expect(list.next() == nil)
  }

  /// The tool writes as many rows as there are names, each for its picture or a failure, and as
  /// many messages as failures.
  @Test func listsOfRealPictures() async throws {
    let bench = try Workbench()
    let good = ["a.ppm", "b c.ppm", "ü.ppm", "line\nbreak.ppm", "quote\".ppm", "\u{202E}x.ppm"]
    for (index, name) in good.enumerated() {
      try bench.writeCard(name, 100, 128, UInt8(60 + index))
    }
    try bench.writeCard("clipped.ppm", 100, 255, 64)
    try FileManager.default.createDirectory(
      at: bench.folder.appending(path: "folder"), withIntermediateDirectories: true)
    let all =
      good + ["clipped.ppm", "folder", "missing.ppm", "", String(repeating: "x", count: 5000)]
    var random = SplitMix64(state: 19)
    for trial in 0..<24 {
      let endsWithNUL = trial.isMultiple(of: 2)
      var names: [String] = []
      for _ in 0..<Int.random(in: 2...12, using: &random) {
        let name = all.randomElement(using: &random)!
        if endsWithNUL || !name.contains("\n") { names.append(name) }
      }
      names.append("a.ppm")
      let separator = endsWithNUL ? "\0" : trial.isMultiple(of: 3) ? "\r\n" : "\n"
      let input = names.map { $0 + separator }.joined()
      let outcome = try await bench.run(["estimate", "-", "--json"], input: input)
      let rows = try outcome.output.split(separator: "\n").map {
        try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
      }
      names.removeAll(where: \.isEmpty)
      #expect(
        rows.map { $0["file"] as? String }
          == names.map { $0.count > 4095 ? $0.prefix(60) + "…" : $0 })
      #expect(rows.map { $0["accepted"] as? Bool } == names.map { good.contains($0) })
      let failures = names.filter { !good.contains($0) }
      #expect(
        outcome.errors.split(separator: "\n").filter { $0.hasPrefix("wbcal: ") }.count
          == failures.count)
      #expect(outcome.errors.utf8.count < 400 * (failures.count + 1))
      let codes = ["clipped.ppm": 65, "folder": 66, "missing.ppm": 66] as [String: Int32]
      #expect(outcome.status == failures.first.map { codes[$0] ?? 65 } ?? 0)
    }
  }
}
