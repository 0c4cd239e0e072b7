import ColorScience
import Testing
import WhiteBalanceTestSupport

@testable import WhiteBalance

extension GainApplication.ClippingCounts {
  fileprivate init(
    pixels: Int, clipped: Int, redClipped: Int, greenClipped: Int, blueClipped: Int
  ) {
    self.init(pixels: pixels)
    (self.clipped, self.redClipped) = (clipped, redClipped)
    (self.greenClipped, self.blueClipped) = (greenClipped, blueClipped)
  }
}

/// The expected codes were computed from IEC 61966-2-1 independently of this package.
struct GainApplicationTests {
  private func frame(
    _ samples: [UInt16], _ format: PixelFormat, width: Int, height: Int = 1, black: Double = 0,
    white: Double? = nil, transfer: TransferFunction = .linear
  ) throws -> Frame {
    let layout = try FrameLayout(
      width: width, height: height, format: format, blackLevel: black, whiteLevel: white,
      transfer: transfer)
    return try Frame(
      layout: layout,
      bytes: samples.flatMap {
        format.bytesPerSample == 1
          ? [UInt8($0)] : [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)]
      })
  }

  private func samples(_ frame: Frame) -> [UInt16] {
    frame.layout.format.bytesPerSample == 1
      ? frame.bytes.map(UInt16.init)
      : stride(from: 0, to: frame.bytes.count, by: 2).map {
        UInt16(frame.bytes[$0]) | UInt16(frame.bytes[$0 + 1]) << 8
      }
  }

  @Test func sRGBOfEightBits() throws {
    var picture = try frame(
      [100, 128, 64, 10, 0, 6, 187, 255, 188], .rgb8, width: 3, transfer: .sRGB)
    let clipping = try picture.apply(Gains(red: 2, green: 1, blue: 1.5))
    #expect(samples(picture) == [138, 128, 78, 18, 0, 9, 254, 255, 225])
    #expect(clipping.pixels == 3)
    #expect(clipping.clipped == 0)
  }

  @Test func sRGBOfSixteenBits() throws {
    var picture = try frame(
      [30000, 30000, 1000, 48000, 65535, 0], .rgb16, width: 2, transfer: .sRGB)
    let clipping = try picture.apply(Gains(red: 2, green: 1.5, blue: 1.25))
    #expect(samples(picture) == [41252, 36185, 1250, 65279, 65535, 0])
    #expect(clipping == .init(pixels: 2))
  }

  /// Samples that reach white are counted; samples that were at white before are not.
  @Test func newlyClippedAreCountedOnce() throws {
    var picture = try frame(
      [
        200, 10, 200,  // both ends
        128, 10, 10,  // exactly at white
        127, 10, 10,  // below
        255, 255, 255,  // before
        255, 10, 255,  // before
        10, 10, 128,
      ], .rgb8, width: 3, height: 2)
    let clipping = try picture.apply(Gains(red: 2, green: 1, blue: 2))
    #expect(
      samples(picture) == [
        255, 10, 255, 255, 10, 20, 254, 10, 20, 255, 255, 255, 255, 10, 255, 20, 10, 255,
      ])
    #expect(
      clipping == .init(pixels: 6, clipped: 3, redClipped: 2, greenClipped: 0, blueClipped: 2))
  }

  /// Rounding determines whether a sample is at white: 254.6 is.
  @Test func roundedToNearest() throws {
    var picture = try frame([127, 3, 1], .rgb8, width: 1)
    let clipping = try picture.apply(Gains(red: 254.6 / 127, green: 0.6, blue: 0.49))
    #expect(samples(picture) == [255, 2, 0])
    #expect(clipping.redClipped == 1)
  }

  /// Gains are rounded first, the more coarsely the larger they are; from 16 on they are not
  /// rounded.
  @Test(arguments: [
    (1.3, 0.004), (1.99, 0.004), (3.7, 0.008), (7.9, 0.016), (15.9, 0.032), (16.1, 0), (100, 0),
  ])
  func theNearestCode(largest: Double, off: Double) throws {
    let gains = Gains(red: largest, green: 1.0137, blue: 1)
    var picture = try frame((0..<256).flatMap { [$0, $0, $0] }, .rgb8, width: 256)
    try picture.apply(gains)
    for code in 0..<255 {
      for channel in 0..<3 {
        let exact = min(Double(code) * gains.vector[channel], 255)
        let found = Double(picture.bytes[3 * code + channel])
        #expect(abs(found - exact) <= 0.5 + off, "\(code) × \(gains.vector[channel])")
      }
    }
  }

  @Test func clippedWhiteStaysWhiteUnderSmallGains() throws {
    var picture = try frame([255, 255, 255, 254, 255, 100], .rgb8, width: 2)
    let clipping = try picture.apply(Gains(red: 0.5, green: 0.25, blue: 0.75))
    #expect(samples(picture) == [255, 255, 255, 127, 255, 75])
    #expect(clipping.clipped == 0)
  }

  /// A clipped sample becomes as bright as the brightest channel of its pixel, in which clipped
  /// channels count as white: 204, 255 and 102 here.
  @Test func clippedHighlightsBecomeNeutral() throws {
    let pixels: [UInt16] = [
      241, 255, 241,  // green alone, less than the others
      100, 255, 100,  // green alone, more than the others
      255, 10, 20,  // red
      255, 255, 30,  // yellow
      255, 255, 255,  // white
      255, 255, 254,
      254, 254, 254,  // not clipped
      10, 20, 255,
    ]
    var picture = try frame(pixels, .rgb8, width: 4, height: 2)
    let gains = Gains(red: 1, green: 0.8, blue: 0.4)
    let clipping = try picture.apply(gains, clipped: .neutral)
    #expect(
      samples(picture) == [
        241, 241, 96, 100, 204, 40, 255, 8, 8, 255, 255, 12, 255, 255, 255, 255, 255, 102, 254,
        203, 102, 10, 16, 102,
      ])
    #expect(clipping == .init(pixels: 8))
    // The typical highlight, with the gains for a bluish light.
    var highlight = try frame([241, 255, 241], .rgb8, width: 1)
    try highlight.apply(Gains(red: 1, green: 0.75, blue: 1), clipped: .neutral)
    #expect(samples(highlight) == [241, 241, 241])
    try highlight.apply(Gains(red: 1, green: 0.75, blue: 1))
    #expect(samples(highlight) == [241, 181, 241])
  }

  /// Gains of at least 1 keep white, with clipped samples kept or not.
  @Test func neutralHighlightsOfRaisingGains() throws {
    var random = SeededRandom(seed: 6)
    let pixels = (0..<300).map { _ in UInt16(min(255, random.next() % 300)) }
    var kept = try frame(pixels, .rgb8, width: 100, transfer: .sRGB)
    var neutral = kept
    let gains = Gains(red: 1.5, green: 1, blue: 2)
    let clipping = try kept.apply(gains)
    #expect(try neutral.apply(gains, clipped: .neutral) == clipping)
    #expect(kept == neutral)
  }

  /// Lookups of many pixels at once count like those of single pixels, which gains with `neutral`
  /// use.
  @Test(arguments: [PixelFormat.rgb8, .bgr8, .rgba8, .bgra8, .argb8])
  func manyPixelsAtOnce(format: PixelFormat) throws {
    var random = SeededRandom(seed: 7)
    let samples = format.samplesPerPixel
    let pixels = (0..<samples * 3 * 101).map { _ in UInt16(random.next() % 255) }
    var kept = try frame(pixels, format, width: 101, height: 3, transfer: .sRGB)
    var neutral = kept
    let gains = Gains(red: 1.5, green: 1.1, blue: 2)
    let clipping = try kept.apply(gains)
    #expect(clipping.redClipped > 0 && clipping.blueClipped > clipping.greenClipped)
    #expect(try neutral.apply(gains, clipped: .neutral) == clipping)
    #expect(kept == neutral)
  }

  /// Half of white's linear value is sRGB code 188; codes above the white level count as white.
  @Test func neutralHighlightsOfOtherFormats() throws {
    let gains = Gains(red: 0.5, green: 0.25, blue: 0.5)
    var coded = try frame([255, 255, 255, 100, 255, 200], .rgb8, width: 2, transfer: .sRGB)
    try coded.apply(gains, clipped: .neutral)
    #expect(samples(coded) == [188, 188, 188, 71, 146, 146])
    var deep = try frame([1010, 500, 1000, 500], .rgba16, width: 1, white: 1000)
    try deep.apply(gains, clipped: .neutral)
    #expect(samples(deep) == [500, 125, 500, 500])
    // Cells of RGGB; those of the last row and column are halves and quarters.
    var cells = try frame(
      [800, 1023, 1023, 1023, 500, 100, 100, 1023, 1023], .bayer(.rggb, bits: 10), width: 3,
      height: 3)
    try cells.apply(gains, clipped: .neutral)
    #expect(samples(cells) == [400, 400, 512, 400, 250, 25, 50, 256, 512])
    // Packed samples are written without changing their neighbors' bits.
    var packed = try Frame(
      layout: FrameLayout(width: 2, height: 2, format: .packedBayer(.rggb, bits: 12)),
      bytes: [255, 64, 0x0F, 64, 255, 0xF0])
    try packed.apply(gains, clipped: .neutral)
    #expect(packed.bytes == [128, 16, 0, 16, 128, 0])
    // Floating-point numbers are never clipped.
    let layout = try FrameLayout(width: 1, height: 1, format: .rgbFloat)
    let bytes = [Float(2), 1, 0.5].flatMap { number in
      (0..<4).map { UInt8(truncatingIfNeeded: number.bitPattern >> (8 * UInt32($0))) }
    }
    var floats = try Frame(layout: layout, bytes: bytes)
    var same = floats
    try floats.apply(gains, clipped: .neutral)
    try same.apply(gains)
    #expect(floats == same)
  }

  @Test func alphaAndPaddingAreKept() throws {
    let layout = try FrameLayout(width: 1, height: 2, bytesPerRow: 6, format: .bgra8)
    var picture = try Frame(layout: layout, bytes: [10, 20, 30, 40, 50, 60, 11, 21, 31, 41])
    try picture.apply(Gains(red: 2, green: 1, blue: 3))
    #expect(picture.bytes == [30, 20, 60, 40, 50, 60, 33, 21, 62, 41])
  }

  /// Values are multiplied relative to the black level, also below it.
  @Test func levels() throws {
    var picture = try frame(
      [100, 64, 20, 1000, 1010, 600], .rgb16, width: 2, black: 64, white: 1000)
    let clipping = try picture.apply(Gains(red: 2, green: 2, blue: 2))
    #expect(samples(picture) == [136, 64, 0, 1000, 1010, 1000])
    #expect(
      clipping == .init(pixels: 2, clipped: 1, redClipped: 0, greenClipped: 0, blueClipped: 1))
  }

  /// If the white level is above the format's largest number, samples are clipped at that number.
  @Test func whiteLevelAboveTheFormat() throws {
    var picture = try frame([200, 100, 255], .rgb8, width: 1, white: 300)
    let clipping = try picture.apply(Gains(red: 2, green: 1, blue: 0.5))
    #expect(samples(picture) == [255, 100, 255])
    #expect(clipping.redClipped == 1)
  }

  @Test(arguments: BayerPattern.allCases)
  func everyBayerPattern(pattern: BayerPattern) throws {
    var picture = try frame(
      [UInt16](repeating: 100, count: 15), .bayer(pattern, bits: 10), width: 5, height: 3)
    let clipping = try picture.apply(Gains(red: 2, green: 1, blue: 3))
    let red = pattern.redPosition
    let expected = (0..<15).map { index -> UInt16 in
      let (row, column) = (index / 5 & 1, index % 5 & 1)
      if (column, row) == (red.column, red.row) { return 200 }
      return (column, row) == (1 - red.column, 1 - red.row) ? 300 : 100
    }
    #expect(samples(picture) == expected)
    #expect(clipping == .init(pixels: 15))
  }

  @Test func clippedBayerSamples() throws {
    var picture = try frame(
      [3000, 1000, 4095, 2100, 1000, 1500], .bayer(.rggb, bits: 12), width: 2, height: 3)
    // Rows: red green, green blue, red green.
    let clipping = try picture.apply(Gains(red: 2, green: 3, blue: 2))
    #expect(samples(picture) == [4095, 3000, 4095, 4095, 2000, 4095])
    #expect(
      clipping == .init(pixels: 6, clipped: 3, redClipped: 1, greenClipped: 1, blueClipped: 1))
  }

  /// Strips of 2 rows, the last of 1, give the same result as the whole frame.
  @Test(arguments: RenderedFrame.formats, [GainApplication.HighlightPolicy.kept, .neutral])
  func inStrips(format: PixelFormat, clipped: GainApplication.HighlightPolicy) throws {
    switch format.arrangement {
    case .gray, .subsampled: return
    case .interleaved, .bayer: break
    }
    let layout = try FrameLayout(width: 16, height: 7, format: format, transfer: .sRGB)
    var random = SeededRandom(seed: 8)
    var whole = try Frame(
      layout: layout,
      bytes: (0..<layout.byteCount).map { _ in UInt8(truncatingIfNeeded: random.next()) })
    let before = whole.bytes
    let gains = Gains(red: 1.5, green: 0.9, blue: 3)
    let clipping = try whole.apply(gains, clipped: clipped)
    let application = try GainApplication(of: gains, layout: layout, clipped: clipped)
    var bytes: [UInt8] = []
    var sum = GainApplication.ClippingCounts(pixels: 0)
    for row in stride(from: 0, to: 7, by: 2) {
      let rows = min(2, 7 - row)
      var strip = Array(before[(row * layout.bytesPerRow)..<((row + rows) * layout.bytesPerRow)])
      var span = strip.mutableSpan
      sum.add(try application.apply(to: &span, rows: rows))
      bytes += strip
    }
    #expect(bytes == whole.bytes)
    #expect(sum == clipping)
    #expect(throws: FrameError.tooShort(bytes: layout.bytesPerRow, needed: 2 * layout.bytesPerRow))
    {
      var strip = Array(before[..<layout.bytesPerRow])
      var span = strip.mutableSpan
      _ = try application.apply(to: &span, rows: 2)
    }
  }

  @Test func intoAnotherBuffer() throws {
    let layout = try FrameLayout(width: 2, height: 1, format: .rgb8)
    let source: [UInt8] = [1, 2, 3, 200, 5, 6]
    var target = [UInt8](repeating: 9, count: 8)
    let application = try GainApplication(of: Gains(red: 2, green: 1, blue: 3), layout: layout)
    var output = target.mutableSpan
    let clipping = try application.apply(to: source.span, writingTo: &output)
    #expect(target == [2, 2, 9, 255, 5, 18, 9, 9])
    #expect(clipping.redClipped == 1)
    #expect(source == [1, 2, 3, 200, 5, 6])
  }

  @Test func buffersThatAreTooShort() throws {
    let layout = try FrameLayout(width: 2, height: 1, format: .rgb8)
    let application = try GainApplication(of: Gains(red: 2, blue: 3), layout: layout)
    var short = [UInt8](repeating: 9, count: 5)
    let long = [UInt8](repeating: 9, count: 6)
    let error = FrameError.tooShort(bytes: 5, needed: 6)
    #expect(throws: error) {
      var span = short.mutableSpan
      _ = try application.apply(to: &span)
    }
    #expect(throws: error) {
      var span = short.mutableSpan
      _ = try application.apply(to: long.span, writingTo: &span)
    }
    #expect(throws: error) {
      var span = [UInt8](long)
      var output = span.mutableSpan
      _ = try application.apply(to: short.span, writingTo: &output)
    }
    var frame = try Frame(layout: layout, bytes: long)
    frame.bytes.removeLast()
    #expect(throws: error) { try frame.apply(Gains(red: 2, blue: 3)) }
  }

  @Test(arguments: [TransferFunction.linear, .sRGB, .bt709, .gamma(2.2)])
  func gainsOfOneChangeNothing(transfer: TransferFunction) throws {
    let codes = (0...65535).map { UInt16($0) }
    let deep = try frame(
      codes + codes + codes, .rgb16, width: 65536, transfer: transfer)
    var same = deep
    let clipping = try same.apply(Gains(red: 1, blue: 1))
    #expect(same.bytes == deep.bytes)
    #expect(clipping == .init(pixels: 65536))
  }

  @Test func attenuated() {
    let gains = Gains(red: 2, green: 1, blue: 4).normalized(to: .largest)
    #expect(gains == Gains(red: 0.5, green: 0.25, blue: 1))
    #expect(gains.normalized(to: .largest) == gains)
    #expect(Gains(red: 0.3, green: 0.1, blue: 0.2).normalized(to: .largest).red == 1)
    #expect(Gains(red: .nan, blue: 2).normalized(to: .largest).red.isNaN)
    #expect(Gains(red: 0, blue: 2).normalized(to: .largest) == Gains(red: 0, blue: 2))
  }

  /// In every format with colors, the estimate after applying gains is the one before, times the
  /// gains.
  @Test(arguments: RenderedFrame.formats) func everyFormat(format: PixelFormat) throws {
    let layout = try FrameLayout(width: 32, height: 32, format: format)
    var scene = RenderedFrame(layout, seed: 2)
    scene.render { _, _, random in
      SIMD3(0.2, 0.3, 0.15) * (1 + 0.05 * random.normal())
    }
    var frame = try scene.frame
    let before = try FrameStatistics(frame).mean.vector
    let gains = Gains(red: 1.5, green: 0.9, blue: 2)
    switch format.arrangement {
    case .gray, .subsampled:
      #expect(throws: FrameError.colorless) { try frame.apply(gains) }
      return
    case .interleaved, .bayer: break
    }
    let clipping = try frame.apply(gains)
    #expect(clipping.clipped == 0 && clipping.pixels == 1024)
    let after = try FrameStatistics(frame).mean.vector
    // Half a code of 8 bits is 2e-3, and the pixels have only a few different codes.
    let limit = format.isInteger && format.bitsPerSample == 8 ? 2e-3 : 2e-4
    for channel in 0..<3 {
      #expect(abs(after[channel] - before[channel] * gains.vector[channel]) <= limit)
    }
  }

  @Test func halfNumbers() {
    for bits in stride(from: UInt16(0), through: 0xFBFF, by: 1) where bits & 0x7C00 != 0x7C00 {
      #expect(LinearSamples.binary16(LinearSamples.binary32(bits)) == bits)
    }
    #expect(LinearSamples.binary16(1 + 0x1p-11) == 0x3C00)
    #expect(LinearSamples.binary16(1 + 0x3p-11) == 0x3C02)
    #expect(LinearSamples.binary16(65519) == 0x7BFF)
    #expect(LinearSamples.binary16(65520) == 0x7C00)
    #expect(LinearSamples.binary16(0x1p-25) == 0)
    #expect(LinearSamples.binary16(0x3p-25) == 2)
    #expect(LinearSamples.binary16(-.nan) & 0x7FFF == 0x7E00)
  }
}
