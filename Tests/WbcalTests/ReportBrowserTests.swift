import Foundation
import Testing

extension BrowserSuite {
  /// The report in a browser.
  @Suite(.timeLimit(.minutes(10))) struct ReportBrowserTests {
    /// It has no errors, fits into each window, and looks like the studio.
    @Test(arguments: BrowserKind.allCases) func itIsShown(kind: BrowserKind) async throws {
      try kind.require()
      let bench = try Workbench()
      try await bench.makeProfile()
      try await bench.run("report", "desk.json", "-o", "page.html").expect(0)
      let browser = try Browser(kind, .laptop)
      try browser.open(bench.folder.appending(path: "page.html").absoluteString)
      let figures = try browser.value(
        "[...document.querySelectorAll('figure > svg')].filter(one => one.clientHeight > 100).length"
      )
      #expect(try #require(figures as? Int) >= 3)
      for look in [BrowserWindow.laptop, .phone, .laptop.inTheDark, .phone.inTheDark] {
        try browser.show(as: look)
        #expect(
          try browser.value("document.documentElement.scrollWidth <= innerWidth") as? Bool == true,
          "\(look)")
        #expect(
          try colors(browser) == (look.isDark ? ["#222", "#ebebeb"] : ["#f8f8f8", "#191919"]))
      }
      #expect(try browser.complaints() == [])
    }

    private func colors(_ browser: Browser) throws -> [String]? {
      try browser.value(
        "['--panel', '--ink'].map(name => "
          + "getComputedStyle(document.documentElement).getPropertyValue(name).trim())")
        as? [String]
    }
  }
}
