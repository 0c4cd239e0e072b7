import CameraProfiles
import Foundation
import SimulatedCamera
import SimulatedScenes
import Testing
import WhiteBalance

@testable import wbcal

struct CameraCommandTests {
  private let bench: Workbench

  init() throws { bench = try Workbench() }

  private func device(_ settings: String = "") -> String { Workbench.camera + settings }

  private func controls() async throws -> String {
    let outcome = try await bench.run("devices", "--device", device(), "--json")
    outcome.expect(0)
    return outcome.output
  }

  /// The steps that the README shows: two shots, a setting under a third light, a neutral card.
  @Test func fromTheCardToACalibratedCamera() async throws {
    try await bench.run(
      "calibrate", "--device", device(), "--light", "A", "--light", "D65", "-o", "desk.json"
    )
    .expect(0)
    let applied = try await bench.run(
      "set", "--device", device(",light=5000K"), "--profile", "desk.json", "--temperature", "5000",
      "--tint", "0", "--class", "thermal", "--json")
    applied.expect(0)
    #expect(applied.output.contains(#""firstFrame":9"#))
    let verified = try await bench.run("verify", "--device", device(",light=5000K"), "--json")
    verified.expect(0)
    let record = try #require(
      try JSONSerialization.jsonObject(with: Data(verified.output.utf8)) as? [String: Any])
    #expect(try #require(record["ciede2000"] as? Double) < 1)
    // The camera's estimate is the light that it was set to.
    let seen = try await bench.run(
      "estimate", "--device", device(",light=5000K"), "--profile", "desk.json", "--class",
      "thermal", "--json")
    let estimate = try #require(
      try JSONSerialization.jsonObject(with: Data(seen.output.utf8)) as? [String: Any])
    #expect(abs(try #require(estimate["temperature"] as? Double) - 5000) < 60)
    // Under another light the same setting is not neutral, and `gray` makes it neutral.
    try await bench.run("verify", "--device", device(",light=A")).expect(65)
    try await bench.run(
      "gray", "--device", device(",light=A"), "--profile", "desk.json", "--no-watch"
    ).expect(0)
    try await bench.run("verify", "--device", device(",light=A"), "--limit", "0.5").expect(0)
    let gray = try await bench.run("gray", "--device", device(",light=A"), "--profile", "desk.json")
    gray.expect(0)
    #expect(gray.output.contains("locked at red"))
    try await bench.run("verify", "--device", device(",light=A"), "--limit", "0.5").expect(0)
    let report = try await bench.run("report", "desk.json", "-o", "desk.html")
    report.expect(0)
    #expect(try bench.read("desk.html").contains("<svg"))
  }

  /// A seed gives the same camera in every command, and its true gains are reported.
  @Test func aCameraIsDrawnAtRandom() async throws {
    struct Truth: Decodable {
      var frames: Int
      var gains, restarted: [Double]
      var later: [[Double]]
    }
    let device = "simulated:chain=7"
    let first = try await bench.run("devices", "--device", device, "--json")
    first.expect(0)
    let second = try await bench.run("devices", "--device", device, "--json")
    #expect(first.output == second.output)
    let other = try await bench.run("devices", "--device", "simulated:chain=8", "--json")
    #expect(first.output != other.output)
    try await bench.run("devices", "--device", device + ",controls=bent").expect(
      64, errors: "chain=7 generates the whole camera at random; omit controls=")
    try await bench.run(
      "calibrate", "--device", device, "--light", "A", "--light", "D65", "-o", "chain.json"
    ).expect(0)
    try await bench.run(
      "set", "--device", device + ",light=D65,past=1,truth=truth.json", "--profile", "chain.json",
      "--light", "D65"
    ).expect(0)
    let text = try bench.read("truth.json")
    let truth = try JSONDecoder().decode(Truth.self, from: Data(text.utf8))
    let chain = RandomChain(seed: 7)
    let lamp = try #require(MeasuredLamp(named: "D65"))
    #expect(truth.frames > 0 && truth.later.count == 15)
    for gains in [truth.gains, truth.restarted] + truth.later {
      let gains = Gains(red: gains[0], green: gains[1], blue: gains[2])
      #expect(chain.differenceFromNeutral(gains, under: lamp) < 0.5)
    }
    let help = try await bench.run("devices", "--help")
    for key in ["chain=SEED", "past=1", "truth=FILE"] { #expect(help.output.contains(key)) }
  }

  @Test func helpListsEveryKindOfControls() async throws {
    let help = try await bench.run("devices", "--help")
    help.expect(0)
    let words = help.output.split { !$0.isLetter }
    for balance in SimulatedBalance.all {
      #expect(words.contains(Substring(balance.name)), "\(balance.name)")
    }
  }

  @Test func aCommandChangesTheLight() throws {
    func calibrate(_ command: String) throws -> Workbench.Outcome {
      try bench.runProcess(
        "calibrate", "--device", device(), "--light", "D65", "--change-light", command, "-o",
        "desk.json")
    }
    try calibrate("echo \"$WBCAL_LIGHT\" >lights").expect(0)
    #expect(try bench.read("lights") == "D65\n")
    let profile = try bench.read("desk.json")
    // The program ignores the signals that Ctrl-C sends, and watches for them; the command must be
    // terminated by them.
    for (command, status) in [("exit 3", 3), ("kill -INT $$; exit 0", 130), ("kill -PIPE $$", 141)]
    {
      try calibrate(command).expect(
        74, errors: "changes the light to D65 failed (status \(status))", "Nothing was saved")
    }
    #expect(try bench.read("desk.json") == profile)
  }

  @Test func modesAreSet() async throws {
    let once = try await bench.run("set", "--device", device(), "--mode", "automatic")
    once.expect(0)
    #expect(once.output.contains("automatic (white_balance_automatic 0"))
    let always = try await bench.run(
      "set", "--device", device(), "--mode", "continuousAutomatic", "--json")
    always.expect(0)
    #expect(always.output.contains(#""white_balance_automatic":1"#))
    try await bench.run("set", "--device", device(",controls=none"), "--mode", "automatic").expect(
      69, errors: "no control of its white balance")
    try await bench.run("set", "--device", device(), "--mode", "manual").expect(64)
  }

  @Test func watchingTouchesNothing() async throws {
    try await bench.run("calibrate", "--device", device(), "--light", "D65", "-o", "desk.json")
      .expect(0)
    let lines = try bench.runProcess(
      "watch", "--device", device(), "--profile", "desk.json", "--seconds", "0.4", "--every", "0.1")
    lines.expect(0)
    #expect(lines.output.contains("set for"))
    #expect(lines.output.contains("gray world needs"))
    let records = try bench.runProcess(
      "watch", "--device", device(), "--profile", "desk.json", "--seconds", "0.4", "--every", "0.1",
      "--json")
    records.expect(0)
    var frame = -1
    for line in records.output.split(separator: "\n") {
      let record = try #require(
        try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      let next = try #require(record["frame"] as? Int)
      #expect(next > frame)
      frame = next
      #expect((record["needs"] as? [String: Double])?.count == 3)
    }
    #expect(frame > 0)
    try await bench.run("watch", "--device", device(), "--seconds", "-1").expect(64)
    try await bench.run("watch", "--device", device(",vanish=5"), "--seconds", "60").expect(
      69, errors: "went away")
  }

  /// The lamp changes while a locked camera is watched; in an automatic mode the camera's own
  /// changes look the same.
  @Test func aChangeOfTheLightIsStated() async throws {
    let camera = device(",controls=balances")
    let stated = "the light has changed by CIEDE2000"
    func watch(_ settings: String, _ options: String...) async throws -> String {
      let outcome = try await bench.run(
        ["watch", "--device", camera + settings, "--seconds", "3", "--every", "60"] + options)
      outcome.expect(0)
      return outcome.output
    }
    try await bench.run("set", "--device", camera, "--mode", "locked").expect(0)
    let lines = try await watch(",relight=A@60")
    #expect(lines.components(separatedBy: stated).count == 2, "\(lines)")
    #expect(try await !watch("").contains(stated))
    // Only a part of the rows of a larger frame is looked at.
    #expect(try await watch(",size=320x256,relight=A@30").contains(stated))
    let records = try await watch(",relight=A@60", "--json").split(separator: "\n").map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
    let changes = records.compactMap { $0["lightChange"] as? [String: Double] }
    #expect(changes.count == 1)
    let change = try #require(changes.first)
    #expect(try #require(change["ciede2000"]) > 10 && #require(change["agreement"]) > 0.6)
    try await bench.run("set", "--device", camera, "--mode", "continuousAutomatic").expect(0)
    #expect(try await !watch(",relight=A@60").contains(stated))
    try await bench.run("watch", "--device", camera + ",relight=A").expect(
      64, errors: "LIGHT@FRAME, such as A@300")
    try await bench.run("watch", "--device", camera + ",relight=Q@3").expect(69, errors: "'Q'")
  }

  @Test func gainsOutOfReachChangeNothing() async throws {
    let before = try await controls()
    try await bench.run("set", "--device", device(), "--gains", "9,1,1").expect(
      65, errors: "red gain 9.000", "above the largest", "no gains with this color are in range")
    #expect(try await controls() == before)
  }

  @Test func aLightOutsideTheCamera() async throws {
    try await bench.makeProfile()
    try await bench.run("set", "--device", device(), "--profile", "desk.json", "--xy=5,-3").expect(
      65, errors: "no gains make this light", "5.0", "-3.0")
  }

  /// A preset is the illuminant that it stands for, to the last digit of the gains.
  @Test func presets() async throws {
    try await bench.makeProfile()
    func gains(_ light: String...) async throws -> [String: Double] {
      let outcome = try await bench.run(
        ["set", "--device", device(",light=D65"), "--profile", "desk.json", "--json"] + light)
      outcome.expect(0)
      let record = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8))
      let applied = try #require(record as? [String: Any])
      return try #require(applied["gains"] as? [String: Double])
    }
    let cloudy = try await gains("--preset", "cloudy")
    #expect(try await gains("--xy", "0.31272,0.32903", "--class", "daylight") == cloudy)
    let tungsten = try await gains("--preset", "tungsten")
    #expect(try #require(tungsten["blue"]) > (try #require(cloudy["blue"])))
    let set = ["set", "--device", device(), "--profile", "desk.json", "--preset"]
    try await bench.run(set + ["moonlight"]).expect(
      64, errors: "moonlight", "day-white-fluorescent")
    try await bench.run(set + ["shade", "--temperature", "5000"]).expect(
      64, errors: "one of", "--preset")
    try await bench.run(set + ["shade", "--xy", "0.3,0.3"]).expect(64, errors: "one of")
    try await bench.run(set + ["shade", "--tint", "3"]).expect(64, errors: "--tint requires")
    try await bench.run(["set", "--device", device(), "--preset", "shade"]).expect(
      64, errors: "--profile")
    // A preset is not a measured light.
    try await bench.run(
      "calibrate", "--device", device(), "--light", "candle", "-o", "other.json"
    ).expect(65, errors: "'candle' is not a light")
  }

  @Test func unknownDevices() async throws {
    try await bench.run("gray", "--device", "/dev/video99").expect(
      69, errors: "no camera '/dev/video99'", "wbcal devices")
    try await bench.run("gray", "--device", "simulated:camera=brownie").expect(
      69, errors: "'brownie'")
    try await bench.run("gray", "--device", "simulated:light=moon").expect(69, errors: "'moon'")
    try await bench.run("gray", "--device", "simulated:color=3").expect(
      64, errors: "color=3", "camera=")
    try await bench.run("gray", "--device", "simulated:size=1x1").expect(64, errors: "WxH")
    try await bench.run("gray", "--device", "simulated:seed=x").expect(64, errors: "seed")
  }

  @Test func aCameraThatVanishes() throws {
    for command in [["gray"], ["estimate"], ["verify"], ["set", "--gains", "1,1,1"]] {
      var arguments = command
      arguments.insert(contentsOf: ["--device", device(",vanish=5")], at: 1)
      let (process, _, errors) = bench.process(arguments, input: .nullDevice)
      try process.run()
      process.waitUntilExit()
      #expect(process.terminationStatus == 69, "\(command)")
      #expect(try String(contentsOf: errors, encoding: .utf8).contains("went away"))
    }
  }

  /// A preset that makes the picture dark is tried last, and is not used for watching.
  @Test func aMenuThatEndsInTheDark() async throws {
    for light in ["1800K", "2200K", "2700K"] {
      let camera = "simulated:controls=presets,pipeline=board,light=\(light)"
      let outcome = try await bench.run("gray", "--device", camera)
      #expect(!outcome.errors.contains("another program"), "\(outcome.errors)")
    }
  }

  @Test func damagedProfiles() async throws {
    try await bench.makeProfile("good.json")
    let good = try bench.read("good.json")
    try bench.write("cut.json", String(good.dropLast(good.count / 2)))
    try bench.write("version.json", good.replacing("\"version\" : 2", with: "\"version\" : 7"))
    try bench.write("other.json", #"{"name": "something else"}"#)
    try bench.write("type.json", good.replacing("\"x\" : 0.44758", with: "\"x\" : \"warm\""))
    try bench.write("singular.json", singular(good))
    for (file, fact) in [
      ("cut.json", "not valid JSON"),
      ("version.json", "version 7; this program reads version 2"),
      ("other.json", "not a camera profile"), ("type.json", "chromaticity.x' is of the wrong type"),
      ("singular.json", "no inverse"),
    ] {
      try await bench.run("set", "--device", device(), "--profile", file, "--temperature", "5000")
        .expect(
          65, errors: "cannot use profile \(file)", fact)
      try await bench.run("report", file, "-o", "page.html").expect(65, errors: fact)
      try await bench.run(
        "convert", "--from", "xy", "--to", "gains", "--profile", file, "0.3", "0.3"
      )
      .expect(65, errors: fact)
    }
    try await bench.run("report", "missing.json", "-o", "page.html").expect(
      66, errors: "missing.json")
    try await bench.run("report", ".", "-o", "page.html").expect(66, errors: "directory")
    #expect(try !bench.files().contains("page.html"))
  }

  private func singular(_ good: String) -> String {
    guard let start = good.range(of: "\"matrix\" : ["),
      let end = good[start.upperBound...].range(of: "]")
    else { return good }
    return good.replacingCharacters(
      in: start.upperBound..<end.lowerBound, with: "1, 2, 3, 1, 2, 3, 0, 0, 1")
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP, SIGQUIT])
  func anInterruptLeavesEverythingAsItWas(signal: Int32) async throws {
    try await bench.run("set", "--device", device(), "--gains", "1.5,1,1.2").expect(0)
    let before = try await controls()
    try await bench.makeProfile()
    let profile = try bench.read("desk.json")
    // The parent process may have set it to be ignored.
    Foundation.signal(signal, SIG_DFL)
    let (process, _, errors) = bench.process(
      ["calibrate", "--device", device(",fps=60"), "--light", "A", "-o", "desk.json"],
      input: .nullDevice)
    try process.run()
    usleep(1_000_000)
    #expect(process.isRunning)
    kill(process.processIdentifier, signal)
    process.waitUntilExit()
    #expect(process.terminationStatus == 128 + signal)
    #expect(
      try String(contentsOf: errors, encoding: .utf8).contains(
        "the camera's settings were restored"))
    #expect(try await controls() == before)
    #expect(try bench.read("desk.json") == profile)
    #expect(try bench.files() == ["desk.json"])
  }

  /// A signal ends the program whenever it comes, by its default action or by the program's
  /// handler.
  @Test func noSignalIsLostAtTheStart() throws {
    Foundation.signal(SIGTERM, SIG_DFL)
    var byItself = 0
    for moment in 0..<100 {
      let (process, _, _) = bench.process(
        ["watch", "--device", device(",fps=30"), "--seconds", "20"], input: .nullDevice)
      try process.run()
      // The first signals come before the program watches for them, the last ones afterwards even
      // on a busy machine.
      Thread.sleep(forTimeInterval: 0.01 + 3e-5 * Double(moment * moment))
      kill(process.processIdentifier, SIGTERM)
      process.waitUntilExit()
      let isCaught = process.terminationReason == .exit
      #expect(process.terminationStatus == (isCaught ? 128 + SIGTERM : SIGTERM))
      byItself += isCaught ? 0 : 1
    }
    #expect(byItself < 100)
  }

  /// `nohup` requires this.
  @Test func aSignalThatIsIgnoredStaysSo() throws {
    let outcome = try bench.runProcess(
      "watch", "--device", device(",fps=30"), "--seconds", "1", "--json",
      shell: "trap '' HUP; \"$@\" & sleep 0.5; kill -HUP $!; wait $!")
    outcome.expect(0)
    #expect(outcome.output.contains("\"frame\""))
  }

  @Test func wrongUsage() async throws {
    for time in ["inf", "1e300", "nan"] {
      for option in ["--seconds", "--every"] {
        try await bench.run("watch", "--device", device(), option, time).expect(64, errors: option)
      }
    }
    try await bench.run("verify", "x.ppm", "--limit", "inf").expect(64, errors: "limit")
    try await bench.run("balance", "x.ppm", "-o", "y.ppm", "--gains", "1e308,1e-308,1").expect(
      64, errors: "R,G,B")
    try await bench.run("set", "--device", device()).expect(64, errors: "--temperature")
    try await bench.run("set", "--device", device(), "--temperature", "5000").expect(
      64, errors: "--profile")
    try await bench.run("set", "--device", device(), "--gains", "1,0,1").expect(64, errors: "R,G,B")
    try await bench.run("set", "--device", device(), "--gains", "x,1,1,1").expect(
      64, errors: "R,G,B")
    try await bench.run("set", "--device", device(), "--gains", "1,1,1", "--tint", "-3").expect(
      64, errors: "--tint requires --temperature")
    try await bench.run("set", "--gains", "1,1,1").expect(64, errors: "--device")
    try await bench.run("set", "--device", device(), "--mode", "locked", "--no-watch").expect(
      64, errors: "--no-watch")
    try await bench.run("verify").expect(64)
    try await bench.run("verify", "x.png", "--profile", "x.json").expect(
      64, errors: "--profile requires --device")
    try await bench.run("report", "x.json").expect(64, errors: "--output")
  }

  @Test func aDarkRoom() throws {
    for command in [["gray"], ["estimate"], ["verify"], ["set", "--gains", "1,1,1"]] {
      var arguments = command
      arguments.insert(contentsOf: ["--device", device(",exposure=0")], at: 1)
      let (process, _, errors) = bench.process(arguments, input: .nullDevice)
      try process.run()
      process.waitUntilExit()
      #expect(process.terminationStatus == 65, "\(command)")
      let text = try String(contentsOf: errors, encoding: .utf8)
      #expect(text.contains("too dark") && text.contains("Raise the exposure"), "\(text)")
    }
  }

  /// Shots under two lights, and the meaning of the controls and the exposure within 1 %, take
  /// twenty seconds of pictures.
  @Test(arguments: [0, 2, 4])
  func calibrationLooksAtFewFrames(latency: Int) async throws {
    let quick = try await bench.run(
      "calibrate", "--device", "simulated:size=96x64,latency=\(latency)", "--light", "A", "--light",
      "D65", "-o", "quick.json")
    quick.expect(0)
    let line = try #require(quick.output.split(separator: "\n").first { $0.hasPrefix("used") })
    let frames = try #require(line.split(separator: " ").compactMap { Int($0) }.first)
    #expect(frames <= 430 + 36 * latency, "\(line)")
    let profile = try CameraProfile(path: bench.folder.appending(path: "quick.json").path)
    let laws = try #require(profile.laws)
    for value in [100, 200, 400, 800] {
      let gains = laws.gains(at: [
        ControlValue(.redBalance, value), ControlValue(.blueBalance, value),
      ])
      for gain in [gains.red, gains.blue] { #expect(abs(gain / (Double(value) / 256) - 1) < 0.01) }
    }
  }

  /// A property that is not watched is reported as unknown, and the first setting measures it.
  @Test func calibrationNeedNotWatch() async throws {
    let device = "simulated:size=96x64,controls=balances"
    let quick = try await bench.run(
      "calibrate", "--device", device, "--light", "A", "--light", "D65", "--no-watch", "-o",
      "unwatched.json")
    quick.expect(0, errors: "was not checked")
    let line = try #require(quick.output.split(separator: "\n").first { $0.hasPrefix("used") })
    let frames = try #require(line.split(separator: " ").compactMap { Int($0) }.first)
    // With watching, the looks are part of the 240 frames that are watched.
    #expect(frames <= 260, "\(line)")
    let path = bench.folder.appending(path: "unwatched.json").path
    #expect(try CameraProfile(path: path).laws?.persistence == nil)
    let set = try await bench.run(
      "set", "--device", device + ",light=D50", "--profile", "unwatched.json", "--light", "D50")
    set.expect(0)
    #expect(set.output.contains("locked at"))
    try await bench.run("calibrate", "--shot", "rgb:1,1,1@D65", "--no-watch", "-o", "none.json")
      .expect(64)
  }

  @Test func namesCannotSteerTheTerminal() async throws {
    let outcome = try await bench.run("gray", "--device", "simulated:camera=\u{1B}[31mred")
    outcome.expect(69, errors: "?[31mred")
    #expect(!outcome.errors.contains("\u{1B}"))
  }

  @Test func listsOfWhatThereIs() async throws {
    let devices = try await bench.run("devices")
    devices.expect(0)
    #expect(devices.output.split(separator: "\n").count == 28)
    #expect(devices.output.contains("simulated:camera=nikon-d850"))
    #expect(try await bench.run("devices", "--lights").output.contains("LED-B3 (led)"))
    #expect(try await controls().contains("red_balance"))
  }

  @Test func picturesAreVerifiedWithGains() async throws {
    let region = ["verify", Workbench.dng, "--region", "796,908,36,36"]
    try await bench.run(region[0], region[1], region[2], region[3], "--gains", "1.469,1,2.264")
      .expect(0)
    let raw = try await bench.run(region[0], region[1], region[2], region[3])
    raw.expect(65, errors: "the card is not neutral")
    #expect(raw.output.contains("above the limit"))
  }
}
