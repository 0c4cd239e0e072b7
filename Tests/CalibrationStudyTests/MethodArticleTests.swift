import Foundation
import Testing

@testable import wbcal_calibration_study

struct MethodArticleTests {
  /// So that no figure in the documentation is older than the code that it measures.
  @Test func theStoredArticleIsThatOfTheMethods() throws {
    let url = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Sources/ColorScience/ColorScience.docc/PublishedMethods.md")
    let stored = try String(contentsOf: url, encoding: .utf8)
    #expect(stored == methodArticle() + "\n", "run make methods")
  }
}
