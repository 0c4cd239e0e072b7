import Foundation
import Testing
import WbcalImageFiles
import WhiteBalance

@testable import wbcal

/// A camera's limits, the absence of a camera, and a camera's view.
struct FirstTouchTests {
  private let bench: Workbench

  init() throws { bench = try Workbench() }

  private func object(_ text: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  private func difference(_ arguments: String...) async throws -> (Workbench.Outcome, Double) {
    let outcome = try await bench.run(arguments + ["--json"])
    return (outcome, try #require(try object(outcome.output)["ciede2000"] as? Double))
  }

  /// Steps of the controls leave more than a smooth law states, and a matrix behind the gains
  /// amplifies this: the stated uncertainty covers the observed difference.
  @Test func whatIsLeftIsWithinWhatIsStated() async throws {
    let device = "simulated:controls=stairs,pipeline=board"
    let profile = "board.json"
    try await bench.run(
      "calibrate", "--device", device, "--light", "A", "--light", "D65", "-o", profile
    ).expect(0)
    for light in ["A", "D65"] {
      let shown = "\(device),light=\(light)"
      let (set, left) = try await difference(
        "set", "--device", shown, "--profile", profile, "--light", light)
      let (_, found) = try await difference("verify", "--device", shown)
      let expected = try #require(try object(set.output)["expectedCiede2000"] as? Double)
      #expect(expected > left)
      #expect(expected > found - 0.3, "\(expected), and \(found) is seen")
    }
  }

  /// A fluorescent tube is greener than any temperature: the residual is reported, and `verify`
  /// finds the same one.
  @Test(arguments: ["temperature", "presets"])
  func whatASingleControlCannotReach(kind: String) async throws {
    let device = "\(Workbench.camera),light=FL11,controls=\(kind)"
    let (gray, left) = try await difference("gray", "--device", device)
    gray.expect(
      65, errors: "CIEDE2000 8.", "above the limit", "a filter", "the camera keeps this setting")
    let (verified, found) = try await difference("verify", "--device", device)
    // `gray` has just found that the controls come no nearer.
    verified.expect(65, errors: "the card is not neutral", "gets closer", "apply the gains")
    #expect(!verified.errors.contains("wbcal gray"))
    #expect(left > 5 && abs(left - found) < 0.1)
    // The gains that both commands name make the card neutral.
    let rest = try #require(try object(gray.output)["remainder"] as? [String: Double])
    let gains = ["red", "green", "blue"].map { "\(rest[$0] ?? 0)" }.joined(separator: ",")
    try await bench.run("verify", "--device", device, "--gains", gains).expect(0)
    // A user may accept the difference with `--limit`.
    try await bench.run("gray", "--device", device, "--limit", "9").expect(0)
    let text = try await bench.run("gray", "--device", device)
    text.expect(65)
    #expect(text.output.contains("cannot get closer than CIEDE2000 8."), "\(text.output)")
    try await bench.run("gray", "--device", device, "--limit", "-1").expect(64, errors: "the limit")
  }

  @Test func whatAControlReachesIsDone() async throws {
    let (gray, left) = try await difference("gray", "--device", Workbench.camera + ",light=FL11")
    gray.expect(0)
    #expect(left < 0.5)
    let device = "\(Workbench.camera),light=5000K,controls=temperature"
    let (near, distance) = try await difference("gray", "--device", device, "--limit", "100")
    near.expect(0)
    #expect(distance < 8)
  }

  /// `verify` gives advice that helps.
  @Test func adviceThatHelps() async throws {
    func errors(_ settings: String, _ more: String...) async throws -> String {
      let device = Workbench.camera + ",light=A,controls=" + settings
      let outcome = try await bench.run(["verify", "--device", device] + more)
      outcome.expect(65, errors: "the card is not neutral")
      return outcome.errors
    }
    #expect(try await errors("none").contains("has no control of its white balance"))
    #expect(try await !errors("none").contains("wbcal gray"))
    _ = try await bench.run("set", "--device", Workbench.camera, "--gains", "1,1,1")
    // With a profile's laws it is known that the control has its best value.
    let camera = Workbench.camera + ",controls=temperature"
    try await bench.run(
      "calibrate", "--device", camera, "--light", "A", "--light", "D65", "-o", "desk.json"
    ).expect(0)
    #expect(
      try await errors("temperature", "--profile", "desk.json").contains(
        "'wbcal gray' gets as close"))
    try await bench.run("gray", "--device", camera + ",light=A", "--limit", "100").expect(0)
    #expect(
      try await errors("temperature", "--profile", "desk.json").contains(
        "no setting of white_balance_temperature gets closer"))
    try bench.writeCard("card.ppm", 200, 100, 50)
    let picture = try await bench.run("verify", "card.ppm", "--region", "0,0,64,48")
    picture.expect(65, errors: "the gains 1.0000,4.")
    #expect(!picture.errors.contains("wbcal gray"))
  }

  @Test func setSaysHowNearItComes() async throws {
    let set = ["set", "--device", "\(Workbench.camera),light=FL11,controls=temperature"]
    let outcome = try await bench.run(set + ["--gains", "2,1,1.5"])
    outcome.expect(0)
    #expect(outcome.output.contains("cannot get closer than CIEDE2000"), "\(outcome.output)")
  }

  @Test func noCameraIsSaidWithItsReason() async throws {
    var absence = CameraAbsence(root: bench.folder.path)
    #expect(absence.sentence.contains("there is no /dev/video*"))
    try FileManager.default.createDirectory(
      at: bench.folder.appending(path: "dev"), withIntermediateDirectories: true)
    try bench.write("dev/video10", "")
    try bench.write("dev/video0", "")
    try bench.write("dev/video-codec", "")
    #expect(
      absence.sentence.contains("found: no supported pictures come from /dev/video0, /dev/video10;")
    )
    try FileManager.default.removeItem(at: bench.folder.appending(path: "dev"))
    absence.root = "/nowhere"
    #expect(absence.sentence.contains("there is no /dev/video*"))
    // The list of cameras does not change, as text and as JSON.
    for json in [[], ["--json"]] {
      let outcome = try await bench.run(["devices"] + json)
      outcome.expect(0)
      let hasNone = outcome.output.split(separator: "\n").count == 28
      #expect(outcome.errors.contains("No camera was found") == hasNone)
    }
  }

  /// The region is marked by a white frame within a black one, and the rest is the camera's
  /// picture.
  @Test func aSnapshotShowsTheRegion() async throws {
    let outcome = try await bench.run(
      "snapshot", "--device", Workbench.camera, "--region", "30,20,40,30", "-o", "card.png")
    outcome.expect(0)
    #expect(
      outcome.output == "wrote card.png: the camera's 96×64 pixels with --region 30,20,40,30\n")
    var reader = ImageFileReader()
    let frame = try reader.picture(path: bench.folder.appending(path: "card.png").path).frame
    #expect(frame.layout.width == 96 && frame.layout.height == 64)
    func pixel(_ x: Int, _ y: Int) -> [UInt8] {
      let start = 3 * (y * 96 + x)
      return Array(frame.bytes[start..<start + 3])
    }
    for (x, y) in [(30, 20), (69, 49), (50, 20)] { #expect(pixel(x, y) == [255, 255, 255]) }
    for (x, y) in [(29, 19), (70, 50), (50, 19)] { #expect(pixel(x, y) == [0, 0, 0]) }
    #expect(pixel(50, 35) != [255, 255, 255] && pixel(50, 35) != [0, 0, 0])
    // The numbers of the columns are along the upper edge, black on white.
    #expect(frame.bytes[..<(3 * 96 * 7)].contains(0))
    // A card that does not fill the region is shown anyway.
    let wide = try await bench.run(
      "snapshot", "--device", Workbench.camera, "--region", "0,0,96,64", "-o", "card.jpg", "--json")
    wide.expect(0, errors: "In the region: ")
    #expect(try object(wide.output)["accepted"] as? Bool == false)
    let jpeg = try Data(contentsOf: bench.folder.appending(path: "card.jpg"))
    #expect(jpeg.starts(with: [0xFF, 0xD8, 0xFF]))
    // The picture is brightened: nothing is measured in it.
    for name in ["card.png", "card.jpg"] {
      for command in [["estimate"], ["verify"], ["find", "card"]] {
        try await bench.run(command + [name]).expect(65, errors: "\(name) is a preview")
      }
    }
    try await bench.run(
      "snapshot", "--device", Workbench.camera, "--region", "90,0,40,30", "-o", "none.png"
    ).expect(65, errors: "not inside the 96×64 picture")
    try await bench.run("snapshot", "--device", Workbench.camera, "-o", "none.tif").expect(
      64, errors: "ends in .png or .jpg")
    #expect(try bench.files() == ["card.jpg", "card.png"])
  }
}
