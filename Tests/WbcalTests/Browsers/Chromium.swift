import Foundation
import Synchronization
import Testing

/// A headless Chromium, which chromedriver controls.
final class Chromium: BrowserDriver {
  let usedWindow = Mutex<String?>(nil)
  private let process: BrowserProcess
  private let port: UInt16
  private let session: String
  /// The window that keeps the browser running while no test has one.
  private let first: String

  init(arguments: [String] = []) throws {
    process = try BrowserProcess { _ in ["chromedriver", "--port=0"] }
    port = try process.number(after: #/started successfully on port (\d+)/#)
    let options = [
      "args": [
        "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
        "--user-data-dir=\(process.folder.path)/profile", "--window-size=1440,1000",
      ] + arguments
    ]
    let wanted: [String: Any] = [
      "goog:chromeOptions": options, "goog:loggingPrefs": ["browser": "ALL"],
    ]
    let answer = try Self.ask(port, "", ["capabilities": ["alwaysMatch": wanted]])
    let name = try #require((answer as? [String: Any])?["sessionId"] as? String)
    session = "/" + name
    let handles = try Self.ask(port, session + "/window/handles", method: "GET") as? [String]
    first = try #require(handles?.first)
  }

  private static func ask(
    _ port: UInt16, _ path: String, _ body: [String: Any] = [:], method: String = "POST"
  ) throws -> Any? {
    let bytes =
      method == "POST" ? [UInt8](try JSONSerialization.data(withJSONObject: body)) : []
    let head =
      "\(method) /session\(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n"
      + "Content-Type: application/json\r\nContent-Length: \(bytes.count)\r\n"
      + "Connection: close\r\n\r\n"
    let response = try StudioBench.exchange(head, body: bytes, port: port)
    let value = try response.object()["value"]
    try #require(response.status == 200, "\(path): \(response.text)")
    return value
  }

  func ask(_ command: BrowserCommand, _ body: [String: Any]) throws -> Any? {
    let (method, path) = Self.path(command)
    return try Self.ask(port, session + path, body, method: method)
  }

  private static func path(_ command: BrowserCommand) -> (method: String, path: String) {
    switch command {
    case .navigate: ("POST", "/url")
    case .refresh: ("POST", "/refresh")
    case .openWindow: ("POST", "/window/new")
    case .switchToWindow: ("POST", "/window")
    case .closeWindow: ("DELETE", "/window")
    case .executeScript: ("POST", "/execute/sync")
    case .findElement: ("POST", "/element")
    case .performActions: ("POST", "/actions")
    case .takePicture: ("GET", "/screenshot")
    case .click(let element): ("POST", "/element/\(element)/click")
    case .sendKeys(let element): ("POST", "/element/\(element)/value")
    }
  }

  /// Calls a method of the DevTools protocol in the window that is used.
  private func call(_ method: String, _ parameters: [String: Any] = [:]) throws {
    _ = try Self.ask(
      port, session + "/goog/cdp/execute", ["cmd": method, "params": parameters])
  }

  func openWindow(_ type: String) throws -> String {
    // The window that was used last may be closed.
    _ = try ask(.switchToWindow, ["handle": first])
    let window = try ask(.openWindow, ["type": type]) as? [String: Any]
    return try #require(window?["handle"] as? String)
  }

  func show(as window: BrowserWindow) throws {
    try call(
      "Emulation.setDeviceMetricsOverride",
      [
        "width": window.width, "height": window.height,
        "deviceScaleFactor": window.isPhone ? 2 : 1, "mobile": window.isPhone,
      ])
    try call("Emulation.setTouchEmulationEnabled", ["enabled": window.isPhone])
    let features = [
      "prefers-color-scheme": window.isDark ? "dark" : "light",
      "prefers-reduced-motion": window.isStill ? "reduce" : "no-preference",
    ]
    try call(
      "Emulation.setEmulatedMedia",
      ["features": features.map { ["name": $0.key, "value": $0.value] }])
  }

  func complaints() throws -> [String] {
    let lines = try Self.ask(port, session + "/se/log", ["type": "browser"]) as? [[String: Any]]
    return (lines ?? []).compactMap { $0["message"] as? String }
  }

  func forget() throws {
    _ = try ask(.switchToWindow, ["handle": first])
    try call("Network.clearBrowserCookies")
    try call("Storage.clearDataForOrigin", ["origin": "*", "storageTypes": "all"])
    _ = try complaints()
  }
}
