import CameraProfiles
import ColorScience
import Foundation
import Testing
import WhiteBalance

@testable import wbcal

/// The studio's page with the kernel's driver for USB cameras: camera, driver and studio are in the
/// guest of the camera lab, with its clock, and the browser is outside.
@Suite(
  .enabled(
    if: BrowserKind.chromium.isInstalled && LabGuest.folder != nil,
    "make test-studio-lab runs this where there are a browser with a driver and QEMU"),
  .serialized, .timeLimit(.minutes(40)))
struct StudioLabTests {
  private static let enter = "\u{E007}"

  @Test func aRealDriverObeysThePage() async throws {
    let guest = try LabGuest(script: "studio")
    let address = try guest.say("cat /run/where", until: #/http://10\.0\.2\.15:8080/\?token=\w+/#)
    let chromium = try guest.chromium()
    let window = BrowserWindow(screen: (1440, 900))
    let browser = try Browser(chromium, window)
    try browser.open(address)
    let isLive =
      "document.querySelector('#state').textContent === 'Live' "
      + "&& document.querySelector('#live').dataset.pictures > 0"
    try browser.wait(for: isLive)

    // The region is dragged, and the true color of the card in it becomes neutral.
    try browser.wait(for: "document.querySelector('#region').style.left !== ''")
    let scale = try #require(
      try browser.value("document.querySelector('#frame').clientWidth / 160") as? Double)
    try browser.drag("#region", by: (x: Int(4 * scale), y: Int(3 * scale)))
    #expect(try neutral(guest) > 2)
    try browser.click("#gray")
    try browser.wait(for: "document.querySelector('#keep-gray').checkVisibility()", seconds: 900)
    #expect(try neutral(guest) <= 0.5)
    let last = "[...document.querySelectorAll('#log-lines code')].at(-1)?.textContent ?? ''"
    let command = try #require(try browser.value(last) as? String)
    #expect(
      command.contains("wbcal gray --device /dev/video0,size=160x120 --region "), "\(command)")

    // Two lamps are shot on the page, and the profile is the same as the command's.
    try browser.click("#tab-calibrate")
    for (count, (light, lamp)) in [("A", "bulb"), ("D65", "daylight")].enumerated() {
      _ = try guest.say("uvcd ctl lamp \(light)")
      _ = try browser.value(
        "(() => { const menu = document.querySelector('#lamp'); menu.value = '\(lamp)'; "
          + "menu.dispatchEvent(new Event('change')); })()")
      try browser.wait(for: "!document.querySelector('#take-shot').disabled")
      try browser.click("#take-shot")
      try browser.wait(
        for: "document.querySelectorAll('#shots li').length === \(count + 1)", seconds: 900)
    }
    try browser.click("#finish")
    try browser.wait(for: "document.querySelector('#finish-result a')")
    let bench = try Workbench()
    try bench.write("desk.json", try guest.say("cat /run/desk.json"))
    let made = try CameraProfile(path: bench.folder.appending(path: "desk.json").path)
    let shots = try #require(made.calibration).shots.map(\.shot)
    try await bench.run(
      ["calibrate", "-o", "same.json"]
        + shots.flatMap { shot in
          let light = shot.response
          return ["--shot", "rgb:\(light.red),\(light.green),\(light.blue)@\(shot.light.name)"]
        }
    ).expect(0)
    let same = try CameraProfile(path: bench.folder.appending(path: "same.json").path)
    for name in ["A", "D65", "FL11"] {
      let light = try Light(named: name).chromaticity
      let one = try #require(made.model.gains(for: light, lightClass: nil))
      let other = try #require(same.model.gains(for: light, lightClass: nil))
      #expect(abs(one.red / other.red - 1) < 1e-12 && abs(one.blue / other.blue - 1) < 1e-12)
    }

    // A temperature and a tint.
    try browser.click("#tab-balance")
    try browser.type("3200\(Self.enter)", into: "#temperature-slider-number")
    try browser.wait(
      for: "document.querySelector('#log-lines').textContent.includes('3200')")
    try browser.type("10\(Self.enter)", into: "#tint-slider-number")
    try browser.wait(
      for: "/--temperature 3200 --tint 10$/.test(\(last))"
    )
    let set = try #require(try browser.value(last) as? String)
    let shown = try registers(guest)

    // The camera is unplugged and comes back with its settings.
    _ = try guest.say("uvcd ctl unplug")
    try browser.wait(
      for: "document.querySelector('#state').textContent === 'Disconnected'")
    _ = try guest.say("uvcd ctl plug")
    try browser.wait(for: isLive)
    #expect(try registers(guest) == shown)

    // A page that is reloaded during an action, and a second page.
    _ = try guest.say("uvcd ctl lamp FL11")
    _ = try browser.value(
      "[...document.querySelectorAll('#gray, #gray-again')].find(one => one.checkVisibility()).click()"
    )
    try browser.wait(for: "!document.querySelector('#task').hidden")
    try browser.reload()
    try browser.wait(for: "!document.querySelector('#task').hidden")
    let second = try Browser(chromium, window)
    try second.open(address)
    try second.wait(for: "!document.querySelector('#take-over').hidden")
    #expect(try second.text("#notice").contains("Another page controls"))
    try browser.wait(
      for: "document.querySelector('#task').hidden && /^wbcal gray /.test(\(last))", seconds: 900)
    #expect(try neutral(guest) <= 0.5)
    try second.click("#take-over")
    try browser.wait(for: "document.querySelector('#find-card').disabled")
    try second.wait(for: "!document.querySelector('#find-card').disabled")

    // The logged command sets the same values, and the studio restores the camera's settings.
    try guest.end(
      """
      ok 'the command of the log sets' prints 'seen in frame' \(set)
      ok 'the same red' has red_balance \(shown[0])
      ok 'and the same blue' has blue_balance \(shown[1])
      """)
  }

  /// Returns the true CIEDE2000 distance from neutral of the card in the camera's last frame,
  /// according to the camera.
  private func neutral(_ guest: LabGuest) throws -> Double {
    let words = try guest.say("uvcd ctl neutral").split(whereSeparator: \.isWhitespace)
    return try #require(words.first.flatMap { Double($0) }, "\(words)")
  }

  /// Returns the red and blue controls' values in the hardware.
  private func registers(_ guest: LabGuest) throws -> [Int] {
    let truth = try guest.say("uvcd ctl truth")
    let match = try #require(truth.firstMatch(of: #/ red=(\d+) blue=(\d+) /#), "\(truth)")
    return [Int(match.1), Int(match.2)].compactMap(\.self)
  }
}

/// A guest of the camera lab that runs one of its scripts, with a shell inside.
final class LabGuest {
  /// The folder in which the lab is built, according to the environment.
  static var folder: String? { ProcessInfo.processInfo.environment["WBCAL_LAB"] }

  private let process = Process()
  private let output: URL
  private let ports: (studio: UInt16, shell: UInt16)

  init(script: String) throws {
    let lab = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "CameraLab")
    let folder = try #require(Self.folder)
    ports = (try Self.freePort(), try Self.freePort())
    output = FileManager.default.temporaryDirectory.appending(path: "guest-\(ports.shell)")
    try Data().write(to: output)
    process.executableURL = lab.appending(path: "run.sh")
    process.arguments = ["\(lab.path)/guest/\(script).sh", "\(folder)/programs.cpio"]
    process.environment = ProcessInfo.processInfo.environment.merging(
      [
        "LAB_BUILD": folder, "LAB_TIMEOUT": "2300",
        "LAB_FORWARD": "\(ports.studio):8080 \(ports.shell):2000",
      ]) { $1 }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = process.standardOutput
    try process.run()
  }

  deinit {
    if process.isRunning { _ = try? say("leave 1") }
    process.waitUntilExit()
    try? FileManager.default.removeItem(at: output)
  }

  /// Returns a port that nothing listens on.
  private static func freePort() throws -> UInt16 {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = (0x7F00_0001 as UInt32).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let code = unsafe withUnsafeMutablePointer(to: &address) {
      unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe bind(descriptor, $0, size) == 0 ? getsockname(descriptor, $0, &size) : -1
      }
    }
    try #require(code == 0, "\(errno)")
    return UInt16(bigEndian: address.sin_port)
  }

  /// Returns a browser that resolves the guest's address.
  func chromium() throws -> Chromium {
    try Chromium(arguments: [
      "--host-resolver-rules=MAP 10.0.2.15:8080 127.0.0.1:\(ports.studio)"
    ])
  }

  /// Returns the output of a command in the guest's shell.
  func say(_ command: String) throws -> String {
    let descriptor = try StudioBench.connect(command + "\nexit\n", body: [], port: ports.shell)
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    while let more = StudioBench.read(descriptor), !more.isEmpty { bytes += more }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Repeats a command until its output matches, and returns the match.
  func say(_ command: String, until pattern: Regex<Substring>) throws -> String {
    for _ in 0..<600 where process.isRunning {
      // Before the guest listens, a connection ends at once.
      if let match = (try? say(command))?.firstMatch(of: pattern) {
        return String(match.0)
      }
      usleep(200_000)
    }
    let said = try String(contentsOf: output, encoding: .utf8)
    return try #require(nil as String?, "\(said)")
  }

  /// Ends the guest's script, which then runs some lines, and expects success.
  func end(_ lines: String) throws {
    _ = try say("cat >/run/end.tmp <<'END'\n\(lines)\nEND\nmv /run/end.tmp /run/over")
    process.waitUntilExit()
    let text = try String(contentsOf: output, encoding: .utf8)
    print(text)
    #expect(process.terminationStatus == 0, "\(text)")
  }
}
