import ColorScience
import Foundation
import Testing
import WbcalImageFiles
import WhiteBalance

/// The properties of samples in DNG files made here are applied or rejected with an explanation.
struct RawSamplesTests {
  private static let (width, height) = (32, 24)
  private typealias Tag = (tag: Int, type: Int, count: Int, value: [UInt8])

  private static func short(_ tag: Int, _ values: Int...) -> Tag {
    (tag, 3, values.count, values.flatMap { littleEndian(UInt16($0)) })
  }

  private static func long(_ tag: Int, _ values: Int...) -> Tag {
    (tag, 4, values.count, values.flatMap(littleEndian32))
  }

  private static func text(_ tag: Int, _ text: String) -> Tag {
    (tag, 2, text.utf8.count + 1, Array(text.utf8) + [0])
  }

  /// Returns a raw photograph of one color with these codes of red, green and blue.
  private static func dng(
    _ codes: [UInt16] = [2000, 5000, 3000], samples: Int = 1, tags: [Tag] = [],
    more: (_ x: Int, _ y: Int) -> UInt16 = { _, _ in 0 }
  ) -> Data {
    var pixels: [UInt8] = []
    for y in 0..<height {
      for x in 0..<width {
        pixels +=
          samples == 1
          ? littleEndian(codes[y % 2 + x % 2] + more(x, y))
          : codes.flatMap { littleEndian($0 + more(x, y)) }
      }
    }
    let matrix = [1, 0, 0, 0, 1, 0, 0, 0, 1].flatMap { littleEndian32($0) + littleEndian32(1) }
    var own: [Tag] = [
      text(271, "Nobody"), text(272, "Synthetic"), (50706, 1, 4, [1, 4, 0, 0]),
      text(50708, "Nobody Synthetic"), text(50735, "SN 1"), (50721, 10, 9, matrix),
      long(50714, 100), long(50717, 15_000), short(262, samples == 1 ? 32803 : 34892),
    ]
    if samples == 1 { own += [short(33421, 2, 2), (33422, 1, 4, [0, 1, 1, 2])] }
    own.removeAll { entry in tags.contains { $0.tag == entry.tag } }
    return tiff(
      width: width, height: height, samples: samples, bits: 16, pixels: pixels, tags: own + tags)
  }

  /// Returns the means of red, green and blue above black, as fractions of white.
  private func light(_ file: Data, as name: String = "x.dng") throws -> [Double] {
    let frame = try read(file, as: name)
    let statistics = try FrameStatistics(frame.bytes.span, layout: frame.layout)
    let mean = statistics.mean
    return [mean.red, mean.green, mean.blue]
  }

  private func expect(_ light: [Double], _ expected: [Double], within error: Double = 1e-4) {
    for (value, truth) in zip(light, expected) {
      #expect(abs(value - truth) <= error, "\(light) \(expected)")
    }
  }

  @Test func asTheyAre() throws {
    expect(try light(Self.dng()), [1900 / 14_900.0, 4900 / 14_900.0, 2900 / 14_900.0])
  }

  @Test func everyPixelHasAllColors() throws {
    let file = Self.dng(samples: 3)
    #expect(try read(file, as: "x.dng").layout.format == .rgb16)
    expect(try light(file), [1900 / 14_900.0, 4900 / 14_900.0, 2900 / 14_900.0])
    // Each color is scaled between its own levels.
    let levels = [Self.long(50714, 100, 200, 300), Self.long(50717, 15_000, 14_000, 13_000)]
    expect(
      try light(Self.dng(samples: 3, tags: levels)),
      [1900 / 14_900.0, 4800 / 13_800.0, 2700 / 12_700.0])
  }

  /// A black level with a half code is kept.
  @Test func fractionOfABlackLevel() throws {
    let tag: Tag = (50714, 5, 1, littleEndian32(201) + littleEndian32(2))
    #expect(try read(Self.dng(tags: [tag]), as: "x.dng").layout.blackLevel == 100.5)
  }

  @Test func linearizationTable() throws {
    let halved: Tag = (50712, 3, 20_000, (0..<20_000).flatMap { littleEndian(UInt16($0 / 2)) })
    expect(
      try light(Self.dng(tags: [halved, Self.long(50717, 7500), Self.long(50714, 50)])),
      [950 / 7450.0, 2450 / 7450.0, 1450 / 7450.0])
  }

  private static func gainMap(
    top: Int, left: Int, pitch: Int, planes: Range<Int> = 0..<1, rows: Int = 1,
    _ gains: [Float], code: UInt32 = 9
  ) -> [UInt8] {
    func number(_ value: Int) -> [UInt8] { bigEndian(UInt32(value)) }
    func double(_ value: Double) -> [UInt8] {
      bigEndian(UInt32(value.bitPattern >> 32)) + bigEndian(UInt32(value.bitPattern & 0xFFFF_FFFF))
    }
    let area = [top, left, height, width, planes.lowerBound, planes.count, pitch, pitch]
    let points = [rows, gains.count / rows]
    let content =
      (area + points).flatMap(number) + points.flatMap { double(1 / Double(max($0 - 1, 1))) }
      + double(0) + double(0)
      + number(1) + gains.flatMap { bigEndian($0.bitPattern) }
    return bigEndian(code) + [1, 3, 0, 0] + number(0) + number(content.count) + content
  }

  private static func list(_ tag: Int, _ opcodes: [UInt8]...) -> Tag {
    let bytes = bigEndian(UInt32(opcodes.count)) + opcodes.flatMap { $0 }
    return (tag, 7, bytes.count, bytes)
  }

  /// Red is multiplied by 1.5, as telephones do to compensate for the shading of their lenses.
  @Test func gainMapOfAColor() throws {
    let red = Self.gainMap(top: 0, left: 0, pitch: 2, [1.5])
    let warp = bigEndian(1) + [1, 3, 0, 0] + bigEndian(0) + bigEndian(4) + bigEndian(0)
    expect(
      try light(Self.dng(tags: [Self.list(51009, warp, red)])),
      [1.5 * 1900 / 14_900.0, 4900 / 14_900.0, 2900 / 14_900.0])
    let second = Self.gainMap(top: 0, left: 0, pitch: 1, planes: 1..<2, [0.5])
    expect(
      try light(Self.dng(samples: 3, tags: [Self.list(51009, second)])),
      [1900 / 14_900.0, 0.5 * 4900 / 14_900.0, 2900 / 14_900.0])
  }

  /// The gain is 1 at the left edge and 2 at the right; the center of the first pixel is 1/64
  /// inside.
  @Test func gainMapOverThePicture() throws {
    let all = Self.gainMap(top: 0, left: 0, pitch: 1, [1, 2])
    let codes = [10_100, 10_100, 10_100] as [UInt16]
    let file = Self.dng(codes, tags: [Self.list(51009, all)])
    let samples = try read(file, as: "x.dng").samples
    // 10,000 times 1 + 1/64, and times 1 + 63/64.
    #expect(samples[0] == 10_256)
    #expect(samples[31] == 19_944)
    // Clipped samples stay clipped, although the gain is less than 1.
    let less = Self.gainMap(top: 0, left: 0, pitch: 1, [0.5])
    let bright = Self.dng([15_000, 5100, 5100], tags: [Self.list(51009, less)])
    let clipped = try read(bright, as: "x.dng")
    #expect(clipped.samples[0] == 15_000 && clipped.samples[1] == 2600)
  }

  /// Every pixel has the gain between the four points around it, in both directions.
  @Test func gainMapDownAndAcross() throws {
    let gains: [Float] = [1, 2, 3, 0.5, 2, 4, 8, 1, 1.5, 0.25, 5, 6]
    let map = Self.gainMap(top: 0, left: 0, pitch: 1, rows: 3, gains)
    let file = Self.dng([1100, 1100, 1100], tags: [Self.list(51009, map)])
    let samples = try read(file, as: "x.dng").samples
    for y in 0..<Self.height {
      let down = (Double(y) + 0.5) / Double(Self.height) * 2
      for x in 0..<Self.width {
        let right = (Double(x) + 0.5) / Double(Self.width) * 3
        var gain = 0.0
        for row in 0..<3 {
          for column in 0..<4 {
            let shares = (1 - abs(down - Double(row)), 1 - abs(right - Double(column)))
            gain += max(shares.0, 0) * max(shares.1, 0) * Double(gains[row * 4 + column])
          }
        }
        #expect(abs(Double(samples[y * Self.width + x]) - (100 + 1000 * gain)) < 0.51)
      }
    }
  }

  /// Returns the opcode MapPolynomial, MapTable, or one with the same offset or gain for all rows
  /// or columns.
  private static func change(_ code: UInt32, planes: Range<Int> = 0..<1, _ values: [Double])
    -> [UInt8]
  {
    func double(_ value: Double) -> [UInt8] {
      bigEndian(UInt32(value.bitPattern >> 32)) + bigEndian(UInt32(value.bitPattern & 0xFFFF_FFFF))
    }
    let area = [0, 0, height, width, planes.lowerBound, planes.count, 1, 1]
    let numbers: [UInt8] =
      switch code {
      case 7: values.flatMap { Array(bigEndian(UInt32($0 * 65_535)).suffix(2)) }
      case 8: values.flatMap(double)
      default: values.flatMap { bigEndian(Float($0).bitPattern) }
      }
    let count = code == 8 ? values.count - 1 : values.count
    let content = (area + [count]).flatMap { bigEndian(UInt32($0)) } + numbers
    return bigEndian(code) + [1, 3, 0, 0] + bigEndian(0) + bigEndian(UInt32(content.count))
      + content
  }

  /// OpcodeList2 changes linear samples by the definitions of DNG; clipped samples stay clipped.
  @Test func changesOfLinearSamples() throws {
    let plain = [1900 / 14_900.0, 4900 / 14_900.0, 2900 / 14_900.0]
    let cases: [([UInt8], (Double) -> Double)] = [
      (Self.change(8, [0, 0.25, 0, 0.75]), { 0.25 * $0 + 0.75 * $0 * $0 * $0 }),
      (Self.change(7, (0...65_535).map { 0.5 * Double($0) / 65_535 }), { 0.5 * $0 }),
      (Self.change(10, Array(repeating: 0.01, count: Self.height)), { $0 + 0.01 }),
      (Self.change(11, Array(repeating: 0.02, count: Self.width)), { $0 + 0.02 }),
      (Self.change(12, Array(repeating: 1.2, count: Self.height)), { 1.2 * $0 }),
      (Self.change(13, Array(repeating: 0.8, count: Self.width)), { 0.8 * $0 }),
    ]
    for (opcode, function) in cases {
      expect(try light(Self.dng(tags: [Self.list(51009, opcode)])), plain.map(function))
    }
    let green = Self.list(51009, Self.change(8, planes: 1..<2, [0, 0, 1]))
    expect(
      try light(Self.dng(samples: 3, tags: [green])), [plain[0], plain[1] * plain[1], plain[2]])
    // The opcodes are applied in their order: a gain, then a square.
    let both = Self.list(
      51009, Self.gainMap(top: 0, left: 0, pitch: 1, [1.5]), Self.change(8, [0, 0, 1]))
    expect(try light(Self.dng(tags: [both])), plain.map { 2.25 * $0 * $0 })
    let bright = try read(
      Self.dng([15_000, 5000, 5000], tags: [Self.list(51009, Self.change(8, [0, 0.5]))]),
      as: "x.dng")
    #expect(Double(bright.samples[0]) >= bright.layout.whiteLevel)
    #expect(Double(bright.samples[1]) < bright.layout.whiteLevel)
  }

  /// The samples are lossy JPEG, as in Lightroom's smart previews, with polynomials or without.
  @Test func lossyJPEG() throws {
    let (width, height) = (64, 48)
    let codes = [120, 200, 80]
    let layout = try FrameLayout(
      width: width, height: height, format: .rgb16, transfer: .linear)
    let pixels = (0..<width * height).flatMap { _ in
      codes.flatMap { littleEndian(UInt16($0 * 257)) }
    }
    let jpeg = try PictureWriter.encode(
      Frame(layout: layout, bytes: pixels), as: .jpeg, path: "x.jpg", isSRGB: true, iccProfile: nil)
    let shares = try readPicture(Data(jpeg), as: "x.jpg").frame.samples.prefix(3).map {
      Double($0) / 255
    }
    func file(_ tags: [Tag]) -> Data {
      let matrix = [1, 0, 0, 0, 1, 0, 0, 0, 1].flatMap { littleEndian32($0) + littleEndian32(1) }
      return tiff(
        width: width, height: height, samples: 3, bits: 8, pixels: jpeg,
        tags: [
          Self.short(259, 34892), Self.short(262, 34892), Self.text(271, "Nobody"),
          Self.text(272, "Synthetic"), (50706, 1, 4, [1, 4, 0, 0]), (50721, 10, 9, matrix),
          Self.text(50708, "Nobody Synthetic"),
        ] + tags)
    }
    expect(try light(file([])), shares)
    func change(_ plane: Int) -> [UInt8] {
      let opcode = Self.change(8, planes: plane..<plane + 1, [0, 0.25, 0, 0.75])
      // The area is that of this picture.
      return Array(opcode.prefix(24) + bigEndian(UInt32(height)) + bigEndian(UInt32(width)))
        + opcode.dropFirst(32)
    }
    let all = Self.list(51009, change(0), change(1), change(2))
    expect(try light(file([all])), shares.map { 0.25 * $0 + 0.75 * $0 * $0 * $0 }, within: 2e-4)
    // LibRaw would ignore these.
    for tags in [[Self.list(51009, change(0))], [Self.long(50714, 3)], [Self.long(50717, 200)]] {
      guard case .unsupported = problem({ try read(file(tags), as: "x.dng") }) else {
        Issue.record("\(tags[0].tag) is passed over")
        continue
      }
    }
  }

  /// Black that differs by column and row is subtracted from every sample.
  @Test func blackLevelDeltas() throws {
    func deltas(_ tag: Int, _ count: Int, _ value: (Int) -> Int) -> Tag {
      (tag, 10, count, (0..<count).flatMap { littleEndian32(value($0)) + littleEndian32(2) })
    }
    func column(_ x: Int) -> Int { 2 * (x * 7 % 5) }
    func row(_ y: Int) -> Int { 2 * (y * 3 % 4) }
    let tags = [deltas(50715, Self.width, column), deltas(50716, Self.height, row)]
    // This is the difference between white and the highest black, which is 100 + 4 + 3.
    let range = 14_893.0
    for samples in [1, 3] {
      let file = Self.dng(samples: samples, tags: tags) { UInt16((column($0) + row($1)) / 2) }
      expect(try light(file), [1900 / range, 4900 / range, 2900 / range])
    }
    let short = [deltas(50715, Self.width - 1, column)]
    #expect(
      problem { try read(Self.dng(tags: short), as: "x.dng") }
        == .corrupt(.raw, "its black levels do not fit its size or each other"))
  }

  private static let refused: [(String, [(tag: Int, type: Int, count: Int, value: [UInt8])])] = [
    ("compressed by deflate", [short(259, 8)]), ("compressed by JPEG XL", [short(259, 52546)]),
    ("signed numbers", [short(339, 2)]),
    ("floating-point numbers of 16 bits", [short(339, 3)]),
    ("staggered (CFALayout 6)", [short(50711, 6)]),
    ("RowInterleaveFactor", [long(50975, 2)]), ("ColumnInterleaveFactor", [long(52547, 2)]),
    ("SubTileBlockSize", [short(50974, 2, 2)]),
    ("gains before linearization", [list(51008, gainMap(top: 0, left: 0, pitch: 1, [1]))]),
    ("a polynomial (OpcodeList1)", [list(51008, gainMap(top: 0, left: 0, pitch: 1, [1], code: 8))]),
    ("an unknown opcode", [list(51009, gainMap(top: 0, left: 0, pitch: 1, [1], code: 99))]),
  ]

  /// All properties that LibRaw would ignore are rejected.
  @Test(arguments: refused)
  func refusedByName(words: String, tags: [(tag: Int, type: Int, count: Int, value: [UInt8])]) {
    let problem = problem { try read(Self.dng(tags: tags), as: "x.dng") }
    guard case .unsupported(.raw, let reason) = problem else {
      Issue.record("\(words): \(String(describing: problem))")
      return
    }
    #expect(reason.contains(words), "\(reason)")
  }

  @Test func monochrome() {
    #expect(
      problem { try read(Self.dng(tags: [Self.short(262, 34892)]), as: "x.dng") } == .noColor(.raw))
  }

  @Test func damagedOpcodes() {
    for length in [3, 20, 60] {
      let map = Self.gainMap(top: 0, left: 0, pitch: 2, [1.5]).prefix(length)
      #expect(
        problem { try read(Self.dng(tags: [Self.list(51009, Array(map))]), as: "x.dng") }
          == .corrupt(.raw, "its OpcodeList2 is damaged"))
    }
    var endless = Self.gainMap(top: 0, left: 0, pitch: 2, [1.5])
    endless.replaceSubrange(48..<56, with: [UInt8](repeating: 0xFF, count: 8))
    #expect(
      problem { try read(Self.dng(tags: [Self.list(51009, endless)]), as: "x.dng") }
        == .corrupt(.raw, "its OpcodeList2 is damaged"))
  }

  /// The camera's name is read from TIFF, from Exif data in JPEG and PNG, and with LibRaw.
  @Test func cameras() throws {
    let named = PictureOrigin(make: "Nobody", model: "Synthetic")
    var raw = try readPicture(Self.dng(), as: "x.dng").origin
    #expect(raw.encoding == .raw && raw.uniqueModel == "Nobody Synthetic" && raw.serial == "SN 1")
    raw = PictureOrigin(make: raw.make, model: raw.model)
    #expect(raw == named)
    let tags = [Self.text(271, "Nobody"), Self.text(272, "Synthetic  ")]
    let pixels = [UInt8](repeating: 9, count: 12)
    let plain = tiff(width: 2, height: 2, samples: 3, bits: 8, pixels: pixels, tags: tags)
    #expect(try readPicture(plain, as: "x.tif").origin == named)
    let exif = Array("Exif\0\0".utf8) + plain
    let jpeg = inserting(segment(0xE1, exif), at: 2, in: try contents("rgb.jpg"))
    #expect(try readPicture(jpeg, as: "x.jpg").origin == named)
    let png = inserting(chunk("eXIf", Array(plain)), at: 33, in: try contents("rgb8.png"))
    #expect(try readPicture(png, as: "x.png").origin == named)
    #expect(try readPicture(try contents("rgb8.png"), as: "x.png").origin == PictureOrigin())
    let fuji = try readPicture(raf { _, _, _ in 2000 }, as: "x.raf").origin
    #expect(fuji == PictureOrigin(make: "Fujifilm", model: "X-T9", encoding: .raw))
  }

  /// Returns a Fujifilm file of an X-Trans sensor with uncompressed samples.
  private func raf(_ code: (_ color: Int, _ x: Int, _ y: Int) -> UInt16) -> Data {
    let rows = ["GRGGBG", "BGBRGR", "GRGGBG", "GBGGRG", "RGRBGB", "GBGGRG"].map(Array.init)
    let colors: [Character: Int] = ["R": 0, "G": 1, "B": 2]
    let pattern = (0..<36).map { UInt8(colors[rows[$0 / 6][$0 % 6]]!) }
    let side = 48
    func field(_ tag: Int, _ value: [UInt8]) -> [UInt8] {
      bigEndian(UInt32(tag << 16 | value.count)) + value
    }
    let size: [UInt8] = [0, UInt8(side), 0, UInt8(side)]
    let fields = [
      field(0x100, size), field(0x110, [0, 0, 0, 0]), field(0x111, size), field(0x121, size),
      field(0x130, [12, 12, 12, 12]), field(0x131, pattern.reversed()),
    ]
    let header = bigEndian(UInt32(fields.count)) + fields.flatMap { $0 }
    func entry(_ tag: Int, _ type: Int, _ count: Int, _ value: Int) -> [UInt8] {
      littleEndian(UInt16(tag)) + littleEndian(UInt16(type)) + littleEndian32(count)
        + littleEndian32(value)
    }
    // A preview's Exif data name the camera.
    let exif =
      [0xFF, 0xD8, 0xFF, 0xE1, 0, 0x60] + Array("Exif\0\0II*\0".utf8) + littleEndian32(8)
      + littleEndian(2) + entry(271, 2, 9, 38) + entry(272, 2, 5, 48) + littleEndian32(0)
      + Array("FUJIFILM\0\0X-T9\0\0".utf8)
    let preview = exif + [UInt8](repeating: 0, count: (4 - exif.count % 4) % 4)
    var pixels: [UInt8] = []
    for y in 0..<side {
      for x in 0..<side { pixels += littleEndian(code(Int(pattern[y % 6 * 6 + x % 6]), x, y)) }
    }
    let data =
      Array("II*\0".utf8) + littleEndian32(8) + littleEndian(1) + entry(0xF000, 13, 1, 26)
      + littleEndian32(0) + littleEndian(6) + entry(0xF001, 4, 1, side) + entry(0xF002, 4, 1, side)
      + entry(0xF003, 4, 1, 16) + entry(0xF007, 4, 1, 104) + entry(0xF008, 4, 1, pixels.count)
      + entry(0xF00A, 4, 1, 1024) + littleEndian32(0) + pixels
    var head = Array("FUJIFILMCCD-RAW 0201FF000000X-T9".utf8)
    head += [UInt8](repeating: 0, count: 28) + Array("0100".utf8) + [UInt8](repeating: 0, count: 20)
    let places = [160, preview.count, 160 + preview.count, header.count]
    let start = (160 + preview.count + header.count + 3) / 4 * 4
    head += (places + [start, data.count]).flatMap { bigEndian(UInt32($0)) }
    head += [UInt8](repeating: 0, count: 160 - head.count)
    let front = head + preview + header
    return Data(front + [UInt8](repeating: 0, count: start - front.count) + data)
  }

  /// Each pixel has the means of the surrounding pixels, of which two are red, five green and two
  /// blue.
  @Test func xTrans() throws {
    let file = raf { color, x, _ in
      [2024, 6024, 4024][color] + UInt16(x < 6 && color == 0 ? 50 : 0)
    }
    let frame = try read(file, as: "x.raf")
    #expect(frame.layout.format == .rgb16)
    #expect((frame.layout.width, frame.layout.height) == (48, 48))
    #expect(frame.layout.blackLevel == 1024)
    #expect(Array(frame.samples.prefix(3)) == [2074, 6024, 4024])
    #expect(Array(frame.samples.suffix(3)) == [2024, 6024, 4024])
    // One clipped sample clips the mean.
    let white = UInt16(frame.layout.whiteLevel)
    let clipped = try read(raf { color, x, y in x == 1 && y == 0 ? white : 2000 }, as: "x.raf")
    #expect(Array(clipped.samples.prefix(3)) == [Int(white), 2000, 2000])
    #expect(clipped.samples[9] == 2000)
  }

  @Test func cutShort() {
    let file = raf { _, _, _ in 2000 }
    let problem = problem { try read(file.dropLast(1000), as: "x.raf") }
    guard case .truncated(.raw, _) = problem else {
      Issue.record("\(String(describing: problem))")
      return
    }
  }
}
