import Foundation
import Synchronization
import Testing

/// A headless Firefox, which is controlled by its own protocol, Marionette: arrays in JSON, each
/// after its length.
final class Firefox: BrowserDriver {
  let usedWindow = Mutex<String?>(nil)
  private let process: BrowserProcess
  private let connection: Int32
  /// The window that keeps the browser running while no test has one.
  private let first: String
  private let received = Mutex<[UInt8]>([])

  init() throws {
    let preferences = [
      "marionette.port": "0", "datareporting.policy.dataSubmissionEnabled": "false",
      "browser.startup.homepage_override.mstone": "\"ignore\"",
    ]
    process = try BrowserProcess { folder in
      let lines = preferences.map { "user_pref(\"\($0.key)\", \($0.value));\n" }
      try Data(lines.joined().utf8).write(to: folder.appending(path: "user.js"))
      return [
        "firefox-esr", "--headless", "--no-remote", "--marionette",
        "--remote-allow-system-access", "--profile", folder.path,
      ]
    }
    let file = process.folder.appending(path: "MarionetteActivePort")
    var port: UInt16?
    for _ in 0..<6000 where port == nil {
      usleep(100_000)
      port = (try? String(contentsOf: file, encoding: .utf8)).flatMap(UInt16.init)
    }
    connection = try StudioBench.connect("", body: [], port: try #require(port))
    let greeting = try Self.message(connection, received)
    try #require(
      (greeting as? [String: Any])?["marionetteProtocol"] as? Int == 3, "\(greeting)")
    _ = try Self.ask(connection, received, "WebDriver:NewSession", [:])
    let handles = try Self.ask(connection, received, "WebDriver:GetWindowHandles", [:])
    first = try #require((handles as? [String])?.first)
  }

  deinit { close(connection) }

  /// Waits for a message.
  private static func message(_ connection: Int32, _ received: borrowing Mutex<[UInt8]>) throws
    -> Any
  {
    try received.withLock { bytes in
      while true {
        if let colon = bytes.firstIndex(of: UInt8(ascii: ":")) {
          let length = try #require(Int(String(decoding: bytes[..<colon], as: UTF8.self)))
          let end = colon + 1 + length
          if bytes.count >= end {
            defer { bytes.removeFirst(end) }
            return try JSONSerialization.jsonObject(with: Data(bytes[colon + 1..<end]))
          }
        }
        let more = try #require(StudioBench.read(connection))
        try #require(!more.isEmpty, "Firefox has ended")
        bytes += more
      }
    }
  }

  private static func ask(
    _ connection: Int32, _ received: borrowing Mutex<[UInt8]>, _ name: String,
    _ body: [String: Any]
  ) throws -> Any? {
    let text = try JSONSerialization.data(withJSONObject: [0, 1, name, body] as [Any])
    try StudioBench.send(Array("\(text.count):".utf8) + text, to: connection)
    let answer = try #require(try message(connection, received) as? [Any])
    try #require(answer.count == 4)
    try #require(answer[2] is NSNull, "\(name): \(answer[2])")
    let fields = answer[3] as? [String: Any]
    return fields?.count == 1 ? fields?["value"] ?? answer[3] : answer[3]
  }

  func ask(_ command: BrowserCommand, _ body: [String: Any]) throws -> Any? {
    let (name, more) = Self.name(command)
    return try Self.ask(connection, received, name, body.merging(more) { $1 })
  }

  private static func name(_ command: BrowserCommand) -> (name: String, body: [String: Any]) {
    switch command {
    case .navigate: ("WebDriver:Navigate", [:])
    case .refresh: ("WebDriver:Refresh", [:])
    case .openWindow: ("WebDriver:NewWindow", [:])
    case .switchToWindow: ("WebDriver:SwitchToWindow", [:])
    case .closeWindow: ("WebDriver:CloseWindow", [:])
    case .executeScript: ("WebDriver:ExecuteScript", [:])
    case .findElement: ("WebDriver:FindElement", [:])
    case .performActions: ("WebDriver:PerformActions", [:])
    case .takePicture: ("WebDriver:TakeScreenshot", ["full": false])
    case .click(let element): ("WebDriver:ElementClick", ["id": element])
    case .sendKeys(let element): ("WebDriver:ElementSendKeys", ["id": element])
    }
  }

  /// Returns the value of a JavaScript expression in the window of Firefox itself.
  private func inner(_ expression: String) throws -> Any? {
    _ = try Self.ask(connection, received, "Marionette:SetContext", ["value": "chrome"])
    defer {
      _ = try? Self.ask(connection, received, "Marionette:SetContext", ["value": "content"])
    }
    return try ask(
      .executeScript, ["script": "return \(expression)", "args": [String]()])
  }

  /// Opens a private window; what private windows store is removed with the last of them.
  func openWindow(_ type: String) throws -> String {
    // The window that was used last may be closed.
    _ = try ask(.switchToWindow, ["handle": first])
    let window = try ask(.openWindow, ["type": "window", "private": true]) as? [String: Any]
    return try #require(window?["handle"] as? String)
  }

  func show(as window: BrowserWindow) throws {
    _ = try Self.ask(
      connection, received, "WebDriver:SetWindowRect",
      ["width": max(window.width, 500), "height": window.height + 200])
    let sides = ["width": window.width, "height": window.height]
    let style = sides.flatMap { name, value in
      ["min", "max"].map { "style.setProperty('\($0)-\(name)', '\(value)px');" }
    }
    _ = try inner(
      """
      (() => {
        const { style, browsingContext } = gBrowser.selectedBrowser;
        \(style.joined(separator: "\n"))
        browsingContext.overrideDPPX = \(window.isPhone ? 2 : 1);
        browsingContext.touchEventsOverride = "\(window.isPhone ? "enabled" : "disabled")";
        browsingContext.prefersColorSchemeOverride = "\(window.isDark ? "dark" : "light")";
        Services.prefs.setIntPref("ui.prefersReducedMotion", \(window.isStill ? 1 : 0));
      })()
      """)
  }

  /// Returns exceptions and violations of the page's own rules; messages of the console are not
  /// among them.
  func complaints() throws -> [String] {
    let lines = try inner(
      """
      (() => {
        const errors = Services.console.getMessageArray().filter(one =>
          one instanceof Ci.nsIScriptError && !(one.flags & Ci.nsIScriptError.warningFlag)
          && /^(http|file|data):/.test(one.sourceName));
        Services.console.reset();
        return errors.map(one => `${one.sourceName} ${one.errorMessage}`);
      })()
      """)
    return try #require(lines as? [String])
  }

  func forget() throws {
    _ = try ask(.switchToWindow, ["handle": first])
    _ = try complaints()
  }
}
