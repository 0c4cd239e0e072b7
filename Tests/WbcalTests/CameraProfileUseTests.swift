import ColorScience
import Foundation
import Testing
import WhiteBalance

/// The use of a profile, and of options, for the camera in use.
struct CameraProfileUseTests {
  private let bench: Workbench
  private let other = Workbench.camera + ",camera=nikon-d850,controls=offset"

  init() throws { bench = try Workbench() }

  private func estimate(_ arguments: String...) async throws -> [String: Any] {
    let outcome = try await bench.run(["estimate", "--json"] + arguments)
    outcome.expect(0)
    return try #require(
      try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
  }

  private func calibrate(_ arguments: String...) async throws -> String {
    try await bench.run(["calibrate"] + arguments + ["-o", "desk.json"]).expect(0)
    let profile = try bench.read("desk.json")
    // Everything except the time at which it was made.
    return profile.split(separator: "\n").filter { !$0.contains("\"created\"") }
      .joined(separator: "\n")
  }

  /// A camera with a matrix, a saturation, an S-curve and a raised black level behind the gains, of
  /// which nothing is given.
  @Test func aWebcam() async throws {
    let camera = "simulated:pipeline=webcam,size=96x64"
    let profile = try await calibrate("--device", camera, "--light", "A", "--light", "D65")
    // Linear values are proportional to the exposure time, whatever the saturation does to the
    // colors around the card.
    let written = try JSONSerialization.jsonObject(with: Data(profile.utf8)) as? [String: Any]
    let exposure = try #require(written?["exposure"] as? [String: Any])
    let time = try #require(exposure["time"] as? [String: Any])
    let slope = try #require(time["slope"] as? Double)
    #expect(try abs(slope * #require(time["reference"] as? Double) - 1) < 1e-9)
    #expect(time["intercept"] as? Double == 0)
    for (light, limit) in [("A", "0.5"), ("D65", "0.5"), ("D50", "1")] {
      let lit = ["--device", "\(camera),light=\(light)", "--profile", "desk.json"]
      try await bench.run(["set", "--light", light] + lit).expect(0)
      try await bench.run(["verify", "--limit", limit] + lit).expect(0)
    }
    // The light is determined through the matrix from a card that is not neutral.
    let seen = try await estimate("--device", camera + ",light=D65", "--profile", "desk.json")
    let temperature = try #require(seen["temperature"] as? Double)
    let error = try #require(seen["temperatureError"] as? Double)
    #expect(abs(temperature - 6504) < error && error < 400, "\(seen)")
  }

  /// Calibration learns a camera from few frames (`make bench-frames` lists them).
  @Test(arguments: [
    ("shutter=none,lens=none,", 300), ("controls=balances,", 320), ("controls=channels,", 355),
    ("controls=bent,", 430),
    ("controls=temperature,", 450), ("pipeline=webcam,", 780), ("pipeline=board,", 630),
  ])
  func framesOfACalibration(kind: String, most: Int) async throws {
    let outcome = try await bench.run(
      "calibrate", "--device", "simulated:\(kind)size=96x64", "--light", "A", "--light", "D65",
      "-o", "desk.json")
    outcome.expect(0)
    let said = try #require(
      outcome.output.split(separator: "\n").first { $0.hasPrefix("used") })
    #expect(try #require(Int(said.split(separator: " ")[1])) <= most, "\(said)")
  }

  /// Only the model of another camera's profile is used: neither its control laws nor its latency.
  @Test func aProfileOfAnotherCamera() async throws {
    _ = try await calibrate("--device", Workbench.camera, "--light", "D65")
    try await bench.run("set", "--device", other, "--gains", "1.8,1,1.4").expect(0)
    #expect(try await estimate("--device", other, "--profile", "desk.json")["temperature"] == nil)
    let slow = other + ",latency=8"
    for command in [["set", "--gains", "1.5,1,1.2"], ["gray"]] {
      try await bench.run(command + ["--device", slow, "--profile", "desk.json"]).expect(
        0, errors: "not for simulated-nikon-d850")
    }
  }

  /// Gains of a profile without control laws cannot be related to a camera's controls, so no
  /// neutral card is promised.
  @Test func aProfileWithoutControlLaws() async throws {
    try await bench.run(
      "calibrate", "--shot", "rgb:0.5,0.6,0.2@A", "--shot", "rgb:0.3,0.6,0.45@D65", "-o", "raw.json"
    ).expect(0)
    let outcome = try await bench.run(
      "set", "--device", Workbench.camera + ",light=D65", "--profile", "raw.json", "--light", "D65")
    outcome.expect(0, errors: "no control laws of this camera", "wbcal verify")
    #expect(outcome.output.contains("locked at") && !outcome.output.contains("is expected"))
  }

  /// A camera's levels are used, stored, and used again.
  @Test func levels() async throws {
    // Without an exposure control, no tone curve is measured that would differ from the one for
    // which the levels are given.
    let camera = Workbench.camera + ",shutter=none,lens=none"
    let plain = try await calibrate("--device", camera, "--light", "D65", "--transfer", "srgb")
    let raised = try await calibrate(
      "--device", camera, "--light", "D65", "--black", "4", "--transfer", "srgb")
    #expect(raised.contains("\"blackLevel\" : 4"))
    try await bench.run(
      "calibrate", "--profile", "desk.json", "--device", camera, "--light", "A"
    )
    .expect(0)
    #expect(try bench.read("desk.json").contains("\"blackLevel\" : 4"))
    func response(_ profile: String) -> Substring? {
      profile.range(of: "\"response\"").map { profile[$0.lowerBound...].prefix(200) }
    }
    #expect(response(raised) != response(plain))
    // The camera is settled, so that all readings are equal.
    try await bench.run("set", "--device", camera, "--gains", "1.5,1,1.2").expect(0)
    func seen(_ arguments: String...) async throws -> [Double] {
      let outcome = try await bench.run(["estimate", "--json", "--device", camera] + arguments)
      outcome.expect(0)
      let record = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8))
      return try #require((record as? [String: Any])?["rgb"] as? [Double])
    }
    let told = try await seen("--black", "4", "--transfer", "srgb")
    #expect(try await seen("--profile", "desk.json") == told)
    #expect(try await seen() != told)
    #expect(try await seen("--profile", "desk.json", "--black", "0") == seen())
    #expect(try await seen("--white", "200")[1] > seen()[1] * 1.1)
  }

  @Test func whatOnlyFilesAreTold() async throws {
    let camera = ["--device", Workbench.camera]
    for option in [["--raw", "96x64:RG10"], ["--encoding", "bt709:full"]] {
      try await bench.run(["estimate"] + camera + option).expect(64, errors: "require files")
      try await bench.run(["verify"] + camera + option).expect(64, errors: "require files")
      try await bench.run(["calibrate", "--light", "A", "-o", "a.json"] + camera + option)
        .expect(64, errors: "require files")
      try await bench.run(["gray"] + camera + option).expect(64, errors: option[0])
      try await bench.run(["set", "--gains", "1,1,1"] + camera + option).expect(
        64, errors: option[0])
    }
  }

  /// A camera's shot is the same as in a camera session: its curve is used, and so is the profile.
  @Test func aShotFromACamera() async throws {
    let shot = ["--shot", "\(Workbench.camera)@D65"]
    let plain = try await calibrate(shot[0], shot[1])
    let curved = try await calibrate(shot[0], shot[1], "--transfer", "gamma:3")
    #expect(plain != curved)
    _ = try await calibrate("--device", Workbench.camera, "--light", "A")
    let before = try bench.read("desk.json")
    try await bench.run(
      "calibrate", "--profile", "desk.json", "--add", "\(Workbench.camera),light=D65@D65"
    ).expect(0)
    let after = try bench.read("desk.json")
    #expect(after.contains("\"D65\"") && !before.contains("\"D65\""))
  }

  /// Gains that belong to two lights; all other results are still printed.
  @Test func ambiguousGains() async throws {
    let calibrations = [200.0, 300].map { mired in
      let light = XYZ(Chromaticity(CorrelatedColorTemperature(mired: mired, duv: 0))).vector
      let matrix = [1 / light.x, 0, 0, 0, 1 / light.y, 0, 0, 0, 1 / light.z]
      return """
        {"kelvin": \(1e6 / mired), "colorMatrix": \(matrix),
         "cameraCalibration": [1, 0, 0, 0, 1, 0, 0, 0, 1]}
        """
    }
    try bench.write(
      "two.json",
      """
      {"format": "wbcal-profile", "version": 2, "created": "", "generator": "", "interpolated":
       {"calibrations": [\(calibrations.joined(separator: ","))],
        "analogBalance": [1, 1, 1]}}
      """)
    try bench.writeCard("gray.ppm", 120, 120, 120)
    let outcome = try await bench.run("estimate", "gray.ppm", "--profile", "two.json")
    outcome.expect(0)
    #expect(outcome.errors.contains("The light could not be determined"))
    #expect(outcome.output.contains("red 1.000 green 1.000 blue 1.000"))
    try await bench.run("gray", "--device", Workbench.camera, "--profile", "two.json").expect(0)
  }

  /// A profile's control whose steps would overflow.
  @Test func aStepBeyondAllNumbers() async throws {
    _ = try await calibrate("--device", Workbench.camera, "--light", "D65")
    let good = try bench.read("desk.json")
    let bad = good.replacingOccurrences(of: "\"step\" : 1\n", with: "\"step\" : \(Int.max)\n")
    try #require(bad != good)
    try bench.write("desk.json", bad)
    try await bench.run(
      "set", "--device", Workbench.camera, "--profile", "desk.json", "--gains", "1,1,1"
    )
    .expect(65, errors: "must be in order")
  }
}
