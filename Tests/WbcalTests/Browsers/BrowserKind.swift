import Foundation
import Synchronization
import Testing

/// A browser that tests run in, if it is installed.
enum BrowserKind: String, CaseIterable {
  case chromium, firefox

  private var program: String {
    switch self {
    case .chromium: "chromedriver"
    case .firefox: "firefox-esr"
    }
  }

  var isInstalled: Bool {
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
      .contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(program)") }
  }

  /// Ends the case of a test, which is then reported as canceled, if the browser is not installed.
  func require() throws {
    if !isInstalled { try Test.cancel("there is no \(program)") }
  }

  private static let running = Mutex<[BrowserKind: any BrowserDriver]>([:])

  /// Returns the browser that all tests share, as if it was new. It is started by the first test
  /// that needs it, and by the next one after it has crashed.
  func driver() throws -> any BrowserDriver {
    try Self.running.withLock { running in
      if let driver = running[self], (try? driver.forget()) != nil { return driver }
      let driver = try start()
      running[self] = driver
      return driver
    }
  }

  private func start() throws -> any BrowserDriver {
    switch self {
    case .chromium: try Chromium()
    case .firefox: try Firefox()
    }
  }
}
