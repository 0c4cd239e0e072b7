import ColorScience
import Foundation
import SimulatedScenes
import Testing
import WbcalImageFiles
import WhiteBalance

/// The expected codes were computed from IEC 61966-2-1, independently of this program.
struct BalanceTests {
  private let bench: Workbench

  init() throws { bench = try Workbench() }

  private func write(_ name: String, _ header: String, _ samples: [UInt8]) throws {
    try (Data(header.utf8) + samples).write(to: bench.folder.appending(path: name))
  }

  private func bytes(_ name: String) throws -> Data {
    try Data(contentsOf: bench.folder.appending(path: name))
  }

  private func fixture(_ name: String) -> URL {
    Workbench.repository.appending(path: "Tests/WbcalImageFilesTests/Fixtures/\(name)")
  }

  @Test func theCardInThePictureBecomesNeutral() async throws {
    try bench.writeCard("card.ppm", 100, 128, 64)
    let outcome = try await bench.run("balance", "card.ppm", "-o", "out.ppm")
    outcome.expect(0)
    // 1.6939 is the linear value of 128 divided by that of 100; 4.2103 is divided by the linear
    // value of 64.
    #expect(outcome.output == "wrote out.ppm: red 1.694 green 1.000 blue 4.210\n")
    #expect(outcome.errors.isEmpty)
    let gray = [UInt8](repeating: 128, count: 64 * 48 * 3)
    #expect(try bytes("out.ppm") == Data("P6\n64 48\n255\n".utf8) + gray)
  }

  @Test func givenGainsAndHowMuchTheyClip() async throws {
    try write("in.ppm", "P6 3 1 255\n", [100, 128, 64, 188, 128, 64, 255, 255, 255])
    let outcome = try await bench.run("balance", "in.ppm", "--gains", "2,1,1.5", "-o", "out.ppm")
    outcome.expect(
      0, errors: "the gains clipped 1 of 3 pixels (33.33 %); --preserve-highlights")
    #expect(
      try bytes("out.ppm").suffix(9) == Data([138, 128, 78, 255, 128, 78, 255, 255, 255]))
    // The same ratios give the same picture.
    try await bench.run("balance", "in.ppm", "--gains", "4,2,3", "-o", "scaled.ppm").expect(0)
    #expect(try bytes("scaled.ppm") == bytes("out.ppm"))
    try await bench.run(
      "balance", "in.ppm", "--gains", "2,1,1.5", "--transfer", "linear", "-o", "linear.ppm"
    ).expect(0)
    #expect(
      try bytes("linear.ppm").suffix(9) == Data([200, 128, 96, 255, 128, 96, 255, 255, 255]))
  }

  @Test func highlightsPreserved() async throws {
    try write("in.ppm", "P6 2 1 255\n", [188, 188, 100, 255, 255, 255])
    let outcome = try await bench.run(
      "balance", "in.ppm", "--gains", "2,1,2", "--preserve-highlights", "-o", "out.ppm", "--json")
    outcome.expect(0)
    #expect(outcome.errors.isEmpty)
    #expect(try bytes("out.ppm").suffix(6) == Data([188, 137, 100, 255, 255, 255]))
    let record = try #require(
      try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
    #expect(record["gains"] as? [String: Double] == ["red": 1, "green": 0.5, "blue": 1])
  }

  @Test func everyFieldOfTheJSON() async throws {
    try write("in.ppm", "P6 2 2 255\n", [188, 9, 9, 9, 9, 200, 200, 9, 200, 255, 9, 9])
    let outcome = try await bench.run(
      "balance", "in.ppm", "--gains", "2,1,2", "-o", "out.ppm", "--json")
    outcome.expect(0, errors: "3 of 4 pixels (75.00 %)")
    let record = try #require(
      try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
    #expect(
      record.keys.sorted() == ["file", "gains", "gainsGreenOne", "output", "pixels", "version"])
    #expect(record["file"] as? String == "in.ppm")
    #expect(record["output"] as? String == "out.ppm")
    #expect(record["gains"] as? [String: Double] == ["red": 2, "green": 1, "blue": 2])
    #expect(
      record["pixels"] as? [String: Int] == [
        "total": 4, "clipped": 3, "redClipped": 2, "greenClipped": 0, "blueClipped": 2,
      ])
  }

  @Test func likeAnotherPicture() async throws {
    try bench.writeCard("card.ppm", 100, 128, 64)
    try write("in.ppm", "P6 1 1 255\n", [100, 128, 64])
    try await bench.run("balance", "in.ppm", "--like", "card.ppm", "-o", "out.ppm").expect(0)
    #expect(try bytes("out.ppm").suffix(3) == Data([128, 128, 128]))
    try await bench.run("balance", "in.ppm", "--like", "missing.ppm", "-o", "x.ppm").expect(
      66, errors: "missing.ppm")
    // The gains of a sensor's values are not those of a developed picture.
    try await bench.run("balance", "in.ppm", "--like", Workbench.dng, "-o", "x.ppm").expect(
      65, errors: "colorchart.dng", "raw photograph", "develop both")
    #expect(try bench.files() == ["card.ppm", "in.ppm", "out.ppm"])
  }

  /// Several pictures, one of which is damaged, one missing, and one without a card.
  @Test func severalPictures() async throws {
    try bench.writeCard("a.ppm", 100, 128, 64)
    try bench.writeCard("b.ppm", 128, 128, 64)
    try write("damaged.ppm", "P6 9 9 255\n", [1])
    try write("white.ppm", "P6 1 1 255\n", [255, 255, 255])
    let all = ["a.ppm", "missing.ppm", "b.ppm", "damaged.ppm", "white.ppm"]
    try await bench.run(["balance", "-o", "out"] + all).expect(64, errors: "require a folder")
    try await bench.run(["balance", "-o", "none/out/"] + all).expect(
      74, errors: "cannot create none/out/")
    // A folder whose name ends in a slash is created.
    let outcome = try await bench.run(["balance", "-o", "out/", "--json"] + all)
    outcome.expect(66, errors: "missing.ppm", "damaged.ppm", "white.ppm")
    let records = try outcome.output.split(separator: "\n").map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
    #expect(records.compactMap { $0["file"] as? String } == all)
    #expect(records.compactMap { $0["output"] as? String } == ["out/a.ppm", "out/b.ppm"])
    #expect(records.map { $0["exitCode"] as? Int } == [nil, 66, nil, 65, 65])
    // Each picture has the gains of its own card, as if it had been balanced alone.
    for name in ["a.ppm", "b.ppm"] {
      try await bench.run("balance", name, "-o", "alone.ppm").expect(0)
      #expect(try bytes("out/\(name)") == bytes("alone.ppm"))
    }
    // All pictures have the gains of one card, and messages name the picture.
    try await bench.run("balance", "a.ppm", "white.ppm", "-o", "out/", "--like", "a.ppm").expect(0)
    try await bench.run("balance", "a.ppm", "b.ppm", "-o", "out", "--gains", "9,1,1").expect(
      0, errors: "a.ppm: the gains clipped 3072 of 3072", "b.ppm: the gains clipped")
    try await bench.run("balance", "a.ppm", "out/a.ppm", "-o", "out").expect(
      64, errors: "a.ppm and out/a.ppm would both become out/a.ppm")
    try await bench.run("balance", "out/a.ppm", "-o", "out").expect(64, errors: "is also an input")
    for names in [["a.ppm", "-"], ["-"]] {
      try await bench.run(["balance", "-o", "out"] + names).expect(64, errors: "give it alone")
    }
    try await bench.run("balance", "-o", "out").expect(64, errors: "name a picture")
    #expect(
      try bench.files()
        == ["a.ppm", "alone.ppm", "b.ppm", "damaged.ppm", "out", "white.ppm"])
  }

  /// A signal ends the command after whole pictures, and a message states their number.
  @Test func anInterruptLeavesWholePictures() throws {
    let size = 1500
    try write(
      "0.ppm", "P6 \(size) \(size) 255\n", [UInt8](repeating: 90, count: 3 * size * size))
    let outcome = try bench.runProcess(
      "balance", "-o", "out", "--gains", "2,1,2",
      shell: """
        mkdir out; for i in $(seq 400); do ln 0.ppm $i.ppm; done
        "$@" [1-9]*.ppm & while kill -0 $! && ! ls out | grep -q ppm; do sleep 0.01; done
        kill -TERM $!; wait $!
        """)
    #expect(outcome.status == 143, "\(outcome.errors)")
    #expect(outcome.errors.contains("of 400 pictures are done"), "\(outcome.errors)")
    let out = bench.folder.appending(path: "out").path
    let names = try FileManager.default.contentsOfDirectory(atPath: out)
    #expect(!names.isEmpty && names.count < 400)
    for name in names {
      #expect(try bytes("out/\(name)").count == 3 * size * size + "P6\n1500 1500\n255\n".utf8.count)
    }
    #expect(outcome.output.split(separator: "\n").count == names.count)
  }

  /// Linear values above a black level of 64: 100 is 36, doubled 72; 600 is beyond the end.
  @Test func rawFramesWithoutAHeader() async throws {
    let values: [UInt16] = [100, 164, 264, 600, 64, 10, 1023, 74]
    try write("in.raw", "", values.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] })
    try await bench.run(
      "balance", "in.raw", "--raw", "4x2:RG10", "--black", "64", "--gains", "2,1,3", "-o", "out.raw"
    ).expect(0)
    // Red green red green, green blue green blue.
    let expected: [UInt16] = [136, 164, 464, 600, 64, 0, 1023, 94]
    #expect(
      try bytes("out.raw") == Data(expected.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }))
    try await bench.run(
      "balance", "in.raw", "--raw", "4x2:RG10", "--gains", "2,1,3", "-o", "out.png"
    ).expect(64, errors: "out.png would not be a PNG file", ".raw")
  }

  /// The profile's tone curves are linear, so that the codes are linear values.
  @Test func profileThatSaysWhatLightIs() async throws {
    try await bench.makeProfile()
    try await bench.run("profile", "export", "desk.json", "--icc", "desk.icc", "--light", "D50")
      .expect(0)
    let profile = try bytes("desk.icc")
    let jpeg = try Data(contentsOf: fixture("rgb.jpg"))
    func picture(_ name: String, profile: Data) throws {
      let content = Data("ICC_PROFILE\0".utf8) + [1, 1] + profile
      let head: [UInt8] = [
        0xFF, 0xE2, UInt8((content.count + 2) >> 8), UInt8((content.count + 2) & 255),
      ]
      try (jpeg.prefix(2) + head + content + jpeg.dropFirst(2)).write(
        to: bench.folder.appending(path: name))
    }
    func red(_ name: String) async throws -> Double {
      let outcome = try await bench.run(
        "estimate", name, "--transfer", "linear", "--region", "0,0,8,16", "--json")
      let record = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8))
      let rgb = try #require((record as? [String: Any])?["rgb"] as? [Double])
      return rgb[0] * 255
    }
    try picture("linear.jpg", profile: profile)
    let outcome = try await bench.run(
      "balance", "linear.jpg", "--gains", "1.2,1,1", "-o", "out.jpg")
    outcome.expect(0)
    #expect(outcome.errors.isEmpty)
    // 1.2 × 201, since the picture's red is decoded as 201; with sRGB 218.0.
    #expect(abs(try await red("out.jpg") - 241.2) < 2)
    #expect(try bytes("out.jpg").range(of: profile) != nil)
    try picture("broken.jpg", profile: Data(repeating: 7, count: 500))
    try bench.runProcess("balance", "broken.jpg", "--gains", "1.2,1,1", "-o", "srgb.jpg").expect(
      0, errors: "broken.jpg: the tone curves of its ICC profile", "--transfer")
    #expect(abs(try await red("srgb.jpg") - 218) < 2)
    let silent = try bench.runProcess(
      "balance", "broken.jpg", "--gains", "1.2,1,1", "--transfer", "srgb", "-o", "srgb.jpg")
    #expect(silent.errors.isEmpty)
  }

  /// Files are read and written in strips, but pipes are not. The results are the same, with given
  /// gains and with those of a card that no strip contains whole.
  @Test(arguments: [255, 200, 4095, 65_535]) func stripsAndTheWhole(largest: Int) async throws {
    let (width, height, size) = (700, 600, largest < 256 ? 1 : 2)
    var random = SplitMix64(state: UInt64(largest))
    func noise(_ row: Int, _ column: Int) -> [UInt8] {
      let isCard = (90..<290).contains(row) && (31..<331).contains(column)
      let color: [Double] = isCard ? [0.4, 0.5, 0.3] : [0, 0, 0]
      return color.flatMap { light -> [UInt8] in
        let part = Double(random.next() >> 11) * 0x1p-53
        let code = Int((isCard ? light + 0.02 * part : part * 1.01) * Double(largest))
        let sample = min(largest, code)
        return size == 1 ? [UInt8(sample)] : [UInt8(sample >> 8), UInt8(sample & 255)]
      }
    }
    let samples = (0..<height).flatMap { row in (0..<width).flatMap { noise(row, $0) } }
    try write("in.ppm", "P6 # a comment\n\(width)\t\(height)\n\(largest) ", samples)
    for options in [
      ["--gains", "1.3,1,1.9"], ["--region", "31,97,290,190"],
      ["--gains", "1.3,1,1.9", "--preserve-highlights", "--transfer", "linear"],
    ] {
      let strips = try await bench.run(["balance", "in.ppm", "-o", "strips.ppm"] + options)
      let whole = try bench.runProcess(
        ["balance", "-", "-o", "whole.ppm"] + options, shell: "cat in.ppm | \"$@\"")
      strips.expect(0)
      whole.expect(0)
      #expect(try bytes("strips.ppm") == bytes("whole.ppm"))
      #expect(strips.errors == whole.errors)
      let piped = try bench.runProcess(
        ["balance", "in.ppm", "-o", "-"] + options, shell: "\"$@\" | cat > piped.ppm")
      piped.expect(0)
      #expect(try bytes("piped.ppm") == bytes("whole.ppm"))
    }
    if largest != 255, largest != 65_535 {
      var damaged = samples
      damaged[damaged.count - 2] = 255
      try write("bad.ppm", "P6\n\(width) \(height)\n\(largest)\n", damaged)
      try await bench.run("balance", "bad.ppm", "--gains", "1,1,1", "-o", "strips.ppm").expect(
        65, errors: "bad.ppm", "above the largest value \(largest)")
      #expect(try bytes("strips.ppm") == bytes("whole.ppm"))
    }
    try write("short.ppm", "P6\n\(width) \(height)\n\(largest)\n", samples.dropLast())
    try await bench.run("balance", "short.ppm", "--gains", "1,1,1", "-o", "x.ppm").expect(
      65, errors: "short.ppm", "is truncated")
    #expect(try bench.files().allSatisfy { !$0.hasPrefix(".") && $0 != "x.ppm" })
  }

  @Test func rawFramesInStrips() async throws {
    let (width, height) = (1202, 907)
    var random = SplitMix64(state: 9)
    let samples = (0..<width * height).flatMap { _ -> [UInt8] in
      let word = random.next()
      return [UInt8(word & 255), UInt8(word >> 8 & 3)]
    }
    try write("in.raw", "", samples)
    let options = ["--raw", "\(width)x\(height):RG10", "--black", "64", "--gains", "2,1,3"]
    try await bench.run(["balance", "in.raw", "-o", "strips.raw"] + options).expect(0)
    try bench.runProcess(
      ["balance", "-", "-o", "whole.raw"] + options, shell: "cat in.raw | \"$@\""
    ).expect(0)
    #expect(try bytes("strips.raw") == bytes("whole.raw"))
    #expect(try bytes("strips.raw") != bytes("in.raw"))
  }

  /// Exif data stay in every format unless they are not wanted, and a remark states what is
  /// damaged.
  @Test func metadata() async throws {
    let jpeg = try Data(contentsOf: fixture("rgb.jpg"))
    func write(_ name: String, fields: UInt8) throws {
      // The maker, and a field that is missing if there should be two.
      let entry: [UInt8] = [0x0F, 1, 2, 0, 5, 0, 0, 0, 26, 0, 0, 0]
      let exif: [UInt8] =
        [0x49, 0x49, 42, 0, 8, 0, 0, 0, fields, 0] + entry + [0, 0, 0, 0] + Array("Acme\0".utf8)
      let segment = [0xFF, 0xE1, 0, UInt8(8 + exif.count)] + Array("Exif\0\0".utf8) + exif
      try (jpeg.prefix(2) + segment + jpeg.dropFirst(2)).write(
        to: bench.folder.appending(path: name))
    }
    try write("in.jpg", fields: 1)
    try write("bad.jpg", fields: 3)
    func isNamed(_ name: String) throws -> Bool {
      try bytes(name).range(of: Data("Acme\0".utf8)) != nil
    }
    let same = ["balance", "in.jpg", "--gains", "1,1,1"]
    let kept = try await bench.run(same + ["-o", "out.jpg"])
    kept.expect(0)
    #expect(try isNamed("out.jpg") && kept.errors.isEmpty, "\(kept.errors)")
    try await bench.run(same + ["-o", "none.jpg", "--no-metadata"]).expect(0)
    #expect(try !isNamed("none.jpg"))
    try await bench.run("balance", "bad.jpg", "--gains", "1,1,1", "-o", "out.jpg").expect(
      0, errors: "the damaged fields of its Exif data were left out")
    #expect(try isNamed("out.jpg"))
    let developed = [
      "balance", "in.jpg", "--profile", Workbench.dng, "--light", "5000K", "--any-camera", "--to",
      "srgb", "-o",
    ]
    for name in ["a.jpg", "a.png", "a.tif"] {
      try await bench.run(developed + [name]).expect(0)
      #expect(try isNamed(name), "\(name)")
      try await bench.run(developed + [name, "--no-metadata"]).expect(0)
      #expect(try !isNamed(name), "\(name)")
    }
    // A JPEG file states the color space, too.
    var reader = ImageFileReader()
    let path = bench.folder.appending(path: "a.jpg").path
    #expect(try reader.picture(path: path).iccProfile != nil)
  }

  @Test func theFormatStays() async throws {
    let png = fixture("rgba16.png").path
    try await bench.run("balance", png, "--gains", "1,1,1", "-o", "out.tif").expect(
      64, errors: "is a PNG file", "out.tif", ".png")
    try await bench.run("balance", png, "--gains", "1,1,1", "-o", "out.webp").expect(
      64, errors: ".png")
    #expect(try bench.files() == [])
    for name in ["out", "out.PNG"] {
      try await bench.run("balance", png, "--gains", "1,1,1", "-o", name).expect(0)
      // The bit depth and color type, after the signature, length, name and size.
      #expect(try bytes(name)[24..<26] == Data([16, 6]))
    }
    try bench.runProcess(
      "balance", png, "--gains", "1,1,1", "-o", "-", shell: "\"$@\" > piped.png"
    ).expect(0)
    #expect(try bytes("piped.png") == bytes("out"))
  }

  @Test func nothingIsWrittenOverAnInput() async throws {
    try bench.writeCard("card.ppm", 100, 128, 64)
    try bench.writeCard("in.ppm", 100, 128, 64)
    let before = try bytes("card.ppm")
    try await bench.run("balance", "card.ppm", "-o", "card.ppm").expect(
      64, errors: "is also an input")
    try await bench.run("balance", "in.ppm", "--like", "card.ppm", "-o", "card.ppm").expect(
      64, errors: "is also an input")
    #expect(try bytes("card.ppm") == before)
  }

  @Test func whatCannotBeDone() async throws {
    try bench.writeCard("card.ppm", 100, 128, 64)
    try bench.writeCard("clipped.ppm", 100, 255, 64)
    try await bench.run("balance", Workbench.dng, "-o", "out.dng").expect(
      65, errors: "colorchart.dng is a raw photograph", "develop it", "wbcal estimate")
    try await bench.run("balance", "missing.png", "-o", "out.png").expect(66, errors: "missing.png")
    try await bench.run("balance", "clipped.ppm", "-o", "out.ppm").expect(
      65, errors: "clipped.ppm: the card is clipped", "Lower the exposure")
    try await bench.run("balance", "card.ppm", "--region", "60,0,10,10", "-o", "out.ppm").expect(
      65, errors: "card.ppm: the region 60,0,10,10 is not inside")
    for gains in ["1,2", "0,1,1", "1,-1,1", "nan,1,1", "inf,1,1", "a,b,c"] {
      try await bench.run("balance", "card.ppm", "--gains=\(gains)", "-o", "out.ppm").expect(
        64, errors: "write gains as R,G,B")
    }
    try await bench.run(
      "balance", "card.ppm", "--gains", "1,1,1", "--like", "clipped.ppm", "-o", "o.ppm"
    )
    .expect(64, errors: "--gains and --like")
    try await bench.run("balance", "card.ppm", "--json", "-o", "-").expect(
      64, errors: "standard output")
    try await bench.run("balance", "card.ppm").expect(64, errors: "--output")
    // No given option is ignored silently.
    try await bench.run(
      "balance", "card.ppm", "--gains", "1,1,1", "--region", "0,0,9,9", "-o", "x.ppm"
    )
    .expect(64, errors: "--gains cannot be combined")
    try await bench.run("estimate", "card.ppm", "--encoding", "bt709:full")
      .expect(64, errors: "card.ppm has no luma and chroma")
    try await bench.run("black-level", "card.ppm", "--black", "3")
      .expect(64, errors: "Unknown option '--black'")
    try await bench.run("calibrate", "--shots", "s.csv", "--change-light", "true", "-o", "p.json")
      .expect(64, errors: "--change-light")
    #expect(try bench.files() == ["card.ppm", "clipped.ppm"])
  }

  @Test func fullDisk() async throws {
    try bench.writeCard("card.ppm", 100, 128, 64)
    try await bench.run("balance", "card.ppm", "-o", "/dev/full").expect(
      74, errors: "/dev/full", "No space left on device", "Nothing was saved")
    try bench.runProcess("balance", "card.ppm", "-o", "-", shell: "\"$@\" > /dev/full").expect(
      74, errors: "No space left on device")
    try await bench.run("balance", "card.ppm", "-o", "no/such/folder.ppm").expect(
      74, errors: "no/such")
  }

  /// A chart under daylight in the picture of a measured camera, developed with the profile of this
  /// shot: as accurate as a matrix allows. Before developing, it is not.
  @Test func aPictureInSRGB() async throws {
    let light = StandardIlluminant.d65.spectrum
    let seen = MeasuredSensor.all[8].responses(to: .classicFrom2014, under: light).map(\.vector)
    let brightest = seen.map { $0.max() }.max() ?? 1
    try bench.drawChart(seen.map { 0.95 / brightest * $0 }, to: "chart.ppm")
    try await bench.run("calibrate", "--chart", "chart.ppm@D65", "-o", "camera.json").expect(0)
    let camera = ["--profile", "camera.json", "--light", "D65"]
    try await bench.run("verify", "--chart", "chart.ppm").expect(65)
    for name in ["chart.png", "chart.tiff", "chart.jpg", "out.ppm"] {
      try await bench.run(["balance", "chart.ppm", "--to", "srgb", "-o", name] + camera).expect(0)
      try await bench.run("verify", "--chart", name, "--limit", "1.7").expect(0)
    }
  }

  /// A raw photograph becomes half as wide and high.
  @Test func aRawPhotographInSRGB() throws {
    let camera = ["--profile", Workbench.dng, "--light", "5000K"]
    let outcome = try bench.runProcess(
      ["balance", Workbench.dng, "--to", "srgb", "-o", "-"] + camera,
      shell: "\"$@\" >shot.png")
    outcome.expect(0)
    let picture = try Picture(
      path: "shot.png", format: .png, bytes: [UInt8](try bytes("shot.png")))
    let raw = try Picture(
      path: Workbench.dng, format: .raw,
      bytes: [UInt8](try Data(contentsOf: URL(filePath: Workbench.dng))))
    let (size, whole) = (picture.frame.layout, raw.frame.layout)
    #expect((size.width, size.height) == (whole.width / 2, whole.height / 2))
    #expect(size.format == .rgb16 && size.transfer == .sRGB)
  }

  @Test func wrongDevelopment() async throws {
    try bench.writeCard("card.ppm", 100, 128, 64)
    let srgb = ["--to", "srgb", "-o", "out.png"]
    try await bench.run(["balance", "card.ppm"] + srgb).expect(
      64, errors: "--to srgb requires --profile")
    try await bench.run(["balance", "card.ppm", "--profile", "x.json"] + srgb).expect(64)
    let tuning = ["--profile", "libcamera:imx219", "--light", "D65", "--any-camera"]
    try bench.write(
      "grays.json", #"{"rpi.awb": {"ct_curve": [2500, 0.9, 0.4, 8000, 0.4, 0.8]}}"#)
    try await bench.run(
      ["balance", "card.ppm"] + srgb + [
        "--profile", "grays.json", "--light", "D65", "--any-camera",
      ]
    ).expect(65, errors: "has no colors")
    // It has gains, however.
    try await bench.run(["balance", "card.ppm", "-o", "out.ppm"] + tuning).expect(0)
    try await bench.run(
      ["balance", "card.ppm", "-o", "out.ppm"] + tuning + ["--gains", "1,1,1"]
    ).expect(64, errors: "--light and --gains cannot be combined")
    try await bench.run(
      ["balance", "card.ppm", "-o", "out.dng", "--to", "srgb"] + tuning
    ).expect(64, errors: "end it in .png")
  }
}
