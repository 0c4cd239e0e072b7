import ColorScience
import Testing
import WhiteBalance
import WhiteBalanceTestSupport

/// A rendered gray card that needs gains of 1.25 and 2, with realistic disturbances.
private struct SpoiledCard {
  var width = 96
  var height = 64
  var format = PixelFormat.rgb8
  var transfer = TransferFunction.linear
  var black = 0.0
  /// The mean linear values of red, green and blue.
  var response = SIMD3(0.4, 0.5, 0.25)
  /// The relative brightness by column and row.
  var shade: (Int, Int) -> Double = { _, _ in 1 }
  /// The relative standard deviation of a pixel.
  var noise = 0.0
  var seed: UInt64 = 1
  /// Returns a linear value that replaces all channels of a pixel, or `nil`.
  var spoil: (Int, Int) -> Double? = { _, _ in nil }

  func frame(bytesPerRow: Int? = nil) throws -> Frame {
    let layout = try FrameLayout(
      width: width, height: height, bytesPerRow: bytesPerRow, format: format, blackLevel: black,
      transfer: transfer)
    var rendered = RenderedFrame(layout, seed: seed)
    rendered.render { x, y, random in
      if let value = spoil(x, y) { return SIMD3(repeating: value) }
      let deviation = SIMD3(random.normal(), random.normal(), random.normal())
      return response * shade(x, y) * (1 + noise * deviation)
    }
    return try rendered.frame
  }
}

struct GrayCardEstimatorTests {
  /// Clipped pixels are never part of a mean, however large the noise is.
  @Test func noiseUpToWhite() throws {
    var card = SpoiledCard()
    card.response = SIMD3(repeating: 247.0 / 255)
    func isClipped(_ x: Int, _ y: Int) -> Bool { (x * 7 + y * 13) % 128 == 3 }
    func code(_ x: Int, _ y: Int) -> Int { 243 + 4 * ((x + y) % 3) }
    card.spoil = { x, y in isClipped(x, y) ? 1 : Double(code(x, y)) / 255 }
    let estimate = try GrayCardEstimator(region: .center(1)).estimate(try card.frame())
    let places = (0..<96 * 64).map { (x: $0 % 96, y: $0 / 96) }
    let others = places.filter { !isClipped($0.x, $0.y) }
    #expect(estimate.pixels.clipped == places.count - others.count)
    #expect(estimate.pixels.used == others.count)
    let mean = Double(others.reduce(0) { $0 + code($1.x, $1.y) }) / Double(others.count)
    #expect(abs(estimate.response.green * 255 - mean) < 0.02)
  }

  /// The mean of a region of two surfaces is a fair mean; that of a clipped or a dark one is not.
  @Test func fairMeans() throws {
    func isFair(_ change: (inout SpoiledCard) -> Void) throws -> Bool {
      var card = SpoiledCard()
      change(&card)
      let estimate = try GrayCardEstimator(region: .center(1)).estimate(try card.frame())
      #expect(!estimate.isAccepted && estimate.gains != nil)
      return estimate.isUsableAsMean
    }
    #expect(try isFair { $0.spoil = { x, _ in x < 48 ? nil : 0.15 } })
    #expect(try !isFair { $0.spoil = { x, _ in x < 40 ? 1 : nil } })
    #expect(try !isFair { $0.spoil = { x, _ in x < 60 ? 0 : nil } })
  }

  private static let formats: [PixelFormat] =
    [.rgb8, .bgr8, .bgra8, .rgba8, .rgb16, .rgba16, .bgra16]
    + BayerPattern.allCases.flatMap { pattern in
      [8, 10, 12, 16].map { PixelFormat.bayer(pattern, bits: $0) }
    }

  private func expect(
    _ estimate: GrayCardEstimate, red: Double, blue: Double, within tolerance: Double,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    #expect(estimate.isAccepted, "\(estimate.refusals)", sourceLocation: sourceLocation)
    let gains = try #require(estimate.gains, sourceLocation: sourceLocation).relativeToGreen
    #expect(abs(gains.red / red - 1) <= tolerance, sourceLocation: sourceLocation)
    #expect(abs(gains.blue / blue - 1) <= tolerance, sourceLocation: sourceLocation)
  }

  /// Red 0.4, green 0.5, blue 0.25 needs gains of 1.25 and 2, in any order of the bytes.
  @Test(arguments: formats)
  func everyFormat(format: PixelFormat) throws {
    var card = SpoiledCard()
    card.format = format
    card.noise = 0.02
    let row = card.width * format.samplesPerPixel * format.bytesPerSample
    for stride in [row, row + 14] {
      let estimate = try GrayCardEstimator().estimate(try card.frame(bytesPerRow: stride))
      try expect(estimate, red: 1.25, blue: 2, within: 0.004)
      #expect(estimate.pixels.total == 48 * 32)
      #expect(abs(estimate.response.green - 0.5) < 0.003)
    }
  }

  @Test(arguments: [TransferFunction.linear, .sRGB, .bt709, .gamma(2.2)])
  func everyTransferFunction(transfer: TransferFunction) throws {
    var card = SpoiledCard()
    card.transfer = transfer
    card.noise = 0.02
    try expect(
      try GrayCardEstimator().estimate(try card.frame()), red: 1.25, blue: 2, within: 0.005)
  }

  @Test func theBlackLevelIsSubtracted() throws {
    var card = SpoiledCard()
    card.format = .bayer(.grbg, bits: 12)
    card.black = 256
    card.noise = 0.01
    var frame = try card.frame()
    try expect(try GrayCardEstimator().estimate(frame), red: 1.25, blue: 2, within: 0.002)
    frame.layout = try FrameLayout(width: card.width, height: card.height, format: card.format)
    let wrong = try #require(try GrayCardEstimator().estimate(frame).gains).relativeToGreen
    #expect(wrong.blue < 1.9)
  }

  /// An odd origin shifts the pattern of a color filter array.
  @Test func regionsOfABayerFrame() throws {
    var card = SpoiledCard()
    card.format = .bayer(.rggb, bits: 12)
    let frame = try card.frame()
    for (x, y) in [(0, 0), (1, 0), (0, 1), (1, 1), (13, 27)] {
      let region = PixelRectangle(x: x, y: y, width: 33, height: 31)
      try expect(
        try GrayCardEstimator(region: .rectangle(region)).estimate(frame), red: 1.25, blue: 2,
        within: 1e-3)
    }
  }

  @Test func dustHotPixelsAndAGradientDoNoHarm() throws {
    for seed in 1...5 as ClosedRange<UInt64> {
      var card = SpoiledCard()
      card.seed = seed
      card.format = .bayer(.rggb, bits: 12)
      (card.width, card.height) = (256, 192)
      card.noise = 0.03
      card.shade = { column, row in 0.9 + 0.1 * Double(column) / 256 }
      card.spoil = { column, row in
        let key = (column &* 7919 &+ row &* 104_729 &+ Int(seed)) % 1000
        // 1 % hot pixels just below clipping, and a dark hair.
        if key < 10 { return 4000.0 / 4095 }
        return abs(column - row - 40) < 2 ? 30.0 / 4095 : nil
      }
      let estimate = try GrayCardEstimator().estimate(try card.frame())
      try expect(estimate, red: 1.25, blue: 2, within: 0.006)
      #expect(estimate.pixels.used < estimate.pixels.total)
      #expect(estimate.nonuniformity > 0.02 && estimate.nonuniformity < 0.12)
    }
  }

  /// The stated error covers the actual error.
  @Test func theStandardErrorIsHonest() throws {
    var outside = 0
    for seed in 1...60 as ClosedRange<UInt64> {
      var card = SpoiledCard()
      card.seed = seed
      card.noise = 0.05
      let estimate = try GrayCardEstimator().estimate(try card.frame())
      let error = abs(try #require(estimate.gains).relativeToGreen.red / 1.25 - 1)
      #expect(estimate.standardError.red > 0.0005 && estimate.standardError.red < 0.005)
      if error > 2 * estimate.standardError.red { outside += 1 }
    }
    // 5 % are expected to be beyond two standard errors.
    #expect(outside <= 8)
  }

  @Test func aClippedCardIsRefused() throws {
    var card = SpoiledCard()
    card.response = SIMD3(0.5, 0.9, 0.4)
    card.shade = { column, _ in column < 48 ? 1.3 : 1 }
    let estimate = try GrayCardEstimator().estimate(try card.frame())
    #expect(estimate.refusals.first == .clipped(.green, share: 0.5))
    let text = try #require(estimate.refusals.first).description
    #expect(text == "the card is clipped: 50 % of its green pixels are at the white level")
    #expect(estimate.pixels.greenClipped == 48 * 32 / 2)
    #expect(estimate.pixels.redClipped == 0)
  }

  @Test func aBlackCardIsRefused() throws {
    var card = SpoiledCard()
    card.response = .zero
    let estimate = try GrayCardEstimator().estimate(try card.frame())
    #expect(estimate.gains == nil)
    #expect(estimate.refusals.contains(.dark(share: 1)))
    #expect(estimate.response == LinearRGB(.zero))
    #expect(
      "\(estimate.refusals[0])"
        == "the card is too dark: 100.0 % of its pixels are at the black level")
  }

  /// The right part of the region has red and blue exchanged.
  @Test(arguments: [40, 45, 48, 55, 60])
  func twoSurfacesAreRefused(edge: Int) throws {
    var card = SpoiledCard()
    card.format = .rgb16
    var frame = try card.frame()
    for row in 0..<card.height {
      for column in edge..<card.width {
        let start = (row * card.width + column) * 6
        for byte in 0..<2 { frame.bytes.swapAt(start + byte, start + 4 + byte) }
      }
    }
    let estimate = try GrayCardEstimator().estimate(frame)
    guard case .mixedColors(let variation)? = estimate.refusals.first else {
      Issue.record("\(estimate.refusals)")
      return
    }
    #expect(variation > 0.4)
  }

  /// With coarse codes and little noise, the stated error includes the effect of rounding on the
  /// mean.
  @Test(arguments: [0.0, 0.2, 0.3, 0.5, 1])
  func codesCoarserThanTheNoise(deviation: Double) throws {
    var random = SeededRandom(seed: 9)
    for step in 0..<20 {
      let codes = [118.45, 118 + Double(step) / 20, 90.3]
      var bytes: [UInt8] = []
      for _ in 0..<128 * 128 {
        for code in codes {
          bytes.append(UInt8((code + deviation * random.normal()).rounded()))
        }
      }
      let layout = try FrameLayout(width: 128, height: 128, format: .rgb8, transfer: .sRGB)
      let estimate = try GrayCardEstimator().estimate(try Frame(layout: layout, bytes: bytes))
      let light = codes.map { TransferFunction.sRGB.linear($0 / 255) }
      let gains = try #require(estimate.gains).relativeToGreen
      #expect(estimate.isAccepted)
      #expect(abs(gains.red / (light[1] / light[0]) - 1) <= 4 * estimate.standardError.red + 3e-4)
      #expect(abs(gains.blue / (light[1] / light[2]) - 1) <= 4 * estimate.standardError.blue + 3e-4)
      if deviation >= 0.5 { #expect(estimate.standardError.larger < 0.002) }
    }
  }

  /// The dark level is a linear value, whatever the code of black is.
  @Test(arguments: [PixelFormat.rgbFloat, .rgbHalf, .rgb16])
  func darkCountsFromBlack(format: PixelFormat) throws {
    let white = Double(format.maximumValue)
    let layout = try FrameLayout(
      width: 64, height: 64, format: format, blackLevel: white / 4, whiteLevel: white)
    for (light, isDark) in [(0.0015, true), (0.0025, false)] {
      var frame = RenderedFrame(layout, seed: 1)
      frame.render { _, _, _ in SIMD3(repeating: light) }
      let pixels = try GrayCardEstimator().estimate(try frame.frame).pixels
      #expect(pixels.dark == (isDark ? pixels.total : 0), "\(light)")
    }
  }

  /// Colors that vary within the noise are those of one card.
  @Test func aNoisyCardIsOneCard() throws {
    var largest = 0.0
    for seed in 1...8 as ClosedRange<UInt64> {
      var card = SpoiledCard()
      (card.width, card.height) = (48, 32)
      card.response = SIMD3(0.16, 0.2, 0.1)
      (card.seed, card.noise) = (seed, 0.28)
      let estimate = try GrayCardEstimator().estimate(try card.frame())
      largest = max(largest, estimate.colorVariation)
      #expect(!estimate.refusals.contains { if case .mixedColors = $0 { true } else { false } })
    }
    #expect(largest > GrayCardEstimator.acceptedColorVariation)
  }

  /// Excluding the dark half of the noise would make the mean brighter.
  @Test func aDimCardIsNotBiased() throws {
    for seed in 1...4 as ClosedRange<UInt64> {
      var card = SpoiledCard()
      card.seed = seed
      (card.width, card.height) = (256, 256)
      card.format = .bayer(.rggb, bits: 12)
      card.black = 256
      card.response = SIMD3(0.008, 0.01, 0.005)
      card.noise = 0.3
      let estimate = try GrayCardEstimator().estimate(try card.frame())
      #expect(estimate.pixels.dark > estimate.pixels.total / 50)
      try expect(estimate, red: 1.25, blue: 2, within: 0.03)
    }
  }

  @Test func extremeLevelsAreNotAccepted() throws {
    var bytes = [UInt8](repeating: 255, count: 64 * 64 * 3)
    // A white level that no sample reaches does not hide clipping.
    let high = try FrameLayout(width: 64, height: 64, format: .rgb8, whiteLevel: 300)
    #expect(
      try GrayCardEstimator().estimate(bytes.span, layout: high).refusals.first
        == .clipped(.green, share: 1))
    bytes = bytes.map { _ in 100 }
    for (black, white) in [(-1e300, 1e300), (1e300, 2e300)] {
      let layout = try FrameLayout(
        width: 64, height: 64, format: .rgb8, blackLevel: black, whiteLevel: white)
      let estimate = try GrayCardEstimator().estimate(bytes.span, layout: layout)
      #expect(estimate.pixels.total == 1024)
    }
  }

  @Test(arguments: [
    PixelRectangle(x: -1, y: 0, width: 10, height: 10),
    PixelRectangle(x: 90, y: 0, width: 10, height: 10),
    PixelRectangle(x: 0, y: 60, width: 10, height: 10),
    PixelRectangle(x: 0, y: 0, width: 0, height: 10),
    PixelRectangle(x: 0, y: 0, width: Int.max, height: 1),
    PixelRectangle(x: Int.max, y: 0, width: 2, height: 2),
  ])
  func regionsOutside(region: PixelRectangle) throws {
    var card = SpoiledCard()
    for format in [PixelFormat.rgb8, .bayer(.grbg, bits: 8)] {
      card.format = format
      let frame = try card.frame()
      #expect(throws: FrameError.region(region, width: 96, height: 64)) {
        try GrayCardEstimator(region: .rectangle(region)).estimate(frame)
      }
    }
  }

  @Test func bytesThatAreTooFew() throws {
    let layout = try FrameLayout(width: 10, height: 10, format: .rgb8)
    #expect(throws: FrameError.tooShort(bytes: 299, needed: 300)) {
      try Frame(layout: layout, bytes: [UInt8](repeating: 0, count: 299))
    }
    #expect(throws: FrameError.tooShort(bytes: 299, needed: 300)) {
      try GrayCardEstimator().estimate([UInt8](repeating: 0, count: 299).span, layout: layout)
    }
  }

  @Test func badLayouts() {
    #expect(throws: FrameError.empty(width: 0, height: 5)) {
      try FrameLayout(width: 0, height: 5, format: .rgb8)
    }
    #expect(throws: FrameError.badStride(bytesPerRow: 29, needed: 30)) {
      try FrameLayout(width: 10, height: 5, bytesPerRow: 29, format: .rgb8)
    }
    #expect(throws: FrameError.levels(black: 300, white: 255)) {
      try FrameLayout(width: 10, height: 5, format: .rgb8, blackLevel: 300)
    }
    #expect(throws: FrameError.self) {
      try FrameLayout(width: 10, height: 5, format: .rgb8, blackLevel: .nan)
    }
    #expect(throws: FrameError.tooLarge(width: 1 << 21, height: 5)) {
      try FrameLayout(width: 1 << 21, height: 5, format: .rgb8)
    }
  }

  @Test func fourCharacterCodes() {
    #expect(PixelFormat(fourCC: "XR24") == .bgra8)
    #expect(PixelFormat(fourCC: "RG10") == .bayer(.rggb, bits: 10))
    // V4L2 calls GRBG with 10 and 12 bits BA, with 14 and 16 bits GR.
    #expect(PixelFormat(fourCC: "BA10") == .bayer(.grbg, bits: 10))
    #expect(PixelFormat(fourCC: "GR16") == .bayer(.grbg, bits: 16))
    #expect(PixelFormat(fourCC: "BA81") == .bayer(.bggr, bits: 8))
    #expect(PixelFormat(fourCC: "BYR2") == .bayer(.bggr, bits: 16))
    #expect(PixelFormat(fourCC: "XXXX") == nil)
    #expect(Set(PixelFormat.fourCCs).count == PixelFormat.fourCCs.count)
  }
}
