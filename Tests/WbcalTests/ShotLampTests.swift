import Foundation
import Testing

/// The results of `set`, `convert` and commands on profiles for lamps that were shot.
struct ShotLampTests {
  private let bench: Workbench
  private static let lamp = "LED-RGB1"
  private let calibrated: String

  init() async throws {
    bench = try Workbench()
    let outcome = try await bench.run(
      "calibrate", "--device", Workbench.camera, "--light", "A", "--light", "D65", "--light",
      Self.lamp, "-o", "desk.json")
    outcome.expect(0)
    calibrated = outcome.output
  }

  private func object(_ text: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  /// Returns the difference from neutral of the card under the lamp after `set`, and the remarks.
  private func difference(_ light: String...) async throws -> (ciede2000: Double, remarks: String) {
    let device = Workbench.camera + ",light=" + Self.lamp
    let outcome = try await bench.run(
      ["set", "--device", device, "--profile", "desk.json"] + light)
    outcome.expect(0)
    let verified = try await bench.run("verify", "--device", device, "--limit", "100", "--json")
    verified.expect(0)
    let difference = try #require(try object(verified.output)["ciede2000"] as? Double)
    return (difference, outcome.errors)
  }

  /// The difference that the guide promises for a calibrated lamp: 0.5.
  @Test func aLampIsSetByItsOwnShot() async throws {
    let named = try await difference("--light", Self.lamp)
    #expect(named.ciede2000 < 0.5 && named.remarks.isEmpty)
    let color = try await difference("--xy", "0.4557,0.4211", "--class", "other")
    #expect(color.ciede2000 < 0.5)
    #expect(color.remarks.contains("This is LED-RGB1, which has a shot"))
    // Its color and class alone do not identify the lamp, and a message says what does.
    let near = try await difference("--xy", "0.4567,0.4211", "--class", "other")
    #expect(near.ciede2000 > 2)
    #expect(near.remarks.contains("--light LED-RGB1"))
    let other = try await difference("--xy", "0.4557,0.4211", "--class", "led")
    #expect(other.ciede2000 > 2)
  }

  @Test func convertKnowsTheLamp() async throws {
    let profile = try object(bench.read("desk.json"))
    let calibration = try #require(profile["calibration"] as? [String: Any])
    let shots = try #require(calibration["shots"] as? [[String: Any]])
    let shot = try #require(shots[2]["shot"] as? [String: Any])
    let response = try #require(shot["response"] as? [Double])
    let (red, green, blue) = (response[0], response[1], response[2])
    let outcome = try await bench.run(
      "convert", "--light", Self.lamp, "--light", "FL11", "--to", "gains", "--profile",
      "desk.json", "--uncertainty")
    outcome.expect(0)
    let rows = outcome.output.split(separator: "\n").map {
      $0.split(separator: ",").compactMap { Double($0) }
    }
    try #require(rows.count == 3 && rows[1].count == 6)
    #expect(abs(rows[1][0] * red / green - 1) < 1e-9)
    #expect(abs(rows[1][2] * blue / green - 1) < 1e-9)
    #expect(abs(rows[1][3] / rows[1][0] - 0.003) < 1e-6 && rows[1][4] == 0)
    // A lamp that was not shot is converted by its spectrum, which is more accurate than color and
    // class.
    let byClass = try await bench.run(
      "convert", "--from", "xy", "--to", "gains", "--profile", "desk.json", "--class",
      "fluorescent", "--uncertainty", "0.3805", "0.3769")
    func last(_ outcome: Workbench.Outcome) -> [Double]? {
      outcome.output.split(separator: "\n").last?.split(separator: ",").compactMap { Double($0) }
    }
    // FL11 is 0.38054, 0.37692.
    let (known, named) = (try #require(last(byClass)), try #require(last(outcome)))
    for index in 0..<3 { #expect(abs(known[index] / named[index] - 1) < 0.02) }
    #expect(named[3] > 0 && named[4] == 0 && named[5] > 0)
    let coordinates = try await bench.run("convert", "--light", "xy:0.3,0.31", "--to", "xy")
    #expect(coordinates.output == "x,y\n0.3,0.31\n")
    try await bench.run("convert", "--light", "moon", "--to", "xy").expect(65, errors: "'moon'")
    try await bench.run("convert", "--to", "xy", "0.3", "0.3").expect(64, errors: "--from")
    try await bench.run("convert", "--light", "A", "--from", "xy", "--to", "uv").expect(64)
  }

  /// The file of a spectrum is not needed for a lamp that was shot under its name.
  @Test func aLampKnownByItsSpectrum() async throws {
    let rows = (0...80).map { "\(380 + 5 * $0),\(1 + 0.01 * Double($0))" }
    try bench.write("lamp.csv", rows.joined(separator: "\n"))
    try await bench.run(
      "calibrate", "--shot", "rgb:0.5,1,0.6@spd:lamp.csv", "-o", "other.json"
    ).expect(0)
    try FileManager.default.removeItem(at: bench.folder.appending(path: "lamp.csv"))
    let outcome = try await bench.run(
      "convert", "--light", "spd:lamp.csv", "--to", "gains", "--profile", "other.json")
    outcome.expect(0)
    let gains = outcome.output.split(separator: "\n").last?.split(separator: ",").compactMap {
      Double($0)
    }
    #expect(abs(try #require(gains)[2] - 1 / 0.6) < 1e-9)
  }

  /// A residual within its class is not an error of a shot: all output about the profile agrees.
  @Test func noHonestShotIsAccused() async throws {
    let shown = try await bench.run("profile", "show", "desk.json")
    try await bench.run("report", "desk.json", "-o", "desk.html").expect(0)
    let page = try bench.read("desk.html")
    for text in [shown.output, calibrated] {
      #expect(text.contains("LED-RGB1") && text.contains("set it with --light LED-RGB1"), "\(text)")
    }
    #expect(page.contains("Each agrees with the others’ prediction"))
    for text in [shown.output, page] { #expect(!text.lowercased().contains("doubtful")) }
    let record = try await object(bench.run("profile", "show", "desk.json", "--json").output)
    let shots = try #require(record["shots"] as? [[String: Any]])
    #expect(shots.allSatisfy { $0["doubtful"] as? Bool == false && $0["leftOutRed"] is Double })
  }

  /// The light of the simulated room is the one that a shot names, not the default one.
  @Test func aSingleShotOfTheRoom() async throws {
    let shots = ["A", "D65"].flatMap { ["--shot", "\(Workbench.camera)@\($0)"] }
    try await bench.run(["calibrate"] + shots + ["-o", "single.json"]).expect(0)
    let compared = try await bench.run(
      "profile", "compare", "desk.json", "single.json", "--light", "A")
    #expect(compared.output.contains("at most 0."), "\(compared.output)")
  }

  /// A command acts for the user who changes the light: the simulated room follows it.
  @Test func aCommandThatChangesNothing() async throws {
    let shoot = ["calibrate", "--device", Workbench.camera, "--light", "A", "--light", "D65"]
    try await bench.run(shoot + ["-o", "own.json"]).expect(0)
    try bench.runProcess(shoot + ["--change-light", "true", "-o", "command.json"]).expect(0)
    let compared = try await bench.run("profile", "compare", "own.json", "command.json")
    #expect(compared.output.contains("at most 0.00 %"), "\(compared.output)")
    try bench.runProcess(
      "calibrate", "--device", Workbench.camera, "--light", "xy:0.3,0.3", "--change-light", "true",
      "-o", "none.json"
    ).expect(69, errors: "no light 'xy:0.3,0.3'", "Nothing was saved")
  }
}
