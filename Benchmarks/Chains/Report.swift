/// The tables of the outcomes for random cameras.
struct Report {
  let rows: [Row]
  /// The rows of an earlier run with the same seeds.
  let before: [Row]?

  func printAll() {
    printTotals()
    printByKind("cause", \.kind)
    printByKind("controls", \.controls)
    printReasons()
    printStatedErrors()
    printFrames()
    printWrong()
  }

  private func count(_ rows: [Row], _ outcome: Outcome) -> Int {
    rows.count { $0.outcome == outcome }
  }

  private func printTotals() {
    print("## Totals\n")
    print("| outcome | cameras |" + (before == nil ? "" : " before |"))
    print("|---|---|" + (before == nil ? "" : "---|"))
    for outcome in Outcome.allCases {
      let earlier = before.map { " \(count($0, outcome)) |" } ?? ""
      print("| \(outcome.rawValue) | \(count(rows, outcome)) |" + earlier)
    }
    print("| all | \(rows.count) |" + (before.map { " \($0.count) |" } ?? ""))
  }

  /// Prints the outcomes by a common property of the cameras, as `now (before)` if both are known.
  private func printByKind(_ title: String, _ kind: (Row) -> String) {
    print("\n## By \(title)\n")
    print("| \(title) | cameras |" + Outcome.allCases.map { " \($0.rawValue) |" }.joined())
    print(String(repeating: "|---", count: Outcome.allCases.count + 2) + "|")
    let names = Set(rows.map(kind))
    let sorted = names.sorted {
      let sound = ($0.hasPrefix("sound"), $1.hasPrefix("sound"))
      return sound.0 != sound.1 ? sound.0 : $0 < $1
    }
    for name in sorted {
      let these = rows.filter { kind($0) == name }
      let cells = Outcome.allCases.map { outcome -> String in
        let now = count(these, outcome)
        guard let before else { return " \(now == 0 ? "" : "\(now)") |" }
        let then = count(before.filter { kind($0) == name }, outcome)
        return " \(now == 0 && then == 0 ? "" : "\(now) (\(then))") |"
      }
      print("| \(name) | \(these.count) |" + cells.joined())
    }
  }

  /// Prints the false refusals by their reason, without the numbers in it.
  private func printReasons() {
    print("\n## False refusals by reason\n")
    print("| reason | sound cameras | faulty | command | seeds |\n|---|---|---|---|---|")
    let refused = rows.filter { [.falselyRefused, .refusedInVain].contains($0.outcome) }
    let groups = Dictionary(grouping: refused) { Self.withoutNumbers($0.reason) }
    let sorted = groups.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }
    for (reason, these) in sorted {
      let seeds = these.prefix(6).map { "\($0.seed)" } + (these.count > 6 ? ["…"] : [])
      let stages = Set(these.map { $0.stage.prefix { $0 != " " } }).sorted().joined(separator: ", ")
      print(
        "| \(reason) | \(count(these, .refusedInVain)) | \(count(these, .falselyRefused)) "
          + "| \(stages) | \(seeds.joined(separator: " ")) |")
    }
  }

  static func withoutNumbers(_ reason: String) -> String {
    var text = ""
    for character in reason.prefix(170) {
      if character.isNumber {
        if !text.hasSuffix("#") { text.append("#") }
      } else if character == ".", text.hasSuffix("#") {
        continue
      } else {
        text.append(character == "|" ? "/" : character)
      }
    }
    return text + (reason.count > 170 ? "…" : "")
  }

  private func printStatedErrors() {
    print("\n## Stated errors\n")
    print(
      "Gains at six settings that nothing was fitted to, red and blue each: the share within 1.96 of "
        + "the stated\nstandard error, which should be 95 %, and the largest error.\n")
    print("| cameras | profiles | gains | within | largest error, median | largest |")
    print("|---|---|---|---|---|---|")
    let sound = rows.filter { $0.fault == "none" }
    let faulty = rows.filter { $0.fault != "none" }
    for (name, rows) in [("sound", sound), ("faulty", faulty)] {
      let known = rows.filter { $0.stated > 0 }
      let (inside, all) = (known.map(\.inside).reduce(0, +), known.map(\.stated).reduce(0, +))
      let errors = known.map(\.worstGain).sorted()
      let share = all == 0 ? "–" : "\(fixed(100 * Double(inside) / Double(all), 1)) %"
      print(
        "| \(name) | \(known.count) | \(all) | \(share) | \(percent(errors, 0.5)) "
          + "| \(percent(errors, 1)) |")
    }
    let outside = rows.filter { $0.stated > 0 && 2 * $0.inside <= $0.stated }.map { "\($0.seed)" }
    print("\nHalf of the gains or fewer within: \(outside.joined(separator: " ")).")
  }

  private func percent(_ sorted: [Double], _ share: Double) -> String {
    quantile(sorted, share).map { "\(fixed(100 * $0, 2)) %" } ?? "–"
  }

  private func quantile<Number>(_ sorted: [Number], _ share: Double) -> Number? {
    sorted.isEmpty ? nil : sorted[Int((share * Double(sorted.count - 1)).rounded())]
  }

  private func printFrames() {
    print("\n## Frames that `calibrate` looks at\n")
    print("Thirty come in a second of most cameras.\n")
    print(
      "| outcome | median | 95 % | most | above 2 minutes | above 10 |\n|---|---|---|---|---|---|")
    func line(_ name: String, _ rows: [Row]) {
      let frames = rows.compactMap(\.frames).sorted()
      let cells =
        [0.5, 0.95, 1].map { quantile(frames, $0).map { "\($0)" } ?? "–" }
        + [2, 10].map { minutes in "\(frames.count { $0 > minutes * 60 * 30 })" }
      print("| \(name) | \(cells.joined(separator: " | ")) |")
    }
    line("right", rows.filter { $0.outcome == .right })
    line("refused", rows.filter { $0.outcome.isRefusal })
    line("all", rows)
    if let before { line("all before", before) }
    let longest = rows.filter { $0.frames ?? 0 > 18_000 }.map { "\($0.seed)" }
    print("\nAbove 10 minutes: \(longest.joined(separator: " ")).")
  }

  private func printWrong() {
    print("\n## Confidently wrong, hanging and crashing\n")
    print("| seed | cause | controls | what | A (best) | D65 (best) | D50 (best) |")
    print("|---|---|---|---|---|---|---|")
    for row in rows where [.wrong, .wrongAsSaid, .hang, .crash].contains(row.outcome) {
      let cells = zip(row.differences, row.best).map { difference, best in
        difference.map { "\(fixed($0, 2)) (\(fixed(best, 2)))" } ?? "–"
      }
      let what = row.outcome == .wrong ? row.stage : "\(row.stage), \(row.outcome.rawValue)"
      let camera = "\(row.seed) | \(row.kind) | \(row.controls)"
      print("| \(camera) | \(what) | \(cells.joined(separator: " | ")) |")
    }
  }
}
