/// The light of a series of pictures as one self-contained HTML page, like `CalibrationReport`.
package struct SeriesReport: Sendable {
  /// A picture.
  package struct Row: Sendable {
    var file: String
    /// The number of the group of its light, from 1 on.
    var group: Int
    var isCard: Bool
    /// The log-ratios that the scene suggests for a neutral surface, and their standard error.
    var red, blue, error: Double?
    /// The 95 % interval of the difference of the group's light from the card's, in CIEDE2000.
    var difference: ClosedRange<Double>?
    /// The certainty that the light changed before this picture, if it is the first of a group.
    var certainty: String?
    var needsCard: Bool

    package init(
      file: String, group: Int, isCard: Bool, red: Double?, blue: Double?, error: Double?,
      difference: ClosedRange<Double>?, certainty: String?, needsCard: Bool
    ) {
      (self.file, self.group, self.isCard) = (file, group, isCard)
      (self.red, self.blue, self.error) = (red, blue, error)
      (self.difference, self.certainty, self.needsCard) = (difference, certainty, needsCard)
    }
  }

  private let rows: [Row]
  private let failures: [(file: String, reason: String)]
  private let remarks: [String]
  private let gains, program: String

  /// Creates a report.
  ///
  /// - Parameter gains: the source of the gains, in words.
  package init(
    rows: [Row], failures: [(file: String, reason: String)], remarks: [String], gains: String,
    program: String
  ) {
    (self.rows, self.failures, self.remarks) = (rows, failures, remarks)
    (self.gains, self.program) = (gains, program)
  }

  package var html: String {
    let groups = Dictionary(grouping: rows, by: \.group).sorted { $0.key < $1.key }
    let head = """
      <tr><th scope="col" class="text">Picture</th><th scope="col">Light</th>\
      <th scope="col">ln red/green</th><th scope="col">ln blue/green</th>\
      <th scope="col">± (1 σ)</th><th scope="col">from the card<br />CIEDE2000, 95 %</th>\
      <th scope="col">change<br />before it</th><th scope="col">card</th></tr>
      """
    return page(
      title: "The light of a series – white balance",
      """
      <main>
      <h1>The light of a series</h1>
      <p class="headline">\(headline(groups.count))</p>
      <p class="meta"><span>Gains: \(escaped(gains))</span></p>
      \(adviceSection)
      \((CalibrationReport.table("pictures", head: head, groups.map { $0.value.map(row) }) + """

      <p class="note">The ratios are those that a gray surface would have if the median color of \
      the motif were gray, and their error is that of motifs. The difference from the card is that \
      of the whole group. Pictures in one group may still have different lights, as far as the \
      interval goes.</p>
      """).section(titled: "Pictures"))
      \(failureSection)
      <footer><p>\(escaped(program))</p></footer>
      </main>
      """)
  }

  private func headline(_ groups: Int) -> String {
    groups > 1
      ? "The \(rows.count) pictures were taken under at least \(groups) lights."
      : "No change of the light is certain in \(rows.count) pictures."
  }

  private var adviceSection: String {
    guard !remarks.isEmpty else { return "" }
    let items = remarks.map { text in
      "<li>\(escaped(text.prefix(1).uppercased() + text.dropFirst())).</li>"
    }
    return "<ul class=\"advice\">\n\(items.joined(separator: "\n"))\n</ul>"
      .section(titled: "What to do")
  }

  private var failureSection: String {
    guard !failures.isEmpty else { return "" }
    let items = failures.map { "<li>\(escaped($0.file)): \(escaped($0.reason))</li>" }
    return "<ul class=\"advice\">\n\(items.joined(separator: "\n"))\n</ul>"
      .section(titled: "Pictures without a result")
  }

  private func row(_ row: Row) -> String {
    let interval = row.difference.map {
      "\(Figure.plain($0.lowerBound, 0)) to \(Figure.plain($0.upperBound, 0))"
    }
    let cells = [
      "\(row.group)", Figure.signed(row.red, 2), Figure.signed(row.blue, 2),
      Figure.plain(row.error, 2), row.isCard ? "0" : interval ?? "–",
      row.certainty ?? "",
      row.isCard ? "is in it" : row.needsCard ? "needed" : "",
    ]
    return CalibrationReport.row(
      escaped(row.file), cells.map { CalibrationReport.cell($0) }.joined())
  }
}
