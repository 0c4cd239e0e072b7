import Foundation
import Synchronization
import Testing

/// A browser as a single test uses it: with its own windows, and without anything that pages of
/// other tests stored. The browser itself is the same for all tests.
final class Browser {
  private let driver: any BrowserDriver
  private var look: BrowserWindow
  /// The test's windows, the oldest first.
  private(set) var windows: [String] = []
  /// The window that commands act on.
  private var used = ""
  private static let element = "element-6066-11e4-a52e-4f735466cecf"

  /// Opens a window in a running browser.
  init(_ driver: any BrowserDriver, _ look: BrowserWindow) throws {
    (self.driver, self.look) = (driver, look)
    try use(newWindow: "tab")
  }

  /// Opens a window in the browser that all tests share.
  convenience init(_ kind: BrowserKind, _ look: BrowserWindow) throws {
    try self.init(try kind.driver(), look)
  }

  deinit {
    for window in windows {
      used = window
      _ = try? ask(.closeWindow)
    }
    driver.usedWindow.withLock { $0 = nil }
  }

  private func use(newWindow type: String) throws {
    used = try driver.openWindow(type)
    windows.append(used)
    driver.usedWindow.withLock { $0 = nil }
    try use()
    try driver.show(as: look)
  }

  /// Makes the driver use the test's window.
  private func use() throws {
    if driver.usedWindow.withLock({ $0 }) == used { return }
    _ = try driver.ask(.switchToWindow, ["handle": used])
    driver.usedWindow.withLock { $0 = used }
  }

  /// Returns the value that a command yields in the test's window.
  private func ask(_ command: BrowserCommand, _ body: [String: Any] = [:]) throws -> Any? {
    try use()
    return try driver.ask(command, body)
  }

  func open(_ address: String) throws { _ = try ask(.navigate, ["url": address]) }

  /// Opens another window of the same browser, and uses it from now on.
  func openWindow(_ address: String) throws {
    try use(newWindow: "window")
    try open(address)
  }

  func use(window: String) { used = window }

  /// Changes the size of the window and the preferences of its user, while a page is open.
  func show(as look: BrowserWindow) throws {
    self.look = look
    try use()
    try driver.show(as: look)
  }

  func reload() throws { _ = try ask(.refresh) }

  /// Returns the value of a JavaScript expression.
  func value(_ expression: String) throws -> Any? {
    try ask(.executeScript, ["script": "return \(expression)", "args": [String]()])
  }

  /// Returns the text of the first element that a selector finds.
  func text(_ selector: String) throws -> String {
    try value("document.querySelector('\(selector)')?.textContent ?? ''") as? String ?? ""
  }

  /// Waits until an expression is true.
  func wait(
    for expression: String, seconds: Double = 600, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let end = Date().addingTimeInterval(seconds)
    while Date() < end {
      if try value("Boolean(\(expression))") as? Bool == true { return }
      usleep(50_000)
    }
    let page = try text("body").replacing(#/\s+/#, with: " ")
    Issue.record("never: \(expression), in: \(page)", sourceLocation: sourceLocation)
  }

  private func find(_ selector: String) throws -> String {
    let found = try ask(.findElement, ["using": "css selector", "value": selector])
    return try #require((found as? [String: Any])?[Self.element] as? String, "\(selector)")
  }

  func click(_ selector: String) throws {
    _ = try ask(.click(element: try find(selector)))
  }

  /// Types into a field, in place of its present text.
  func type(_ text: String, into selector: String) throws {
    // WebDriver's own "clear" leaves the field, and the page may then write into it.
    let element = try find(selector)
    _ = try value("document.querySelector('\(selector)').focus()")
    _ = try value("document.querySelector('\(selector)').select()")
    _ = try ask(.sendKeys(element: element), ["text": text])
  }

  /// Presses keys in the focused element, by WebDriver's numbers for keys without a letter, while
  /// another one is held.
  func press(_ keys: String, holding modifier: String? = nil) throws {
    func action(_ type: String, _ key: String) -> [String: String] { ["type": type, "value": key] }
    let actions =
      (modifier.map { [action("keyDown", $0)] } ?? [])
      + keys.flatMap { [action("keyDown", String($0)), action("keyUp", String($0))] }
      + (modifier.map { [action("keyUp", $0)] } ?? [])
    _ = try ask(
      .performActions,
      ["actions": [["type": "key", "id": "keys", "actions": actions] as [String: Any]]])
  }

  /// Drags the pointer from an element's middle by some pixels.
  func drag(_ selector: String, by distance: (x: Int, y: Int)) throws {
    let actions: [[String: Any]] = [
      ["type": "pointerMove", "x": 0, "y": 0, "origin": [Self.element: try find(selector)]],
      ["type": "pointerDown", "button": 0],
      [
        "type": "pointerMove", "x": distance.x, "y": distance.y, "origin": "pointer",
        "duration": 200,
      ],
      ["type": "pointerUp", "button": 0],
    ]
    _ = try ask(
      .performActions,
      ["actions": [["type": "pointer", "id": "mouse", "actions": actions] as [String: Any]]])
  }

  /// Returns the browser's log messages since the last call.
  func complaints() throws -> [String] { try driver.complaints() }

  /// Returns a picture of the window, as PNG.
  func picture() throws -> Data {
    let text = try ask(.takePicture) as? String
    return try #require(Data(base64Encoded: text ?? ""))
  }
}
