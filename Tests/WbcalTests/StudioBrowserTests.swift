import CameraProfiles
import ColorScience
import Foundation
import Testing
import WhiteBalance

@testable import wbcal

/// The studio's page in a browser, used as by a person.
@Suite(
  .enabled(if: Browser.isInstalled, "there is no browser with a driver (chromium-driver)"),
  .serialized, .timeLimit(.minutes(20)))
struct StudioBrowserTests {
  private let bench: Workbench

  init() throws { bench = try Workbench() }

  private static let enter = "\u{E007}"

  /// Returns a browser that shows a studio's camera.
  private func browser(
    of studio: StudioBench, width: Int = 1440, height: Int = 900, isPhone: Bool = false,
    isDark: Bool = false
  ) throws -> Browser {
    let browser = try Browser(width: width, height: height, isPhone: isPhone, isDark: isDark)
    try browser.open("http://127.0.0.1:\(studio.port)/?token=\(studio.token)")
    try waitUntilLive(browser)
    return browser
  }

  private func waitUntilLive(_ browser: Browser) throws {
    try browser.wait(
      for: "document.querySelector('#state').textContent === 'Live' "
        + "&& document.querySelector('#live').naturalWidth > 0 "
        + "&& document.querySelector('#n-gains').textContent !== '–'")
  }

  private func region(_ studio: StudioBench) throws -> [Int] {
    try #require(try studio.get("camera").object()["region"] as? [Int])
  }

  @Test func aCardIsMadeNeutral() async throws {
    let device = "simulated:size=320x240,light=FL11"
    let studio = try StudioBench(bench, device: device)
    let browser = try browser(of: studio)
    try browser.wait(for: "document.querySelector('#region').style.left !== ''")
    let scale = try #require(
      try browser.value("document.querySelector('#frame').clientWidth / 320") as? Double)
    try browser.drag("#region", by: (x: Int(24 * scale), y: Int(12 * scale)))
    usleep(500_000)
    let moved = try region(studio)
    #expect(abs(moved[0] - 144) <= 2 && abs(moved[1] - 102) <= 2, "\(moved)")
    #expect(moved[2] == 80 && moved[3] == 60)
    try browser.click("#gray")
    try browser.press(Self.enter)
    try browser.wait(
      for: "/Frame \\d+ is the first to show it/.test("
        + "document.querySelector('#gray-result').textContent)")
    let told = try browser.text("#gray-result")
    let left = try #require(told.firstMatch(of: #/The residual is ([\d.]+) ΔE/#), "\(told)").1
    #expect(try #require(Double(left)) <= 0.5)
    #expect(try browser.text("#log-last").hasPrefix("wbcal gray --device \(device) --region "))
    try browser.click("#keep-label")
    try browser.wait(for: "document.querySelector('#keep').checked")
    usleep(300_000)
    // Settings that are to be kept stay, and another program finds the card neutral.
    let (status, errors) = try studio.end()
    #expect(status == 0 && errors.contains("the camera's settings were kept"), "\(errors)")
    try await bench.run("verify", "--device", device, "--limit", "0.5").expect(0)
    try browser.wait(for: "document.querySelector('#state').textContent === 'Connection lost'")
  }

  @Test func aSliderSetsTheCamera() async throws {
    try await bench.run(
      "calibrate", "--device", Workbench.camera, "--light", "A", "--light", "D65", "-o", "sim.json"
    ).expect(0)
    let device = Workbench.camera + ",light=5000K"
    let studio = try StudioBench(bench, "--profile", "sim.json", device: device)
    let browser = try browser(of: studio)
    try browser.type("3200\(Self.enter)", into: "#temperature-slider-number")
    try browser.wait(for: "document.querySelector('#log-last').textContent.includes('3200')")
    try browser.type("10\(Self.enter)", into: "#tint-slider-number")
    try browser.wait(
      for: "/--temperature 3200 --tint 10$/.test(document.querySelector('#log-last').textContent)")
    let line = try browser.text("#log-last")
    // The logged command does the same.
    let other = try Workbench()
    try other.write("sim.json", try bench.read("sim.json"))
    let words = line.split(separator: " ").dropFirst().map(String.init)
    let outcome = try await other.run(words + ["--json"])
    outcome.expect(0)
    struct Answer: Decodable { var controls: [String: Int] }
    let wanted = try JSONDecoder().decode(Answer.self, from: Data(outcome.output.utf8)).controls
    let reader = try StudioStreamReader(studio, "events?page=test")
    _ = try await reader.wait(for: "reading") { $0["controls"] as? [String: Int] == wanted }
    reader.leave()
    // Keys move the slider, the page shows the frame of the change, and the setting is undone.
    try browser.click("#temperature-slider-range")
    try browser.press("\u{E014}\u{E014}\u{E014}")
    try browser.wait(
      for: "/in (frame \\d+|the picture)/.test("
        + "document.querySelector('#balance-trace').textContent)")
    try browser.wait(for: "document.querySelector('#task').hidden")
    let before = try browser.text("#balance-trace")
    try browser.click("#tab-balance")
    try browser.press("u")
    try browser.wait(
      for: "document.querySelector('#task').hidden "
        + "&& document.querySelector('#balance-trace').textContent !== \(quoted(before))")
    #expect(try browser.complaints().isEmpty)
  }

  /// The range of a camera does not begin at a round number, but round numbers are requested.
  @Test func roundNumbersAreTakenBetweenOthers() throws {
    let studio = try StudioBench(bench)
    let browser = try browser(of: studio)
    _ = try browser.value(
      """
      import(new URL("slider.js", location.href).href).then(({ Slider }) => {
        const box = document.createElement("div");
        box.id = "other";
        document.querySelector("main").prepend(box);
        const asks = value => { document.title = `asked ${value}`; };
        new Slider("other", { label: "Other", step: 1, text: String, asks }).limits([1993.4, 9000.7]);
      })
      """)
    try browser.type("3200\(Self.enter)", into: "#other-number")
    try browser.wait(for: "document.title === 'asked 3200'")
  }

  private func quoted(_ text: String) -> String {
    String(decoding: (try? JSONEncoder().encode(text)) ?? Data(), as: UTF8.self)
  }

  @Test func calibrationThroughThePage() async throws {
    let studio = try StudioBench(bench)
    let browser = try browser(of: studio)
    try browser.click("#tab-calibrate")
    for light in ["A", "D65"] {
      try browser.type(light, into: "#shot-light")
      try browser.click("#take-shot")
      try browser.wait(
        for: "document.querySelector('#shot-status').textContent === "
          + "'The shot under \(light) is taken.'")
    }
    try browser.wait(for: "document.querySelectorAll('#shots li').length === 2")
    #expect(try browser.text("#advice").contains("would help most"))
    try browser.click("#finish")
    try browser.wait(
      for: "document.querySelector('#finish-result a')")
    #expect(try browser.text("#finish-result").contains("desk.json"))

    // The command makes the same profile from the same shots.
    let made = try CameraProfile(path: bench.folder.appending(path: "desk.json").path)
    var arguments = ["calibrate", "-o", "same.json"]
    for shot in try #require(made.calibration).shots.map(\.shot) {
      let light = shot.response
      arguments += ["--shot", "rgb:\(light.red),\(light.green),\(light.blue)@\(shot.light.name)"]
    }
    try await bench.run(arguments).expect(0)
    let same = try CameraProfile(path: bench.folder.appending(path: "same.json").path)
    for name in ["A", "D65", "FL11", "LED-B3"] {
      let light = try Light(named: name).chromaticity
      let one = try #require(made.model.gains(for: light, lightClass: nil))
      let other = try #require(same.model.gains(for: light, lightClass: nil))
      #expect(abs(one.red / other.red - 1) < 1e-12 && abs(one.blue / other.blue - 1) < 1e-12)
    }
    #expect(try studio.get("file?name=desk.html").text.contains("<svg"))
    #expect(try browser.complaints().isEmpty)
  }

  @Test func reloadedInMidActionAndTwoPages() throws {
    // The simulated camera takes the time of a real one.
    let studio = try StudioBench(bench, device: Workbench.camera + ",fps=60")
    let browser = try browser(of: studio)
    let task = "!document.querySelector('#task').hidden"
    try browser.click("#balance summary")
    try browser.type("1.5", into: "#gain-red")
    try browser.click("#set-gains")
    try browser.wait(for: task)
    try browser.reload()
    try browser.wait(for: task)
    try browser.wait(
      for: "document.querySelector('#task').hidden "
        + "&& document.querySelector('#log-last').textContent.includes('--gains 1.5')")

    let second = try self.browser(of: studio)
    try second.wait(for: "!document.querySelector('#take-over').hidden")
    #expect(try second.text("#notice").contains("Another page controls"))
    try second.wait(for: "document.querySelector('#gray').disabled")
    try second.click("#take-over")
    try browser.wait(for: "document.querySelector('#gray').disabled")
    try second.wait(for: "!document.querySelector('#gray').disabled")
  }

  /// Names, roles, contrast, overlaps and touch targets, on every panel.
  @Test(arguments: [(1440, 900, false), (1440, 900, true), (390, 844, false), (390, 844, true)])
  func everythingIsLegibleAndNamed(width: Int, height: Int, isDark: Bool) async throws {
    let device = "simulated:size=320x240,shutter=absolute,lens=motor,light="
    // With a profile the page shows more: the light, and the range of the controls.
    try await bench.run(
      "calibrate", "--device", Workbench.camera, "--light", "A", "--light", "D65", "-o", "sim.json"
    ).expect(0)
    let studio = try StudioBench(bench, "--profile", "sim.json", device: device + "A")
    let isPhone = width < 600
    let browser = try browser(
      of: studio, width: width, height: height, isPhone: isPhone, isDark: isDark)
    let dark = try browser.value("matchMedia('(prefers-color-scheme: dark)').matches")
    #expect(dark as? Bool == isDark)
    let script = try String(
      contentsOf: URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "Studio/page-checks.js"), encoding: .utf8)
    for tab in ["balance", "exposure", "focus", "calibrate"] {
      try browser.click("#tab-\(tab)")
      let problems = try browser.value(
        "(() => { \(script)\nreturn pageChecks({ phone: \(isPhone) }); })()")
      #expect(problems as? [String] == [], "\(tab)")
      if let folder = ProcessInfo.processInfo.environment["WBCAL_PAGES"] {
        try browser.picture().write(
          to: URL(filePath: "\(folder)/\(width)\(isDark ? "-dark" : "")-\(tab).png"))
      }
    }
    #expect(try browser.complaints().isEmpty)
  }
}
