import Testing
import WbcalReports

/// The page about the light of a series.
struct SeriesReportTests {
  @Test func foreignNamesAreEscaped() throws {
    func row(_ file: String, _ group: Int, isCard: Bool = false) -> SeriesReport.Row {
      SeriesReport.Row(
        file: file, group: group, isCard: isCard, red: 0.1, blue: -.infinity, error: nil,
        difference: 2...8, certainty: group > 1 ? "97 % certain" : nil, needsCard: group > 1)
    }
    let html = SeriesReport(
      rows: [row("<b>&.png", 1, isCard: true), row("b.png", 2)],
      failures: [("c.png", "it's <empty>")], remarks: ["put a card into b & c"], gains: "given",
      program: "wbcal"
    ).html
    let page = try ParsedPage(html)
    let rows = try #require(page.rows["pictures"])
    #expect(rows.map(\.first) == ["<b>&.png", "b.png"])
    #expect(rows[0].suffix(3) == ["0", "", "is in it"])
    #expect(rows[1].suffix(3) == ["2 to 8", "97 % certain", "needed"])
    #expect(page.texts("li") == ["Put a card into b & c.", "c.png: it's <empty>"])
    #expect(page.texts("p", class: "headline").joined().contains("at least 2 lights"))
    // Outside of the page's column the line would begin at the edge of the window.
    let (foot, end) = (html.firstRange(of: "<footer>"), html.firstRange(of: "</main>"))
    #expect(try #require(foot).lowerBound < #require(end).lowerBound)
    #expect(!html.contains("http:") && !html.contains("https:"))
  }
}
