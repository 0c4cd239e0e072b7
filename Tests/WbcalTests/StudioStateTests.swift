import Foundation
import Testing

extension BrowserSuite.StudioBrowserTests {
  /// A state in which a newcomer looks for the next step.
  enum PageState: String, CaseIterable {
    case first, gray, tintLeft, tooBright, noProfile, calibrating, calibrated, refused, gone
    case watching

    /// The camera, and what else the studio is started with.
    var camera: String {
      switch self {
      case .first: "pipeline=webcam,controls=temperature,light=4000K"
      case .tintLeft: "pipeline=webcam,controls=temperature,light=FL11"
      case .noProfile: "pipeline=webcam,controls=balances,light=4000K"
      case .tooBright: "shutter=absolute,light=FL11"
      case .gone: "light=FL11,fps=30,vanish=60"
      // The lamp is the one that is named.
      case .calibrating, .calibrated: "seed=1"
      default: "light=FL11"
      }
    }

    /// The element that leads on.
    var next: String {
      switch self {
      case .first, .noProfile: "#gray"
      case .refused: "#help-picture"
      case .gray, .tintLeft: "#keep-gray"
      case .tooBright: "#right-exposure"
      case .calibrating: "#lamp"
      case .calibrated: "#finish"
      case .gone: "#picker"
      case .watching: "#take-over"
      }
    }

    /// The buttons that stand out. A lamp is chosen, and a cable connected, before one is pressed.
    var bold: [String] {
      switch self {
      case .calibrating: ["#take-shot"]
      case .gone: []
      default: [next]
      }
    }

    var isCalibration: Bool { self == .calibrating || self == .calibrated }
  }

  /// In every state the next step is in sight, can be pressed, and stands out from all others.
  /// With `WBCAL_PAGES=FOLDER` it writes pictures of them.
  @Test(arguments: PageState.allCases) func theNextStepIsSeen(state: PageState) async throws {
    let studio = try StudioBench(bench, device: "simulated:size=640x480,\(state.camera)")
    let browser = try Browser(.chromium, .laptop)
    try browser.open(address(studio))
    if state != .gone { try waitUntilLive(browser) }
    try await bring(browser, of: studio, to: state)
    for look in [BrowserWindow.laptop, .phone] {
      try browser.show(as: look)
      _ = try browser.value(
        state.isCalibration ? "document.querySelector('#tab-calibrate').click()" : "scrollTo(0, 0)")
      var picture = Data()
      repeat {
        if state == .gone { try browser.wait(for: contains("#state", "Disconnected")) }
        usleep(300_000)
        picture = try browser.picture()
        #expect(try browser.value(isReached(state.next)) as? Bool == true, "\(look)")
        let bold =
          "[...document.querySelectorAll('button.primary')].filter(one => one.checkVisibility() "
          + "&& !one.disabled).map(one => '#' + one.id)"
        #expect(try browser.value(bold) as? [String] == state.bold, "\(look)")
      } while try state == .gone && browser.text("#state") != "Disconnected"
      if let folder = ProcessInfo.processInfo.environment["WBCAL_PAGES"] {
        try picture.write(
          to: URL(filePath: "\(folder)/\(state.rawValue)-\(look.isPhone ? "phone" : "laptop").png"))
      }
    }
  }

  /// Returns the expression for an element that is in the window with nothing above it.
  private func isReached(_ selector: String) -> String {
    """
    (() => {
      const element = document.querySelector('\(selector)');
      const box = element.getBoundingClientRect();
      const seen = document.elementFromPoint((box.left + box.right) / 2, (box.top + box.bottom) / 2);
      return element.contains(seen) && box.bottom <= innerHeight && !element.disabled;
    })()
    """
  }

  private func bring(_ browser: Browser, of studio: StudioBench, to state: PageState) async throws {
    switch state {
    case .first, .noProfile, .gone: break
    case .gray, .tintLeft:
      try browser.click("#gray")
      try browser.wait(for: isVisible("#keep-gray"))
    case .tooBright:
      _ = try studio.act("control", #"{"takeOver":true}"#)
      _ = try studio.act("exposure", #"{"duration":0.2}"#)
      try browser.wait(for: "!document.querySelector('#take-over').hidden")
      try browser.click("#take-over")
      try browser.wait(for: "!document.querySelector('#gray').disabled")
      try browser.click("#gray")
      try browser.wait(for: isVisible("#right-exposure"))
    case .calibrating, .calibrated:
      try browser.click("#tab-calibrate")
      let lamps = state == .calibrating ? ["bulb"] : ["bulb", "daylight"]
      for (count, lamp) in lamps.enumerated() {
        try choose(lamp, in: "#lamp", browser)
        try browser.wait(for: "!document.querySelector('#take-shot').disabled")
        try browser.click("#take-shot")
        try browser.wait(for: "document.querySelectorAll('#shots li').length === \(count + 1)")
      }
    case .refused:
      // The box is over the edge of the card.
      try browser.drag("#region", by: (x: -140, y: 0))
      try browser.click("#gray")
      try browser.wait(for: isVisible("[data-errors=picture]"))
    case .watching:
      _ = try studio.act("control", #"{"takeOver":true}"#)
      try browser.wait(for: "!document.querySelector('#take-over').hidden")
    }
    try waitForRest(browser)
  }
}
