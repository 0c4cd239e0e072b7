import CameraProfiles
import ColorScience
import Foundation
import Testing
import WbcalImageFiles
import WhiteBalance

@testable import wbcal

/// The commands for exposure, lens and brackets.
struct ExposureCommandTests {
  private let bench: Workbench

  init() throws { bench = try Workbench() }

  private static let camera = "simulated:shutter=absolute,size=96x64"

  @Test func theMeterAndASetting() async throws {
    let before = try await bench.run("exposure", "--device", Self.camera)
    before.expect(0)
    #expect(before.output.contains("middle gray"))
    let set = try await bench.run("exposure", "--device", Self.camera, "--duration", "1/200")
    set.expect(0)
    #expect(set.output.hasPrefix("exposure_time_absolute 50: 5.000 ms, seen in frame "))
    // The setting stays.
    let bias = try await bench.run("exposure", "--device", Self.camera, "--bias", "-2")
    bias.expect(0)
    #expect(bias.output.contains("2.000 stops below middle gray"))
    let after = try await bench.run("exposure", "--device", Self.camera)
    #expect(after.output.contains("2.000 stops below middle gray"))
  }

  @Test(arguments: [
    (["--duration", "9"], Int32(65), "100.0 µs"), (["--gain", "99"], 65, "1.000 to"),
    (["--duration", "0"], 64, "above 0"), (["--gain", "0.5"], 64, "at least 1"),
    (["--duration", "0.01", "--bias", "1"], 64, "--mode"),
    (["--mode", "custom"], 64, "--duration"),
    (["--bias", "30"], 65, "stops"),
  ])
  func wrongExposures(words: [String], code: Int32, fact: String) async throws {
    let outcome = try await bench.run(["exposure", "--device", Self.camera] + words)
    outcome.expect(code)
    if code == 64 { #expect(outcome.errors.contains(fact)) }
    // The exposure has not changed.
    let after = try await bench.run("exposure", "--device", Self.camera)
    #expect(after.output.contains("continuousAutomatic"))
  }

  /// A clipped card is read at a smaller exposure, and the former exposure is restored afterwards.
  @Test func aClippedCardIsExposedRightMeanwhile() async throws {
    try await bench.run("exposure", "--device", Self.camera, "--duration", "0.4").expect(0)
    let blown = try await bench.run("exposure", "--device", Self.camera)
    #expect(blown.output.contains("at least"), "\(blown.output)")
    try await bench.run("gray", "--device", Self.camera)
      .expect(0, errors: "with another exposure")
    try await bench.run("verify", "--device", Self.camera)
      .expect(0, errors: "with another exposure")
    #expect(try await bench.run("exposure", "--device", Self.camera).output == blown.output)
    let controls = try await bench.run("devices", "--device", Self.camera, "--json")
    #expect(controls.output.contains("4000"))
  }

  /// Returns the error of the laws of a profile's red control, at twice the gain of its reference,
  /// and the stated uncertainty.
  private func redError(_ profile: String) throws -> (error: Double, stated: Double) {
    let kept = Data(try bench.read(profile).utf8)
    let laws = try #require(try JSONDecoder().decode(CameraProfile.self, from: kept).laws)
    // The gain is 1/256 of the control's value.
    let reference = laws.reference.first { $0.id == .redBalance }?.value ?? 0
    let gains = laws.gains(at: [ControlValue(.redBalance, 2 * reference)])
    return (abs(gains.red / 2 - 1), laws.covariance(of: gains).standardErrors.red)
  }

  /// Flicker leaves stripes in short exposures, which distort the measured tone curve; the stated
  /// uncertainty includes that.
  @Test func flickerBendsTheToneCurve() async throws {
    func calibrate(_ flicker: String, _ options: String...) async throws {
      let camera = "simulated:controls=balances,size=64x48,flicker=\(flicker)"
      try await bench.run(
        ["calibrate", "--device", camera, "--light", "A", "-o", "flicker.json"] + options
      ).expect(0)
    }
    for flicker in ["33.3", "50", "60"] {
      try await calibrate(flicker)
      let (error, stated) = try redError("flicker.json")
      #expect(error < 0.03 && error < 2 * stated, "\(flicker): \(error) ± \(stated)")
    }
    try await calibrate("100")
    #expect(try redError("flicker.json").error < 0.01)
    try await calibrate("60", "--transfer", "srgb")
    #expect(try redError("flicker.json").error < 0.01)
  }

  /// Linear values that are a linear function of the exposure's numbers, but not proportional to
  /// them, distort nothing. With a tone curve of the camera's own they make gains uncertain, and
  /// the stated uncertainty includes that.
  @Test func numbersThatDoNotBeginAtZero() async throws {
    for (kind, most) in [("", 0.005), ("pipeline=webcam,", 0.1)] {
      try await bench.run(
        "calibrate", "--device", "simulated:\(kind)shutter=mislabeled,size=64x48", "--light", "A",
        "-o", "mislabeled.json"
      ).expect(0)
      let (error, stated) = try redError("mislabeled.json")
      #expect(error < most && error < 2 * stated + 0.002, "\(kind): \(error) ± \(stated)")
    }
  }

  @Test func flickerIsMeasured() async throws {
    let lamp = "simulated:shutter=absolute,flicker=100,size=48x96"
    let swinging = try await bench.run("exposure", "--device", lamp, "--duration", "1/60")
    #expect(swinging.output.contains("the light flickers with mains of 50 Hz"))
    #expect(swinging.output.contains("hidden by 10.00, 20.00, 30.00 ms"), "\(swinging.output)")
    let hidden = try await bench.run("exposure", "--device", lamp, "--duration", "1/50")
    #expect(!hidden.output.contains("flicker"), "\(hidden.output)")
    let steady = try await bench.run(
      "exposure", "--device", "simulated:shutter=absolute,size=48x96", "--duration", "1/60")
    #expect(!steady.output.contains("flicker"), "\(steady.output)")
    let outcome = try await bench.run(
      "exposure", "--device", lamp, "--flicker", "--duration", "1/60")
    outcome.expect(0)
    #expect(outcome.output.contains("flickers with mains of 50 Hz"), "\(outcome.output)")
    #expect(outcome.output.contains("hidden by 10.00, 20.00"), "\(outcome.output)")
    let even = try await bench.run(
      "exposure", "--device", "simulated:shutter=absolute,size=48x96", "--flicker")
    even.expect(0)
    #expect(!even.output.hasPrefix("the light flickers"), "\(even.output)")
  }

  @Test func aCameraWithoutThem() async throws {
    let camera = "simulated:shutter=none,lens=none"
    try await bench.run("exposure", "--device", camera, "--duration", "0.01").expect(69)
    try await bench.run("focus", "--device", camera, "--sweep").expect(69)
    try await bench.run("bracket", "--device", camera, "--ev=-1,0").expect(69)
    try await bench.run("exposure", "--device", "simulated:shutter=fast").expect(64)
    try await bench.run("focus", "--device", "simulated:lens=zoom").expect(64)
  }

  /// The default simulated camera has every control, so that each command does what its help says.
  @Test(arguments: [
    ["exposure", "--duration", "1/100"], ["exposure", "--bias", "-1"],
    ["exposure", "--mode", "locked"], ["focus", "--position", "0.4"], ["focus", "--sweep"],
    ["focus", "--mode", "automatic"], ["focus", "--mode", "locked"], ["bracket", "--ev=-2,0,+2"],
    ["bracket", "--positions", "0.2,0.8"], ["bracket", "--durations", "1/100,1/50"],
  ])
  func thePlainCameraHasEveryControl(words: [String]) async throws {
    try await bench.run([words[0], "--device", "simulated"] + words.dropFirst()).expect(0)
  }

  /// The result is what was requested, or an error.
  @Test func compensationFromAShortExposure() async throws {
    for stops in ["2", "2.2", "3", "5", "-3"] {
      try await bench.run("exposure", "--device", Self.camera, "--duration", "1/300").expect(0)
      let outcome = try await bench.run(
        "exposure", "--device", Self.camera, "--bias", stops, "--json")
      outcome.expect(0)
      struct Record: Decodable { var stops, offset: Double }
      let record = try JSONDecoder().decode(Record.self, from: Data(outcome.output.utf8))
      #expect(abs(record.stops - (try #require(Double(stops)))) < 0.1)
      // If much is clipped, the picture shows only a lower bound.
      #expect(record.offset < record.stops + 0.1, "\(record)")
      #expect(record.offset > min(record.stops - 0.1, 1.5), "\(record)")
    }
  }

  /// Every offset inside the range that a message states is accepted.
  @Test func aBracketTakesWhatItsMessageAllows() async throws {
    try await bench.run("exposure", "--device", Self.camera, "--duration", "1/500").expect(0)
    let refused = try await bench.run("bracket", "--device", Self.camera, "--ev=-30,0")
    refused.expect(65)
    let words = try #require(refused.errors.split(separator: "range: ").last).split(separator: " ")
    let (low, high) = (try #require(Double(words[0])), try #require(Double(words[2])))
    #expect(low < -4 && high > 4)
    for step in 0...12 {
      let stops = low + (high - low) * Double(step) / 12
      let clipped = min(max(stops, low), high)
      try await bench.run("bracket", "--device", Self.camera, "--ev=\(clipped),0").expect(0)
    }
    try await bench.run("bracket", "--device", Self.camera, "--ev=-3,0").expect(0)
  }

  @Test func aLensIsFocused() async throws {
    let camera = "simulated:lens=motor,size=160x120"
    let sweep = try await bench.run("focus", "--device", camera, "--sweep")
    sweep.expect(0)
    // The best position is 140 of 0…250, and 250 is the nearest.
    #expect(sweep.output.hasPrefix("the lens is at 0.4400 of its range (140)"))
    try await bench.run("focus", "--device", camera, "--position", "1.5").expect(64)
    let there = try await bench.run("focus", "--device", camera, "--position", "0.2")
    #expect(there.output.contains("(200)"))
  }

  /// The files also have levels in the ratios 1, 4 and 16.
  @Test func aBracketInFiles() async throws {
    try await bench.run("exposure", "--device", Self.camera, "--duration", "0.004").expect(0)
    let outcome = try await bench.run(
      "bracket", "--device", Self.camera, "--ev=-2,0,+2", "-o", "card{ev}.tiff")
    outcome.expect(0)
    #expect(outcome.output.contains("card-2.tiff") && outcome.output.contains("card+2.tiff"))
    let levels = try ["-2", "0", "+2"].map { name in
      let path = bench.folder.appending(path: "card\(name).tiff")
      let picture = try Picture(
        path: path.path, format: .tiff, bytes: [UInt8](Data(contentsOf: path)))
      // The file itself states that it is linear.
      let transfer = picture.iccProfile.flatMap { LittleCMS.transfer(ofICCProfile: $0) }
      #expect(transfer == .linear)
      return try FrameStatistics(
        picture.frame.bytes.span, layout: picture.frame.layout.replacing(transfer: .linear),
        region: PixelRectangle(x: 34, y: 22, width: 28, height: 20)
      ).mean.green
    }
    #expect(abs(levels[1] / levels[0] / 4 - 1) < 0.02, "\(levels)")
    #expect(abs(levels[2] / levels[1] / 4 - 1) < 0.02, "\(levels)")
    let after = try await bench.run("exposure", "--device", Self.camera)
    #expect(after.output.contains("locked"))
  }

  /// Exposure times have the meaning that V4L2 promises, as long as the pictures agree with it.
  @Test func durationsOfADriverThatMislabelsThem() async throws {
    struct Line: Decodable { var stops, seenStops: Double, controls: [String: Int] }
    for (shutter, begin) in [("absolute", 0), ("mislabeled", 8)] {
      let camera = "simulated:shutter=\(shutter),size=96x64"
      // Both start at the number 160.
      try await bench.run("exposure", "--device", Self.camera, "--duration", "0.016").expect(0)
      let outcome = try await bench.run(
        "bracket", "--device", camera, "--durations", "1/1000,1/500,1/250,1/125", "--json")
      outcome.expect(0)
      let lines = try outcome.output.split(separator: "\n").map {
        try JSONDecoder().decode(Line.self, from: Data($0.utf8))
      }
      try #require(lines.count == 4)
      let times = lines.compactMap { $0.controls["exposure_time_absolute"] }
      #expect((times == [10, 20, 40, 80]) == (begin == 0), "\(times)")
      for (line, time) in zip(lines, times) {
        let truth = log2(Double(time - begin) / Double(times[3] - begin))
        #expect(abs(line.stops - lines[3].stops - truth) < 0.0144, "\(shutter) \(line)")
        #expect(abs(line.seenStops - line.stops) < 0.05, "\(shutter) \(line)")
      }
    }
  }

  @Test func wrongBrackets() async throws {
    let bracket = ["bracket", "--device", Self.camera]
    try await bench.run(bracket).expect(64)
    try await bench.run(bracket + ["--ev=-1,0", "--count", "2"]).expect(64)
    try await bench.run(bracket + ["--ev=-1,0", "-o", "card.png"]).expect(64)
    try await bench.run(bracket + ["--ev=-1,0", "-o", "card{ev}.jpg"]).expect(64)
    try await bench.run(bracket + ["--count", "65"]).expect(65)
    try await bench.run(bracket + ["--ev", "0,x"]).expect(64)
    let far = try await bench.run(bracket + ["--ev", "0,20"])
    far.expect(65)
    #expect(far.errors.contains("20.00 stops is out of the camera's current range"))
  }

  /// A camera that is unplugged: the pictures that were taken are written, and a message states
  /// their number.
  @Test func pulled() async throws {
    let outcome = try await bench.run(
      "bracket", "--device", "simulated:size=96x64,vanish=5", "--count", "9", "-o", "a{index}.png")
    outcome.expect(69)
    #expect(outcome.errors.contains("the bracket ended after 4 of 9 pictures"))
    let files = try FileManager.default.contentsOfDirectory(atPath: bench.folder.path)
    #expect(files.filter { $0.hasPrefix("a") && $0.hasSuffix(".png") }.count == 4)
  }
}
