import Foundation
import Testing
import WbcalImageFiles
import WhiteBalance

struct EstimateTests {
  private let bench: Workbench

  init() throws { bench = try Workbench() }

  private func object(_ text: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  /// The gray patches of a real photograph; the expected values are independent of this program.
  @Test(arguments: [("796,908,36,36", 1.469, 2.264), ("904,906,36,36", 1.484, 2.237)])
  func theRealPhotograph(region: String, red: Double, blue: Double) async throws {
    let outcome = try await bench.run("estimate", Workbench.dng, "--region", region, "--json")
    outcome.expect(0)
    let gains = try #require(try object(outcome.output)["gains"] as? [String: Double])
    #expect(gains["green"] == 1)
    #expect(abs(try #require(gains["red"]) / red - 1) < 0.005)
    #expect(abs(try #require(gains["blue"]) / blue - 1) < 0.005)
  }

  @Test func everyFieldOfTheContract() async throws {
    try bench.writeCard("card.ppm", 100, 128, 64)
    try await bench.makeProfile()
    let outcome = try await bench.run("estimate", "card.ppm", "--json", "--profile", "desk.json")
    outcome.expect(0)
    let record = try object(outcome.output)
    #expect(record["file"] as? String == "card.ppm")
    #expect(record["accepted"] as? Bool == true)
    #expect((record["reasons"] as? [String])?.isEmpty == true)
    // (100/255 + 0.055)/1.055, to the power of 2.4.
    #expect(abs(try #require(record["rgb"] as? [Double])[0] - 0.1274376804) < 1e-6)
    let pixels = try #require(record["pixels"] as? [String: Int])
    #expect(pixels == ["total": 768, "used": 768, "clipped": 0, "dark": 0])
    #expect(record["nonuniformity"] as? Double == 0)
    #expect((record["standardError"] as? [String: Double])?.keys.sorted() == ["blue", "red"])
    #expect((record["chromaticity"] as? [String: Double])?.keys.sorted() == ["x", "y"])
    #expect(record["temperature"] is Double)
    #expect(record["tint"] is Double)
  }

  @Test func aFileThatFailsDoesNotHideTheOthers() async throws {
    try bench.writeCard("a.ppm", 100, 128, 64)
    try bench.writeCard("b.ppm", 100, 255, 64)
    try bench.writeCard("c.ppm", 64, 128, 100)
    let outcome = try await bench.run(
      "estimate", "a.ppm", "b.ppm", "missing.ppm", "c.ppm", "--json")
    // The first failure decides.
    outcome.expect(65, errors: "missing.ppm", "b.ppm: the card is clipped: 100.0 % of its green")
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.count == 4)
    #expect(try object(String(lines[1]))["accepted"] as? Bool == false)
    #expect(try object(String(lines[2]))["file"] as? String == "missing.ppm")
    #expect(try object(String(lines[3]))["file"] as? String == "c.ppm")
  }

  /// Small and large pictures alternate, so that the results do not finish in order.
  @Test func manyFilesInOrder() async throws {
    for index in 0..<24 { try bench.writeCard("\(index).ppm", 100, 128, UInt8(40 + index)) }
    for index in stride(from: 0, to: 24, by: 3) {
      try Data(contentsOf: URL(filePath: Workbench.dng))
        .write(to: bench.folder.appending(path: "\(index).dng"))
    }
    try bench.write("23.ppm", "P6")
    let names = (0..<24).map { "\($0).\($0 % 3 == 0 ? "dng" : "ppm")" }
    let options = ["--json", "--region", "0,0,48,48"]
    let named = try await bench.run(["estimate"] + names + options)
    let read = try await bench.run(
      ["estimate", "-"] + options, input: names.joined(separator: "\n"))
    for outcome in [named, read] {
      outcome.expect(65, errors: "23.ppm")
      let files = try outcome.output.split(separator: "\n").map {
        try object(String($0))["file"] as? String
      }
      #expect(files == names)
    }
    #expect(named.output == read.output)
  }

  @Test func rowsComeWhileMoreInputIsAwaited() throws {
    try bench.writeCard("a.ppm", 100, 128, 64)
    let script = """
      coproc "$@"; exec {names}>&${COPROC[1]}-
      for name in a.ppm missing.ppm a.ppm; do echo $name >&$names; done
      for row in 1 2; do read -t 60 line <&${COPROC[0]} && echo "$line"; done
      tool=$COPROC_PID; exec {names}>&-; wait $tool
      """
    let outcome = try bench.runProcess("estimate", "-", shell: script)
    outcome.expect(66, errors: "missing.ppm")
    #expect(outcome.output.split(separator: "\n").count == 2)
  }

  @Test func badPictures() async throws {
    let png = try Data(
      contentsOf: Workbench.repository.appending(
        path: "Tests/WbcalImageFilesTests/Fixtures/rgb8.png"))
    try bench.write("empty.png", "")
    try png.dropLast(40).write(to: bench.folder.appending(path: "cut.png"))
    try png.write(to: bench.folder.appending(path: "card.tif"))
    try bench.write("text.png", "this is no picture at all, whatever its name may say")
    try bench.write("gray.pgm", "P5 2 2 255\nabcd")
    try await bench.run("estimate", "missing.png").expect(66, errors: "missing.png")
    try await bench.run("estimate", ".").expect(66)
    try await bench.run("estimate", "empty.png").expect(65, errors: "empty.png", "empty")
    try await bench.run("estimate", "cut.png").expect(65, errors: "cut.png", "PNG")
    try await bench.run("estimate", "card.tif").expect(65, errors: "card.tif", "PNG")
    try await bench.run("estimate", "text.png").expect(65, errors: "text.png")
    try await bench.run("estimate", "gray.pgm").expect(65, errors: "gray.pgm", "color")
  }

  @Test func badRegionsAndLevels() async throws {
    try bench.writeCard("card.ppm", 100, 128, 64)
    try await bench.run("estimate", "card.ppm", "--region", "60,40,10,10").expect(
      65, errors: "card.ppm: the region 60,40,10,10 is not inside the 64×48 picture")
    try await bench.run("estimate", "card.ppm", "--region", "-1,0,10,10").expect(
      65, errors: "-1,0,10,10")
    try await bench.run("estimate", "/dev/zero").expect(65, errors: "/dev/zero")
    try await bench.run("verify", "card.ppm", "missing.ppm", "--gains", "1e150,1,1e-150").expect(
      65, errors: "no measurable color", "missing.ppm")
    for region in ["1,2,3", "a,b,c,d", "x,0,0,9,9", "0,0,0,5", "center:0", "center:2", "center:x"] {
      try await bench.run("estimate", "card.ppm", "--region", region).expect(64, errors: "egion")
    }
    try await bench.run("estimate", "card.ppm", "--black", "300").expect(65, errors: "white level")
    try await bench.run("estimate", "card.ppm", "--transfer", "gamma:0").expect(
      64, errors: "gamma:G")
    try await bench.run("estimate").expect(64, errors: "--device")
  }

  @Test func blackAndClippedCards() async throws {
    try bench.writeCard("black.ppm", 1, 1, 1)
    try bench.writeCard("clipped.ppm", 100, 255, 64)
    try await bench.run("estimate", "black.ppm").expect(
      65, errors: "too dark", "Raise the exposure")
    try await bench.run("estimate", "clipped.ppm").expect(
      65, errors: "the card is clipped: 100.0 % of its green pixels are at the white level",
      "Lower the exposure or move the lamp away")
  }

  @Test func rawFramesWithoutAHeader() async throws {
    // 32×32 pixels of 10 bits, RGGB: red 200, green 400, blue 100, black 0.
    var data = Data()
    for row in 0..<32 {
      for column in 0..<32 {
        let value: UInt16 =
          (row & 1, column & 1) == (0, 0) ? 200 : row & column & 1 == 1 ? 100 : 400
        data.append(contentsOf: [UInt8(value & 255), UInt8(value >> 8)])
      }
    }
    try data.write(to: bench.folder.appending(path: "frame.raw"))
    let outcome = try await bench.run("estimate", "frame.raw", "--raw", "32x32:RG10", "--json")
    outcome.expect(0)
    let gains = try #require(try object(outcome.output)["gains"] as? [String: Double])
    #expect(abs(try #require(gains["red"]) - 2) < 1e-6)
    #expect(abs(try #require(gains["blue"]) - 4) < 1e-6)
    for size in ["64x32", "24x32"] {
      try await bench.run("estimate", "frame.raw", "--raw", "\(size):RG10").expect(
        65, errors: "frame.raw has 2048 bytes", "check --raw")
    }
    try await bench.run("estimate", "frame.raw", "--raw", "32x32:NOPE").expect(
      64, errors: "NOPE", "RG10")
    try await bench.run("estimate", "frame.raw", "--raw", "32:RG10").expect(
      64, errors: "WxH:FORMAT")
  }

  /// A 10-bit sensor whose samples end at 1020: an option that states this makes the card clipped.
  @Test func aSensorThatSaturatesBelowWhite() async throws {
    let data = Data((0..<64 * 64).flatMap { _ in [UInt8(1020 & 255), UInt8(1020 >> 8)] })
    try data.write(to: bench.folder.appending(path: "full.raw"))
    try await bench.run("estimate", "full.raw", "--raw", "64x64:RG10").expect(
      65, errors: "the card is saturated", "pile up at 1020", "Lower the exposure", "--white 1020")
    try await bench.run("estimate", "full.raw", "--raw", "64x64:RG10", "--white", "1020").expect(
      65, errors: "the card is clipped")
  }

  @Test func aProposedCard() async throws {
    try bench.writeScene("scene.ppm")
    let outcome = try await bench.run("find", "card", "scene.ppm", "-o", "where.png")
    outcome.expect(0, errors: "proposal", "check the region")
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines[0].hasPrefix("scene.ppm: proposed --region "))
    #expect(lines[1].hasPrefix("scene.ppm: if that is the card: red "))
    let region = try #require(lines[0].split(separator: " ").dropFirst(3).first)
    let sides = region.split(separator: ",").compactMap { Int($0) }
    #expect(sides[0] >= 40 && sides[1] >= 20)
    #expect(sides[0] + sides[2] <= 100 && sides[1] + sides[3] <= 60)
    #expect(sides[2] * sides[3] > 1800)
    let named = try await bench.run("estimate", "scene.ppm", "--region", String(region))
    #expect(
      lines[1].dropFirst("scene.ppm: if that is the card: ".count)
        == named.output.dropFirst("scene.ppm: ".count).dropLast())
    // The preview is a picture, and the card in it is gray.
    var reader = ImageFileReader()
    let seen = try reader.picture(path: bench.folder.appending(path: "where.png").path).frame
    let card = PixelRectangle(x: sides[0] + 4, y: sides[1] + 4, width: 30, height: 20)
    let gains = try GrayCardEstimator(region: .rectangle(card)).estimate(seen).accepted().gains
    for gain in [gains.red, gains.green, gains.blue] { #expect(abs(gain - 1) < 0.02) }
    let record = try object(
      try await bench.run("find", "card", "scene.ppm", "--json").output)
    #expect(record["region"] as? String == String(region))
    #expect(record["proposal"] as? Bool == true)
    #expect((record["estimate"] as? [String: Any])?["accepted"] as? Bool == true)
  }

  /// A card of a fiftieth of the picture is found by its size, next to a larger surface.
  @Test func aSmallCard() async throws {
    var data = Data("P6 400 300 255\n".utf8)
    for row in 0..<300 {
      for column in 0..<400 {
        let isCard = (300..<350).contains(column) && (40..<80).contains(row)
        let isTable = (20..<220).contains(column) && (100..<280).contains(row)
        let rough = UInt8((column / 5 * 7 + row / 5 * 5) % 3 * 40)
        data.append(
          contentsOf: isCard ? [140, 128, 110] : isTable ? [150, 150, 150] : [30 + rough, 90, 30])
      }
    }
    try data.write(to: bench.folder.appending(path: "small.ppm"))
    func region(_ arguments: String...) async throws -> [Int] {
      let outcome = try await bench.run(
        ["find", "card", "small.ppm", "--json"] + arguments)
      outcome.expect(0)
      return try #require(try object(outcome.output)["region"] as? String).split(separator: ",")
        .compactMap { Int($0) }
    }
    #expect(try await region()[2] > 150)
    for width in ["40", "50", "65"] {
      let found = try await region("--card-size", width)
      #expect(found[0] >= 300 && found[0] + found[2] <= 350 && found[2] > 30, "\(found)")
      #expect(found[1] >= 40 && found[1] + found[3] <= 80 && found[3] > 20, "\(found)")
    }
    try await bench.run("find", "card", "small.ppm", "--card-size", "10").expect(
      65, errors: "--region")
    try await bench.run("find", "card", "small.ppm", "--card-size", "0").expect(64)
  }

  /// A picture that viewers rotate: the preview does not, and a message says so.
  @Test func aTurnedPicture() async throws {
    try bench.writeScene("scene.ppm")
    try await bench.run("find", "card", "scene.ppm", "-o", "plain.jpg").expect(
      0, errors: "pixels of scene.ppm as it is stored.")
    // Exif data with an orientation of 6, after the marker at the start of the file.
    let exif =
      [UInt8]("Exif\0\0MM\0*".utf8) + [0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0]
      + [0, 0, 0, 0]
    var file = try Data(contentsOf: bench.folder.appending(path: "plain.jpg"))
    file.insert(contentsOf: [0xFF, 0xE1, 0, UInt8(exif.count + 2)] + exif, at: 2)
    try file.write(to: bench.folder.appending(path: "turned.jpg"))
    try await bench.run(
      "find", "card", "turned.jpg", "--card-size", "60", "-o", "where.png"
    ).expect(0, errors: "turned.jpg as it is stored; other programs rotate it")
  }

  /// The card of the simulated camera lies in the middle.
  @Test func cardOfACamera() async throws {
    let bench = try Workbench()
    let camera = ["--device", "simulated:size=320x240,light=A"]
    try await bench.run("set", "--mode", "locked", "--device", "simulated:light=A").expect(0)
    let proposed = try await bench.run(["find", "card", "-o", "where.png"] + camera)
    proposed.expect(0, errors: "where.png are pixels of the camera's picture")
    let region = try #require(proposed.output.firstMatch(of: /region (\d+),(\d+),(\d+),(\d+)/))
    let numbers = try [region.1, region.2, region.3, region.4].map { try #require(Int($0)) }
    let (x, y, width, height) = (numbers[0], numbers[1], numbers[2], numbers[3])
    #expect(abs(2 * x + width - 320) <= 16 && abs(2 * y + height - 240) <= 16)
    #expect(width > 100 && height > 80)
    #expect(try bench.files().contains("where.png"))
    // The estimate from the middle of the picture.
    let seen = try await bench.run(["estimate"] + camera)
    seen.expect(0)
    let gains = /red [\d.]+ green [\d.]+ blue [\d.]+/
    func printed(_ text: String) throws -> [Double] {
      try #require(text.firstMatch(of: gains)).0.split(separator: " ").compactMap { Double($0) }
    }
    for (a, b) in zip(try printed(proposed.output), try printed(seen.output)) {
      #expect(abs(a - b) <= 0.003 * b)
    }
    try await bench.run(["find", "card", "--device", "simulated:vanish=1"]).expect(
      69, errors: "went away")
    try await bench.run(["find", "card", "card.ppm"] + camera).expect(64)
  }

  @Test func noCardToPropose() async throws {
    // The neutral patches of the color chart are far too small, and the background is no card.
    for name in ["where.png", "where.JPG"] {
      try await bench.run("find", "card", Workbench.dng, "-o", name).expect(
        65, errors: "is large enough for a card", "--region", "--card-size",
        "\(name) are pixels of", "as it is stored")
      // The preview is still written, so that a user can look for the card, in the format of its
      // name.
      var reader = ImageFileReader()
      let seen = try reader.picture(path: bench.folder.appending(path: name).path).frame
      #expect(seen.layout.width > 400)
      try await bench.run("estimate", name, "--method", "gray-world").expect(
        65, errors: "is a preview")
    }
    for name in ["where.tif", "where.dng"] {
      try await bench.run("find", "card", Workbench.dng, "-o", name).expect(
        64, errors: "ends in .png or .jpg")
    }
    #expect(try bench.files().sorted() == ["where.JPG", "where.png"])
    try bench.writeScene("scene.ppm")
    try await bench.run("find", "card", "scene.ppm", "scene.ppm").expect(
      64, errors: "Unexpected argument")
    try await bench.run("find", "card").expect(64, errors: "name a picture")
    try await bench.run("find", "card", "scene.ppm", "--region", "1,2,3,4").expect(
      64, errors: "Unknown option '--region'")
    try await bench.run("find", "card", "scene.ppm", "-o", "scene.ppm").expect(
      64, errors: "scene.ppm is also an input")
    try await bench.makeProfile()
    try await bench.run(
      "find", "card", "scene.ppm", "--profile", "desk.json", "-o", "desk.json"
    ).expect(64, errors: "desk.json is also an input")
  }
}
