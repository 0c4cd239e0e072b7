import ColorScience
import Foundation
import Testing
import WhiteBalance

@testable import wbcal

struct SidecarTests {
  private let bench: Workbench
  private static let neutral65 = ["--region", "904,906,36,36"]
  private static let neutral8 = ["--region", "796,908,36,36"]

  init() throws {
    bench = try Workbench()
    try copyPhotograph("card.dng")
  }

  private func copyPhotograph(_ name: String) throws {
    try FileManager.default.copyItem(
      atPath: Workbench.dng, toPath: bench.folder.appending(path: name).path)
  }

  /// The bytes of the white balance's floating-point numbers, the least significant first: red,
  /// green, blue, and the NaN that darktable writes for a fourth color.
  @Test func theMultipliersOfDarktable() async throws {
    try await bench.run(["estimate", "card.dng", "--write-xmp"] + Self.neutral65).expect(
      0, errors: "wrote card.dng.xmp")
    #expect(try bench.files() == ["card.dng", "card.dng.xmp"])
    let text = try bench.read("card.dng.xmp")
    let entries = text.components(separatedBy: "<rdf:li ").dropFirst().map {
      $0.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
    #expect(entries.count == 2)
    // 1.485846, 1 and 2.244880, converted to bytes by Python's `struct.pack`.
    let parameters = "3530be3f0000803f1bac0f400000c07f"
    #expect(
      entries[0] == "darktable:num=\"0\" darktable:operation=\"temperature\" "
        + "darktable:enabled=\"1\" darktable:modversion=\"3\" darktable:multi_name=\"\" "
        + "darktable:multi_priority=\"0\" darktable:params=\"\(parameters)\"/>")
    #expect(
      entries[1].hasPrefix(
        "darktable:num=\"1\" darktable:operation=\"channelmixerrgb\" darktable:enabled=\"0\" "
          + "darktable:modversion=\"3\" "))
    // 40 words of four bytes, as darktable 4.2.1 itself writes them.
    let second = try #require(entries[1].components(separatedBy: "params=\"").last)
    #expect(second.prefix { $0.isHexDigit }.count == 320)
    #expect(text.contains("darktable:auto_presets_applied=\"0\""))
    #expect(text.contains("darktable:history_end=\"2\""))
  }

  @Test func multipliersAreRelativeToGreen() {
    let figures = Sidecar.darktable(Gains(red: 1, green: 2, blue: 4)).figures
    // 0.5, 1 and 2.
    #expect(figures == "0000003f0000803f000000400000c07f")
  }

  /// The kelvins and green were computed from RawTherapee 5.9's own tables, in another language;
  /// its picture of the patch is 0.1 from neutral (`ConverterTests`).
  @Test func theTemperatureOfRawTherapee() async throws {
    try await bench.run(["estimate", "card.dng", "--write-pp3"] + Self.neutral65).expect(
      0, errors: "wrote card.dng.pp3: 3078 K, green 1.063, by LibRaw's color matrix")
    let lines = try bench.read("card.dng.pp3").split(separator: "\n")
    #expect(
      lines.prefix(5) == [
        "[Version]", "Version=349", "[White Balance]", "Enabled=true",
        "Setting=Custom",
      ])
    #expect(lines[5] == "Temperature=3078")
    let green = try #require(Double(lines[6].dropFirst("Green=".count)))
    #expect(abs(green - 1.0633) < 0.0005)
    #expect(lines.last == "StandardObserver=TEN_DEGREES")
  }

  /// The ratios of red and blue to green in linear sRGB, summed over RawTherapee 5.9's own tables.
  @Test(arguments: [
    (2000, 4.137821, 0.046094), (2856, 2.384122, 0.316923), (3999, 1.619857, 0.625807),
    (4500, 1.382542, 0.674712), (6504, 1.030829, 1.038574),
    (7001, 0.982879, 1.108547), (10_000, 0.813501, 1.410034),
  ])
  func temperaturesAreRawTherapees(kelvin: Int, red: Double, blue: Double) throws {
    let camera = Matrix3x3(diagonal: SIMD3(0.5, 1, 0.7))
    // A green of 0.8 means a light whose green is divided by 0.8.
    for green in [0.8, 1, 1.25] {
      let gains = Gains(red: 1 / (0.5 * red), green: green, blue: 1 / (0.7 * blue))
      let balance = try #require(RawTherapeeBalance(gains, camera: camera))
      #expect(abs(Double(balance.kelvin) / Double(kelvin) - 1) < 1e-3)
      #expect(abs(balance.green / green - 1) < 1e-3)
    }
  }

  @Test(arguments: [
    Gains(red: 30, blue: 0.1), Gains(red: 1, green: 40, blue: 1),
  ])
  func lightsThatRawTherapeeCannotName(gains: Gains) {
    let camera = Matrix3x3(diagonal: SIMD3(1, 1, 1))
    #expect(RawTherapeeBalance(gains, camera: camera) == nil)
  }

  @Test func whatIsReplaced() async throws {
    let both = ["estimate", "card.dng", "--write-xmp", "--write-pp3"]
    try await bench.run(both + Self.neutral8).expect(0)
    let earlier = try (bench.read("card.dng.xmp"), bench.read("card.dng.pp3"))
    try await bench.run(both + Self.neutral65).expect(0)
    let later = try (bench.read("card.dng.xmp"), bench.read("card.dng.pp3"))
    #expect(earlier.0 != later.0)
    #expect(earlier.1 != later.1)
    // One more entry or key, as a user or a program would add it.
    let worked = later.0.replacingOccurrences(
      of: "darktable:history_end", with: "xmp:Rating=\"5\" darktable:history_end")
    for (name, text) in [
      ("card.dng.xmp", worked), ("card.dng.pp3", later.1 + "\n[Crop]\nEnabled=true\n"),
      ("card.dng.xmp", ""), ("card.dng.pp3", "[Version]\nVersion=349\n"),
      ("card.dng.pp3", later.1.replacingOccurrences(of: "\nGreen", with: "\n# Mine\nGreen")),
    ] {
      try bench.write(name, text)
      let flag = name.hasSuffix("xmp") ? "--write-xmp" : "--write-pp3"
      let outcome = try await bench.run(["estimate", "card.dng", flag] + Self.neutral8)
      outcome.expect(65, errors: "\(name) contains more than a white balance from wbcal")
      #expect(outcome.output.hasPrefix("card.dng: red 1.4"))
      #expect(try bench.read(name) == text)
    }
  }

  @Test func whatIsNoFileStays() async throws {
    let folder = bench.folder.appending(path: "card.dng.xmp")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    let pipe = bench.folder.appending(path: "card.dng.pp3").path
    #expect(unsafe mkfifo(pipe, 0o600) == 0)
    for (flag, name) in [("--write-xmp", "card.dng.xmp"), ("--write-pp3", "card.dng.pp3")] {
      try await bench.run(["estimate", "card.dng", flag] + Self.neutral65)
        .expect(65, errors: "\(name) contains more than")
    }
  }

  @Test func oneThatStaysDoesNotHinderTheOthers() async throws {
    try copyPhotograph("other.dng")
    try bench.write("card.dng.xmp", "mine")
    let outcome = try await bench.run(
      ["estimate", "card.dng", "other.dng", "--write-xmp", "--json"] + Self.neutral65)
    outcome.expect(65, errors: "card.dng.xmp contains", "wrote other.dng.xmp")
    #expect(outcome.output.split(separator: "\n").allSatisfy { $0.hasPrefix("{") })
    #expect(try bench.files() == ["card.dng", "card.dng.xmp", "other.dng", "other.dng.xmp"])
    #expect(try bench.read("card.dng.xmp") == "mine")
  }

  @Test func nothingIsWrittenForARefusedCard() async throws {
    try await bench.run(
      "estimate", "card.dng", "--write-xmp", "--write-pp3", "--region", "0,0,1700,1100"
    )
    .expect(65, errors: "the color varies")
    try await bench.run(
      "estimate", "card.dng", "--write-xmp", "--region", "904,906,36,36", "--second-region",
      "686,606,36,36"
    ).expect(65, errors: "the patches differ")
    #expect(try bench.files() == ["card.dng"])
  }

  @Test func onlyRawPhotographs() async throws {
    try bench.writeCard("card.ppm", 100, 128, 64)
    for flag in ["--write-xmp", "--write-pp3"] {
      try await bench.run("estimate", "card.ppm", flag)
        .expect(65, errors: "card.ppm is not a raw photograph, so no sidecar is written for it")
    }
    #expect(try bench.files() == ["card.dng", "card.ppm"])
  }

  @Test(arguments: [
    ["--device", Workbench.camera], ["card.dng", "--method", "gray-world"],
    ["card.dng", "--black", "100"],
    ["card.dng", "--transfer", "srgb"],
    ["card.dng", "--raw", "64x48:RG10"],
  ])
  func withWhatTheyDoNotGo(arguments: [String]) async throws {
    for flag in ["--write-xmp", "--write-pp3"] {
      try await bench.run(["estimate", flag] + arguments).expect(
        64, errors: "--write-xmp and --write-pp3")
    }
    #expect(try bench.files() == ["card.dng"])
  }

  @Test func aFolderThatMayNotBeWrittenTo() throws {
    try bench.setMode(0o555, of: ".")
    defer { try? bench.setMode(0o755, of: ".") }
    try bench.runWithoutPrivileges(
      "estimate", "card.dng", "--region", "904,906,36,36", "--write-xmp"
    ).expect(77, errors: "card.dng.xmp")
    #expect(try bench.files() == ["card.dng"])
  }
}
