import Testing

/// The tests in browsers, one after another: they share one process of each browser.
@Suite(
  .enabled(
    if: BrowserKind.chromium.isInstalled, "there is no browser with a driver (chromium-driver)"),
  .serialized) enum BrowserSuite
{}
