import Foundation
import Testing

/// A headless Chromium that is controlled by WebDriver (W3C Recommendation, 2018).
final class Browser {
  /// `true` if it is installed, with its driver.
  static let isInstalled = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    .contains { FileManager.default.isExecutableFile(atPath: "\($0)/chromedriver") }

  private let driver = Process()
  private let port: UInt16
  private var session = ""
  private static let element = "element-6066-11e4-a52e-4f735466cecf"

  /// Opens a window of a size in pixels; that of a phone has two dots per pixel.
  init(
    width: Int, height: Int, isPhone: Bool = false, isDark: Bool = false,
    arguments: [String] = []
  ) throws {
    let output = Pipe()
    driver.executableURL = URL(filePath: "/usr/bin/env")
    driver.arguments = ["chromedriver", "--port=0"]
    driver.standardOutput = output
    driver.standardError = FileHandle.nullDevice
    try driver.run()
    var (text, found) = ("", nil as UInt16?)
    while found == nil {
      let data = output.fileHandleForReading.availableData
      try #require(!data.isEmpty, "chromedriver ended: \(text)")
      text += String(decoding: data, as: UTF8.self)
      found = text.firstMatch(of: #/started successfully on port (\d+)/#).flatMap { UInt16($0.1) }
    }
    port = found ?? 0
    var options: [String: Any] = [
      "args": [
        "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
        "--window-size=\(width),\(height)",
        "--blink-settings=preferredColorScheme=\(isDark ? 0 : 1)",
      ] + arguments
    ]
    if isPhone {
      options["mobileEmulation"] = [
        "deviceMetrics": ["width": width, "height": height, "pixelRatio": 2]
      ]
    }
    let wanted: [String: Any] = [
      "goog:chromeOptions": options, "goog:loggingPrefs": ["browser": "ALL"],
    ]
    let answer = try ask("", ["capabilities": ["alwaysMatch": wanted]]) as? [String: Any]
    session = "/" + (try #require(answer?["sessionId"] as? String))
  }

  deinit {
    _ = try? ask("", nil, method: "DELETE")
    // The driver may have been started with SIGTERM blocked.
    kill(driver.processIdentifier, SIGKILL)
    driver.waitUntilExit()
  }

  private func ask(_ command: String, _ body: [String: Any]?, method: String = "POST") throws
    -> Any?
  {
    let bytes = try body.map { [UInt8](try JSONSerialization.data(withJSONObject: $0)) } ?? []
    let head =
      "\(method) /session\(session)\(command) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n"
      + "Content-Type: application/json\r\nContent-Length: \(bytes.count)\r\n"
      + "Connection: close\r\n\r\n"
    let response = try StudioBench.exchange(head, body: bytes, port: port)
    let value = try response.object()["value"]
    try #require(response.status == 200, "\(command): \(response.text)")
    return value
  }

  func open(_ address: String) throws { _ = try ask("/url", ["url": address]) }

  /// Opens another window of the same browser, and uses it from now on.
  func openWindow(_ address: String) throws {
    let window = try ask("/window/new", ["type": "window"]) as? [String: Any]
    try use(window: try #require(window?["handle"] as? String))
    try open(address)
  }

  /// The windows, the oldest first.
  func windows() throws -> [String] {
    try #require(try ask("/window/handles", nil, method: "GET") as? [String])
  }

  func use(window: String) throws { _ = try ask("/window", ["handle": window]) }

  func reload() throws { _ = try ask("/refresh", [:]) }

  /// Returns the value of a JavaScript expression.
  func value(_ expression: String) throws -> Any? {
    try ask("/execute/sync", ["script": "return \(expression)", "args": [String]()])
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
    let found = try ask("/element", ["using": "css selector", "value": selector])
    return try #require((found as? [String: Any])?[Self.element] as? String, "\(selector)")
  }

  func click(_ selector: String) throws {
    _ = try ask("/element/\(try find(selector))/click", [:])
  }

  /// Types into a field, in place of its present text.
  func type(_ text: String, into selector: String) throws {
    // WebDriver's own "clear" leaves the field, and the page may then write into it.
    let element = try find(selector)
    _ = try value("document.querySelector('\(selector)').focus()")
    _ = try value("document.querySelector('\(selector)').select()")
    _ = try ask("/element/\(element)/value", ["text": text])
  }

  /// Presses keys in the focused element, by WebDriver's numbers for keys without a letter.
  func press(_ keys: String) throws {
    let actions = keys.flatMap { key in
      ["keyDown", "keyUp"].map { ["type": $0, "value": String(key)] }
    }
    _ = try ask(
      "/actions",
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
      "/actions",
      ["actions": [["type": "pointer", "id": "mouse", "actions": actions] as [String: Any]]])
  }

  /// Returns the browser's log messages since the last call.
  func complaints() throws -> [String] {
    let lines = try ask("/se/log", ["type": "browser"]) as? [[String: Any]]
    return (lines ?? []).compactMap { $0["message"] as? String }
  }

  /// Returns a picture of the window, as PNG.
  func picture() throws -> Data {
    let text = try ask("/screenshot", nil, method: "GET") as? String
    return try #require(Data(base64Encoded: text ?? ""))
  }
}
