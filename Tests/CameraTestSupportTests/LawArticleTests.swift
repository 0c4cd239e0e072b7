import CameraTestSupport
import Foundation
import Testing

/// The page about the laws, whose table follows from the laws and their sabotages. That each
/// sabotage has the outcome of the table is tested by `CameraLawTests.itsLawFailsAndNoOther`.
struct LawArticleTests {
  private static let page = URL(filePath: #filePath).deletingLastPathComponent().appending(
    path: "../../Sources/CameraTestSupport/CameraTestSupport.docc/TheLaws.md")

  private static var text: String {
    let rows = CameraLaw.all.map { law in
      let sabotages = Sabotage.allCases.filter { $0.law == law.name }
      let deeds = sabotages.map(\.rawValue).joined(separator: "; ")
      let broken = sabotages.flatMap { [$0.law] + $0.others }.joined(separator: ", ")
      let unchecked =
        sabotages.contains(.stallsAtOnce) ? "; others about frames are not checked" : ""
      return "| \(law.name) | \(law.statement) | \(deeds) | \(broken)\(unchecked) |"
    }
    return """
      # The laws

      The statement of each law, and the fault by which its test was tested.

      ## All laws

      Each law is tested with a port that breaks it on purpose. The last column names all laws that are then reported as
      broken: this one, and those that cannot be kept without it (`CameraLawTests.itsLawFailsAndNoOther`). A port without a
      fault keeps all (`CameraLawTests.aPortWithoutFaultsKeepsAllLaws`).

      | law | statement | a port that … | breaks |
      |---|---|---|---|
      \(rows.joined(separator: "\n"))

      """
  }

  /// `make articles` updates the page.
  @Test func thePageShowsAllLaws() throws {
    if ProcessInfo.processInfo.environment["WBCAL_WRITE_ARTICLES"] != nil {
      try Self.text.write(to: Self.page, atomically: true, encoding: .utf8)
    }
    #expect(try String(contentsOf: Self.page, encoding: .utf8) == Self.text)
  }
}
