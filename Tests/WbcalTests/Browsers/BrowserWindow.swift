/// The size of a window, and the preferences that its pages are shown by.
struct BrowserWindow: Sendable {
  /// The part of the screen that a window has without the browser's own bars.
  var width: Int
  var height: Int
  /// It has two dots per pixel, and is touched.
  var isPhone = false
  var isDark = false
  /// Its user prefers reduced motion.
  var isStill = false

  /// - Parameter screen: what a browser's window fills; a phone's has no bars above the page.
  init(
    screen: (width: Int, height: Int), isPhone: Bool = false, isDark: Bool = false
  ) {
    // The height of Chromium's bars.
    (width, height) = (screen.width, screen.height - (isPhone ? 0 : 143))
    (self.isPhone, self.isDark) = (isPhone, isDark)
  }

  static let laptop = BrowserWindow(screen: (1366, 768))
  static let phone = BrowserWindow(screen: (390, 844), isPhone: true)

  var inTheDark: BrowserWindow {
    var window = self
    window.isDark = true
    return window
  }

  var withoutMotion: BrowserWindow {
    var window = self
    window.isStill = true
    return window
  }
}
