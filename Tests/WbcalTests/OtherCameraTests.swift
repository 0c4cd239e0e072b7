import Foundation
import Testing

/// A profile stores which camera and which kind of picture it is for, and is not used for others by
/// mistake.
struct OtherCameraTests {
  private let bench: Workbench
  private static let region = ["--region", "796,908,36,36"]

  init() async throws {
    bench = try Workbench()
    try await run("calibrate", "--shot", "\(Workbench.dng)@D50", "-o", "raw.json").expect(0)
  }

  private func run(_ arguments: String...) async throws -> Workbench.Outcome {
    try await bench.run(arguments + Self.region)
  }

  private func object(_ text: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  /// Writes the photograph as if another model had taken it.
  private func writeOther(_ name: String, _ change: (old: String, new: String)) throws {
    var bytes = try Data(contentsOf: URL(filePath: Workbench.dng))
    let head = bytes.prefix(20_000)
    var start = head.startIndex
    while let place = bytes[start..<head.endIndex].range(of: Data(change.old.utf8)) {
      bytes.replaceSubrange(place, with: Data(change.new.utf8))
      start = place.upperBound
    }
    try bytes.write(to: bench.folder.appending(path: name))
  }

  @Test func aProfileKeepsItsCamera() async throws {
    let pictures = try object(bench.read("raw.json"))["pictures"] as? [String: String]
    #expect(
      pictures == [
        "encoding": "raw", "make": "Canon", "model": "Canon EOS Kiss X4",
        "uniqueModel": "Canon EOS Kiss X4",
      ])
    let shown = try await bench.run("profile", "show", "raw.json")
    #expect(shown.output.contains("\nfor raw pictures of Canon EOS Kiss X4\n"), "\(shown.output)")
    try await bench.run("profile", "import", Workbench.dng, "-o", "dng.json").expect(0)
    #expect(try object(bench.read("dng.json"))["pictures"] as? [String: String] == pictures)
  }

  @Test func ownPicturesAreRead() async throws {
    for profile in ["raw.json"] {
      let outcome = try await run("estimate", Workbench.dng, "--profile", profile, "--json")
      outcome.expect(0)
      #expect(try object(outcome.output)["otherCamera"] == nil)
    }
    try await run("calibrate", "--profile", "raw.json", "--add", "\(Workbench.dng)@D50").expect(0)
  }

  /// 8-bit pictures, whose curve a raw photograph's profile does not undo, and pictures of other
  /// cameras.
  @Test func otherPicturesAreRefused() async throws {
    try bench.writeCard("card.ppm", 100, 128, 64)
    try writeOther("other.dng", ("Kiss X4", "Kiss X9"))
    for (name, words) in [
      ("card.ppm", "the pixel values are srgb and not raw"),
      ("other.dng", "the camera is a Canon EOS Kiss X9 and not a Canon EOS Kiss X4"),
    ] {
      let region = name == "card.ppm" ? ["--region", "0,0,32,32"] : Self.region
      func run(_ arguments: String...) async throws -> Workbench.Outcome {
        try await bench.run(arguments + region)
      }
      let before = try bench.read("raw.json")
      try await run("estimate", name, "--profile", "raw.json").expect(
        65, errors: "\(name) does not match the profile: \(words)", "--any-camera")
      try await run("estimate", name, "--profile", "raw.json", "--method", "gray-world").expect(
        65, errors: words)
      try await run("calibrate", "--profile", "raw.json", "--add", "\(name)@D50").expect(
        65, errors: "\(name) does not match the profile: \(words)", "Nothing was saved.")
      #expect(try bench.read("raw.json") == before)
      // Without a profile there is no error.
      try await run("estimate", name).expect(0)

      let text = try await run("estimate", name, "--profile", "raw.json", "--any-camera")
      text.expect(0)
      #expect(
        text.output.contains("with a profile that does not match: \(words)"), "\(text.output)")
      let json = try await run("estimate", name, "--profile", "raw.json", "--any-camera", "--json")
      #expect(try object(json.output)["otherCamera"] as? String == words)
      // Its response is that of another light, which would contradict the first shot.
      if name == "card.ppm" { continue }
      try await run(
        "calibrate", "--profile", "raw.json", "--add", "\(name)@D50", "--any-camera", "-o", "x.json"
      ).expect(0)
      let pictures = try object(bench.read("x.json"))["pictures"] as? [String: Any]
      #expect(pictures?["others"] as? [String] == ["\(name): \(words)"])
      #expect(try await bench.run("profile", "show", "x.json").output.contains(words))
    }
    try await run("estimate", Workbench.dng, "--any-camera").expect(
      64, errors: "requires --profile")
  }

  @Test func shotsOfDifferentCamerasAreRefused() async throws {
    try writeOther("other.dng", ("Kiss X4", "Kiss X9"))
    try await run(
      "calibrate", "--shot", "\(Workbench.dng)@D50", "--shot", "other.dng@A", "-o", "mixed.json"
    ).expect(65, errors: "other.dng does not match the other shots", "Kiss X9")
    #expect(try !bench.files().contains("mixed.json"))
  }

  /// A tuning is for the sensor's values.
  @Test func importedProfilesKnowTheirPictures() async throws {
    try bench.writeCard("card.ppm", 100, 128, 64)
    try await bench.run("profile", "import", "libcamera:imx219", "-o", "pi.json").expect(0)
    try await bench.run("estimate", "card.ppm", "--profile", "pi.json").expect(
      65, errors: "the pixel values are srgb and not raw")
    try await bench.run("profile", "export", Workbench.dng, "--dcp", "camera.dcp").expect(0)
    try await bench.run("profile", "import", "camera.dcp", "-o", "dcp.json").expect(0)
    try writeOther("other.dng", ("Kiss X4", "Kiss X9"))
    try await run("estimate", "other.dng", "--profile", "dcp.json").expect(65, errors: "Kiss X9")
    try await run("estimate", Workbench.dng, "--profile", "dcp.json").expect(0)
  }

  @Test func profilesForRawConvertersNameTheCamera() async throws {
    func names(_ file: String) throws -> Data {
      try Data(contentsOf: bench.folder.appending(path: file))
    }
    try await bench.run("profile", "export", "raw.json", "--dcp", "a.dcp", "--icc", "a.icc").expect(
      0)
    #expect(try names("a.dcp").range(of: Data("Canon EOS Kiss X4\0".utf8)) != nil)
    let utf16 = "Canon EOS Kiss X4 under D50".flatMap { "\0\($0)" }
    #expect(try names("a.icc").range(of: Data(String(utf16).utf8)) != nil)
    try await bench.run("profile", "export", "raw.json", "--dcp", "a.dcp", "--camera", "Nikon D850")
      .expect(0)
    #expect(try names("a.dcp").range(of: Data("Nikon D850\0".utf8)) != nil)
    #expect(try names("a.dcp").range(of: Data("Canon".utf8)) == nil)

    try await bench.makeProfile("folder.json")
    let path = bench.folder.appending(path: "folder.json").path
    try await bench.run("profile", "export", path, "--dcp", "b.dcp").expect(
      65, errors: "does not state its camera", "--camera")
    try await bench.run(
      "profile", "export", path, "--dcp", "b.dcp", "--camera", "Desk", "--icc", "b.icc"
    )
    .expect(0)
    #expect(try names("b.dcp").range(of: Data("Desk\0".utf8)) != nil)
    // No file contains the names of folders.
    #expect(try names("b.dcp").range(of: Data(bench.folder.lastPathComponent.utf8)) == nil)
    let folder = bench.folder.lastPathComponent.flatMap { "\0\($0)" }
    #expect(try names("b.icc").range(of: Data(String(folder).utf8)) == nil)
    try await bench.run("profile", "export", path, "--libcamera", "x", "--camera", "Desk").expect(
      64, errors: "--dcp or --icc")
  }

  @Test func aCameraIsSetByAnothersProfile() async throws {
    let outcome = try await bench.run(
      "set", "--device", Workbench.camera, "--profile", "raw.json", "--temperature", "5000",
      "--json")
    outcome.expect(0, errors: "The profile was made for pictures of a Canon EOS Kiss X4")
    #expect(try object(outcome.output)["otherCamera"] as? String == "Canon EOS Kiss X4")
  }

  @Test func anICCProfileOfVersion2() async throws {
    try await bench.run("profile", "export", "raw.json", "--icc", "a.icc", "--icc-version", "2")
      .expect(0)
    let bytes = try Data(contentsOf: bench.folder.appending(path: "a.icc"))
    #expect(bytes[8] == 2)
    try await bench.run("profile", "export", "raw.json", "--icc", "a.icc", "--icc-version", "3")
      .expect(
        64)
    try await bench.run("profile", "export", "raw.json", "--dcp", "a", "--icc-version", "2").expect(
      64, errors: "requires --icc")
  }

  @Test func aTuningIsCompletedByAnother() async throws {
    let old =
      #"{"version": 2.0, "target": "pisp", "algorithms": [{"rpi.agc": {"x": 1e-3, }}, "#
      + #"{"rpi.awb": {"bayes": 1, "ct_curve": [2500, 0.9, 0.4, 8000, 0.4, 0.8]}}]} # ours"#
    try bench.write("old.json", old)
    try await bench.run(
      "profile", "export", "raw.json", "--libcamera", "new.json", "--into", "old.json"
    )
    .expect(0)
    let new = try bench.read("new.json")
    let (head, tail) = (old.range(of: "[2500")!, old.range(of: "0.8]")!)
    #expect(new.hasPrefix(old[..<head.lowerBound]) && new.hasSuffix(old[tail.upperBound...]))
    let same = try await bench.run(
      "profile", "compare", "raw.json", "libcamera:new.json", "--light", "3000K", "--json")
    #expect(try #require(try object(same.output)["largest"] as? Double) < 1e-6)
    try await bench.run("profile", "export", "raw.json", "--libcamera", "x", "--into", "raw.json")
      .expect(
        65, errors: "cannot use tuning raw.json")
    try await bench.run("profile", "export", "raw.json", "--dcp", "x", "--into", "old.json").expect(
      64, errors: "--into")
  }

  /// Files of pixels may be larger than files of text.
  @Test func largeFiles() async throws {
    let large = bench.folder.appending(path: "large.dng")
    try FileManager.default.copyItem(at: URL(filePath: Workbench.dng), to: large)
    let handle = try FileHandle(forWritingTo: large)
    try handle.truncate(atOffset: 90 << 20)
    try handle.close()
    try bench.runProcess("profile", "show", "large.dng", "--light", "D50").expect(0)
    let frame = bench.folder.appending(path: "frame.raw")
    _ = FileManager.default.createFile(atPath: frame.path, contents: nil)
    let frameHandle = try FileHandle(forWritingTo: frame)
    try frameHandle.truncate(atOffset: 2 * 8000 * 5600)
    try frameHandle.close()
    try bench.runProcess("estimate", "frame.raw", "--raw", "8000x5600:RG12").expect(
      65, errors: "frame.raw: the card is too dark")
    try bench.write("huge.json", "")
    let huge = try FileHandle(forWritingTo: bench.folder.appending(path: "huge.json"))
    try huge.truncate(atOffset: 65 << 20)
    try huge.close()
    try bench.runProcess("profile", "show", "huge.json").expect(65, errors: "larger than 64 MiB")
  }
}
