import CameraControl
import CameraProfiles
import ColorScience
import Foundation
import SimulatedCamera
import SimulatedScenes
import Testing
import WhiteBalance

@testable import wbcal

/// Several cameras in front of one card, and the true colors of their pictures of it.
@Suite(.serialized) struct MatchTests {
  private let bench: Workbench

  init() throws { bench = try Workbench() }

  /// A simulated camera whose pipeline is not known to the tool.
  struct Unit {
    var sensor: String
    /// The kind of its controls; `nil` for a camera without an exposure control.
    var kind: String? = "balances"
    var pipeline = "ideal"
    var seed: UInt64 = 1
    var more = ""

    func device(_ lamp: String) -> String {
      "simulated:camera=\(sensor),seed=\(seed),size=96x64,light=\(lamp)"
        + (kind.map { ",controls=\($0),pipeline=\(pipeline)" } ?? ",shutter=none,lens=none") + more
    }

    private func configuration(_ lamp: String) throws -> SimulatedCamera.Configuration {
      var configuration = SimulatedCamera.Configuration(
        sensor: try #require(MeasuredSensor(named: sensor)),
        lamp: try #require(MeasuredLamp(named: lamp)), seed: seed, size: (96, 64))
      configuration.pipeline = try #require(SimulatedPipeline(named: pipeline))
      if let kind { configuration.balance = try #require(SimulatedBalance(named: kind)) }
      configuration.exposure = kind.map { _ in SimulatedExposure() }
      return configuration
    }

    /// Returns the linear card in its picture, by its true transfer function.
    func card(_ bench: Workbench, lamp: String) async throws -> LinearRGB {
      var configuration = try configuration(lamp)
      let pipeline = configuration.pipeline
      configuration.settings = try settings(bench)
      let points = (0...2000).map { step in
        let linear = Double(step) / 2000
        let value = TransferFunction.sRGB.encoded(linear)
        let bent = value - pipeline.contrast * sin(2 * .pi * value) / (2 * .pi)
        return ToneCurve.Point(
          stored: (pipeline.black + (255 - pipeline.black) * bent) / 255, linear: linear)
      }
      let camera = Camera(
        try SimulatedCamera(configuration), estimator: GrayCardEstimator(region: .center(0.5)),
        transfer: .curve(try #require(ToneCurve(points))))
      return try await camera.estimate(frames: 16).response
    }

    /// Returns the settings that the tool has left.
    func settings(_ bench: Workbench) throws -> [ControlValue] {
      let id = try configuration("A").identity.id
      let file = bench.folder.appending(path: "run/wbcal/\(id).json")
      return try JSONDecoder().decode([ControlValue].self, from: Data(contentsOf: file))
    }
  }

  private static let four = [
    Unit(sensor: "canon-eos-600d"),
    Unit(sensor: "nikon-d850", kind: "channels", pipeline: "webcam", seed: 2),
    Unit(sensor: "sony-ilce-7m3", kind: "offset", pipeline: "board", seed: 3),
    Unit(sensor: "canon-eos-5d", kind: "bent", seed: 4),
  ]

  private func match(
    _ units: [Unit], under lamp: String, _ more: String...
  ) async throws -> Workbench.Outcome {
    try await bench.run(
      ["match", "-o", "room.json"] + units.flatMap { ["--device", $0.device(lamp)] } + more)
  }

  private func records(_ outcome: Workbench.Outcome) throws -> [[String: Any]] {
    try outcome.output.split(separator: "\n").map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
  }

  private func room() throws -> Room {
    try Room(path: bench.folder.appending(path: "room.json").path)
  }

  /// Returns the largest CIEDE2000 difference between the cards of cameras.
  private func mutual(_ cards: [LinearRGB]) throws -> Double {
    let colors = cards.map { LabColor($0, in: .sRGB) }
    return try #require(colors.pairs.map { $0.ciede2000(to: $1) }.max())
  }

  private func cards(_ units: [Unit], under lamp: String) async throws -> [LinearRGB] {
    var cards: [LinearRGB] = []
    for unit in units { cards.append(try await unit.card(bench, lamp: lamp)) }
    return cards
  }

  @Test(arguments: ["A", "FL11", "LED-B3"])
  func fourCamerasShowOneCard(lamp: String) async throws {
    let outcome = try await match(Self.four, under: lamp, "--json")
    outcome.expect(0)
    let records = try records(outcome)
    #expect(records.compactMap { $0["device"] as? String } == Self.four.map { $0.device(lamp) })
    let truth = try mutual(await cards(Self.four, under: lamp))
    #expect(truth <= 0.7)
    for record in records {
      let (before, after) = (record["before"] as? Double, record["after"] as? Double)
      #expect(try #require(before) > 1 && (try #require(after)) < 0.5, "\(record)")
    }
    let room = try room()
    for (unit, member) in zip(Self.four, room.cameras) {
      let settings = try unit.settings(bench)
      #expect((member.whiteBalance + member.exposure).allSatisfy(settings.contains))
      #expect(member.exposure.map(\.id).contains(.exposureTime))
    }
  }

  /// A temperature control reaches no tint: the residual is reported, and the gains correct it.
  @Test func whatATemperatureCannotReach() async throws {
    let units = [
      Self.four[0], Unit(sensor: "nikon-d850", kind: "temperature", seed: 2), Self.four[2],
    ]
    let outcome = try await match(units, under: "FL11", "--json")
    outcome.expect(65, errors: "above the limit of 1", "controls=temperature", "the gains ")
    let records = try records(outcome)
    let cards = try await cards(units, under: "FL11")
    #expect(try mutual([cards[0], cards[2]]) <= 0.7)
    #expect(try mutual(cards) > 4)
    let rest = try #require(records[1]["remainder"] as? [String: Double])
    let finished = cards[1].vector * SIMD3(rest["red"] ?? 0, rest["green"] ?? 0, rest["blue"] ?? 0)
    #expect(try mutual([cards[0], LinearRGB(finished)]) <= 0.7)
    #expect(try await match(units, under: "FL11", "--limit", "20").status == 0)
  }

  /// A camera without an exposure control determines the brightness of the card; the others match
  /// it.
  @Test func aFixedExposure() async throws {
    let fixed = Unit(sensor: "canon-eos-5d", kind: nil, seed: 4)
    let bright = Unit(sensor: "canon-eos-600d", kind: nil, seed: 5, more: ",exposure=1.7")
    let outcome = try await match([fixed, Self.four[1]], under: "A")
    outcome.expect(0)
    #expect(outcome.output.contains("its exposure cannot be set"), "\(outcome.output)")
    #expect(try mutual(await cards([fixed, Self.four[1]], under: "A")) <= 0.7)
    // Of two fixed exposures, the dimmer one decides.
    let three = try await match([bright, Self.four[1], fixed], under: "A", "--json")
    three.expect(0)
    let records = try records(three)
    let levels = records.compactMap { $0["level"] as? Double }
    #expect(levels[0] > 1.4 * levels[2] && abs(levels[1] / levels[2] - 1) < 0.01, "\(levels)")
    #expect(try #require(records[0]["after"] as? Double) > 5)
    #expect(try #require(records[0]["color"] as? Double) < 0.5)
    #expect(records[0]["exposure"] == nil && records[1]["exposure"] != nil)
    #expect(
      try #require(records[0]["remainder"] as? [String: Double]).values.allSatisfy { $0 < 0.7 })
  }

  /// If one camera is disconnected, the others are matched, and the exit code is that of the
  /// failure.
  @Test(arguments: [0, 5, 60, 300])
  func oneVanishes(frame: Int) async throws {
    var units = Array(Self.four.prefix(3))
    units[1].more = ",vanish=\(frame)"
    let outcome = try await match(units, under: "A", "--json")
    outcome.expect(69, errors: units[1].device("A") + ": ", "went away")
    let records = try records(outcome)
    #expect(records.map { $0["error"] as? String } == [nil, "unavailable", nil])
    #expect(records[1]["exitCode"] as? Int == 69)
    #expect(try room().cameras.map(\.device) == [units[0], units[2]].map { $0.device("A") })
    #expect(try mutual(await cards([units[0], units[2]], under: "A")) <= 0.7)
  }

  /// The settings of a camera that fails are restored, and the others keep the new ones.
  @Test func oneFails() async throws {
    var units = Array(Self.four.prefix(3))
    units[1].more = ",exposure=0"
    let none = Unit(sensor: "canon-eos-5d", kind: "none", seed: 4)
    let outcome = try await match(units + [none], under: "A")
    outcome.expect(
      65, errors: units[1].device("A") + ": the card is too dark",
      none.device("A") + ": simulated canon-eos-5d has no control of its white balance")
    let settings = try units[1].settings(bench)
    for value in [
      ControlValue(.autoWhiteBalance, 1), ControlValue(.exposureMode, 3),
      ControlValue(.exposureTime, 160),
    ] {
      #expect(settings.contains(value), "\(settings)")
    }
    #expect(try mutual(await cards([units[0], units[2]], under: "A")) <= 0.7)
    #expect(
      try room().cameras.map(\.identity.name) == [
        "simulated canon-eos-600d", "simulated sony-ilce-7m3",
      ])
  }

  @Test func whatIsWrongChangesNothing() async throws {
    let units = Self.four.prefix(2)
    let (first, second) = (units[0].device("A"), units[1].device("A"))
    for (unit, name) in zip(units, ["first.json", "second.json"]) {
      try await bench.run("calibrate", "--device", unit.device("A"), "--light", "A", "-o", name)
        .expect(0)
    }
    try await bench.makeProfile("pictures.json")
    let before = try units.map { try $0.settings(bench) }
    func match(_ arguments: String...) async throws -> Workbench.Outcome {
      try await bench.run(["match", "-o", "room.json"] + arguments)
    }
    try await match("--device", first).expect(64, errors: "at least two cameras")
    try await match("--device", first, "--device", "simulated:x=1").expect(64, errors: "x=1")
    try await match("--device", first, "--device", second, "--limit", "-1").expect(
      64, errors: "limit")
    try await match("--device", first, "--device", second, "--device", first + ",latency=3").expect(
      64, errors: "are the same camera, simulated-canon-eos-600d-1")
    try await match(
      "--device", first, "--device", Self.four[2].device("A"), "--profile", "second.json"
    )
    .expect(65, errors: "second.json is the profile of simulated nikon-d850", "not of one of these")
    try await match("--device", first, "--device", second, "--profile", "pictures.json").expect(
      65, errors: "does not state its camera")
    try bench.write("copy.json", bench.read("first.json"))
    let copies = ["first.json", "copy.json"].flatMap { ["--profile", $0] }
    try await bench.run(
      ["match", "-o", "room.json", "--device", first, "--device", second] + copies
    )
    .expect(65, errors: "first.json and copy.json are profiles of the same camera")
    try await bench.run(
      "match", "--device", first, "--device", second, "--profile", "first.json", "-o", "first.json"
    ).expect(64, errors: "is also an input")
    // If the room cannot be written, all settings are restored.
    try await bench.run("match", "--device", first, "--device", second, "-o", "no/room.json")
      .expect(
        74, errors: "Nothing was saved")
    try await match("--device", "simulated:camera=brownie", "--device", "simulated:light=moon")
      .expect(
        69, errors: "brownie", "moon")
    #expect(try units.map { try $0.settings(bench) } == before)
    #expect(try !bench.files().contains("room.json"))
  }

  @Test func anInterruptPutsAllBack() async throws {
    let units = Array(Self.four.prefix(3))
    for unit in units {
      try await bench.run("gray", "--device", unit.device("FL11")).expect(0)
    }
    let before = try units.map { try $0.settings(bench) }
    // The parent process may have set it to be ignored.
    Foundation.signal(SIGINT, SIG_DFL)
    for delay in [0.5, 2.5] {
      let (process, _, errors) = bench.process(
        ["match", "-o", "room.json"]
          + units.flatMap { ["--device", $0.device("A") + ",fps=100"] }, input: .nullDevice)
      try process.run()
      usleep(UInt32(1e6 * delay))
      #expect(process.isRunning)
      kill(process.processIdentifier, SIGINT)
      process.waitUntilExit()
      #expect(process.terminationStatus == 130)
      let text = try String(contentsOf: errors, encoding: .utf8)
      #expect(text == "wbcal: interrupted; the cameras' settings were restored\n")
      #expect(try units.map { try $0.settings(bench) } == before)
      #expect(try !bench.files().contains("room.json"))
    }
  }

  /// Profiles are assigned to their cameras in any order, and the room is set as one. The pictures
  /// then differ by as much as was stated.
  @Test func aRoomIsSetAsOne() async throws {
    let units = Self.four
    var profiles: [String] = []
    for unit in units {
      profiles.append("\(unit.sensor).json")
      try await bench.run(
        "calibrate", "--device", unit.device("A").replacing("light=A,", with: ""), "--light", "A",
        "--light", "D65", "-o", profiles[profiles.count - 1]
      ).expect(0)
    }
    let given = profiles.reversed().flatMap { ["--profile", $0] }
    let matched = try await bench.run(
      ["match", "-o", "room.json", "--json"] + given
        + units.flatMap { ["--device", $0.device("D65")] })
    matched.expect(0)
    #expect(try room().cameras.map { $0.profile?.device?.id } == room().cameras.map(\.identity.id))
    #expect(try records(matched).allSatisfy { $0["gains"] != nil })
    let exposures = try room().cameras.map(\.exposure)
    // A setting that has been changed since is set again.
    try await bench.run("gray", "--device", units[1].device("A")).expect(0)
    for (lamp, light) in [
      ("4000K", ["--temperature", "4000", "--class", "thermal"]),
      ("LED-B3", ["--light", "LED-B3"]), ("FL11", ["--light", "FL11"]),
    ] {
      // A card under another light than the one that is set may clip.
      let here = try bench.read("room.json").replacing("light=D65", with: "light=\(lamp)")
      try bench.write("here.json", here)
      let set = try await bench.run(["set", "--room", "here.json", "--json"] + light)
      set.expect(0)
      let records = try records(set)
      #expect(records.compactMap { $0["device"] as? String } == units.map { $0.device(lamp) })
      let told = try #require(records[0]["mutual"] as? Double)
      #expect(records.allSatisfy { $0["mutual"] as? Double == told })
      // Only the color is compared: a lamp is not equally bright to all sensors.
      let cards = try await cards(units, under: lamp).map { LinearRGB($0.vector / $0.green * 0.18) }
      let truth = try mutual(cards)
      #expect(truth < 2 * told && told < 12, "\(lamp) \(told) \(truth)")
      for (unit, exposure) in zip(units, exposures) {
        #expect(try exposure.allSatisfy(unit.settings(bench).contains))
      }
    }
    // Under the light of the match, the brightness is the same again, whatever control balances
    // green.
    try await bench.run("set", "--room", "room.json", "--light", "D65").expect(0)
    let apart = try mutual(await cards(units, under: "D65"))
    #expect(apart <= 0.7, "\(apart)")
    let text = try await bench.run("set", "--room", "room.json", "--temperature", "6000")
    text.expect(0, errors: units[0].device("D65") + ": For a light of unknown class")
    #expect(text.output.contains("two cameras are expected to show a gray card at most CIEDE2000"))
    #expect(text.output.contains(units[3].device("D65") + ": locked at red"), "\(text.output)")
  }

  @Test func aRoomThatCannotBeSet() async throws {
    let units = Array(Self.four.prefix(2))
    try await bench.run(
      "calibrate", "--device", units[0].device("A"), "--light", "A", "-o", "first.json"
    ).expect(0)
    try await match(units, under: "A", "--profile", "first.json").expect(0)
    let set = ["set", "--room", "room.json"]
    try await bench.run(set + ["--temperature", "4000"]).expect(
      65, errors: "room.json has no profile of \(units[1].device("A"));")
    try await bench.run(set).expect(64, errors: "name the light")
    for more in [
      ["--device", "simulated"], ["--profile", "first.json"], ["--gains", "1,1,1"],
      ["--mode", "locked"],
    ] {
      try await bench.run(set + more + (more[0] == "--gains" ? [] : ["--preset", "shade"])).expect(
        64, errors: "--room")
    }
    func refuses(_ fact: String) async throws {
      try await bench.run("set", "--room", "damaged.json", "--temperature", "4000").expect(
        65, errors: "cannot use room damaged.json: ", fact)
    }
    let good = try bench.read("room.json")
    for (old, new, fact) in [
      ("\"version\" : 1\n", "\"version\" : 8\n", "version 8, but this program reads version 1"),
      ("\"wbcal-room\"", "\"wbcal-x\"", "not a room of matched cameras (its format is 'wbcal-x')"),
      ("\"wbcal-profile\"", "\"x\"", "not a camera profile"),
      ("\"reference\" : [", "\"light\" : [", "'reference' is missing"),
      ("}\n", "\n", "not valid JSON"),
    ] {
      try bench.write("damaged.json", good.replacing(old, with: new))
      try await refuses(fact)
    }
    func refuses(_ fact: String, _ damage: (inout Room) -> Void) async throws {
      var room = try room()
      damage(&room)
      try room.write(to: bench.folder.appending(path: "damaged.json").path)
      try await refuses(fact)
    }
    try await refuses("each camera must occur once") { $0.cameras = [] }
    try await refuses("each camera must occur once") {
      $0.cameras[1].identity = $0.cameras[0].identity
    }
    try await refuses("belongs to another camera") { $0.cameras[0].identity.id = "x" }
    try await refuses("must not be negative") { $0.cameras[0].after = -0.1 }
    try await refuses("must not be negative") { $0.cameras[1].before = -0.1 }
    try await refuses("must be positive") { $0.reference.blue = 0 }
    try await refuses("must be positive") { $0.cameras[0].card.red = -1 }
    try await refuses("one value") {
      $0.cameras[0].whiteBalance.append($0.cameras[0].whiteBalance[0])
    }
    try await refuses("one value") { $0.cameras[0].whiteBalance = [] }
    try await refuses("does not name a camera") {
      $0.cameras.removeLast()
      $0.cameras[0].device = "simulated:y=3"
    }
    // The name may have become that of another camera.
    var moved = try room()
    moved.cameras.removeLast()
    moved.cameras[0].device = units[1].device("A")
    try moved.write(to: bench.folder.appending(path: "moved.json").path)
    try await bench.run("set", "--room", "moved.json", "--preset", "shade").expect(
      65,
      errors: "(simulated-nikon-d850-2-channels-webcam), not simulated canon")
    try await bench.run("set", "--room", "none.json", "--temperature", "4000").expect(
      66, errors: "none.json")
  }

  /// The stated difference is the root mean square over many pairs of cameras.
  @Test func theExpectedDifferenceIsThatOfManyCameras() throws {
    var random = SystemRandomNumberGenerator()
    func normal() -> Double {
      (0..<12).reduce(-6) { sum, _ in sum + Double.random(in: 0...1, using: &random) }
    }
    let rows = SIMD3(1.72, -0.58, -0.14)
    let matrix = Matrix3x3(rows, SIMD3(-0.31, 1.61, -0.30), SIMD3(-0.05, -0.55, 1.60))
    for mixing in [nil, ChannelMixing(matrix, scaleError: 0)] {
      let residuals = [Gains(red: 1.01, blue: 1), Gains(red: 1, blue: 1.03)]
      // ln red and ln blue are a·x and b·x + c·y for two normally distributed numbers.
      let (a, b, c) = (0.012, -0.006, 0.02)
      let json = "{\"red\":\(a * a),\"blue\":\(b * b + c * c),\"redBlue\":\(a * b)}"
      let covariance = try JSONDecoder().decode(
        GainUncertainty.Covariance.self, from: Data(json.utf8))
      func shown(_ remainder: Gains) -> LabColor {
        let (x, y) = (normal(), normal())
        let card =
          SIMD3(exp(a * x), 1, exp(b * x + c * y)) / remainder.vector * remainder.green * 0.18
        return LabColor(LinearRGB(mixing.map { $0.matrix * card } ?? card), in: .sRGB)
      }
      var sum = 0.0
      let count = 20_000
      for _ in 0..<count {
        let difference = shown(residuals[0]).ciede2000(to: shown(residuals[1]))
        sum += difference * difference
      }
      let told = try #require(
        ExpectedCard.largestDifference(
          of: residuals.map { ExpectedCard(residual: $0, covariance, mixing: mixing) }))
      #expect(abs(told / (sum / Double(count)).squareRoot() - 1) < 0.1, "\(told)")
    }
  }
}
