import Synchronization

/// A running browser that tests share, one after another.
protocol BrowserDriver: AnyObject, Sendable {
  /// The window that commands act on, if it is known.
  var usedWindow: Mutex<String?> { get }

  /// Returns the value that a command yields.
  func ask(_ command: BrowserCommand, _ body: [String: Any]) throws -> Any?

  /// Opens a window, or a tab in one, and returns its handle.
  func openWindow(_ type: String) throws -> String

  /// Gives the size and the preferences of a window to the one that is used.
  func show(as window: BrowserWindow) throws

  /// Returns the errors that pages caused since the last call.
  func complaints() throws -> [String]

  /// Forgets cookies, errors and all else that is left of earlier pages; fails if the browser has
  /// ended.
  func forget() throws
}
