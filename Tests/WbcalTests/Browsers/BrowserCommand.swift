/// A command of WebDriver (W3C Recommendation, 2018), which a browser receives in its own protocol.
enum BrowserCommand {
  case navigate, refresh, openWindow, switchToWindow, closeWindow, executeScript, findElement
  case performActions, takePicture
  case click(element: String)
  case sendKeys(element: String)
}
