import ColorScience
import Testing
import WhiteBalanceTestSupport

@testable import WhiteBalance

/// A dark frame of 12 bits with normal noise, rounded and cut off at zero.
private struct RenderedDark {
  var pattern = BayerPattern.bggr
  var width = 480
  var height = 320
  /// The levels by position in the 2×2 pattern, in reading order.
  var levels = [2.98, 4.00, 2.97, 3.94]
  var noise = 1.2
  /// The number of pixels per hot pixel; a hot pixel has a value of at most 2816.
  var hotEvery = 1000

  func frame() throws -> Frame {
    let layout = try FrameLayout(width: width, height: height, format: .bayer(pattern, bits: 12))
    var random = SeededRandom(seed: 7)
    var bytes = [UInt8]()
    bytes.reserveCapacity(layout.byteCount)
    for row in 0..<height {
      for column in 0..<width {
        let index = row * width + column
        var value = levels[row % 2 * 2 + column % 2] + noise * random.normal()
        if hotEvery > 0, index % hotEvery == 17 { value = 64 + 2752 * random.uniform() }
        let code = Int(max(0, value.rounded()))
        bytes += [UInt8(code & 255), UInt8(code >> 8)]
      }
    }
    return try Frame(layout: layout, bytes: bytes)
  }
}

struct DarkFrameTests {
  /// The statistics are those of a real dark frame, whose plain mean is off by more than a code.
  @Test func hotPixelsDoNotPull() throws {
    let rendered = RenderedDark()
    let frame = try rendered.frame()
    let dark = try DarkFrame(frame)
    #expect(dark.isDark)
    #expect(dark.planes.map(\.channel) == [.blue, .green, .green, .red])
    var plain = 0
    for index in stride(from: 0, to: frame.bytes.count, by: 2) {
      plain += Int(frame.bytes[index]) | Int(frame.bytes[index + 1]) << 8
    }
    let mean = Double(plain) / Double(rendered.width * rendered.height)
    #expect(mean > 4.5, "\(mean)")
    for (plane, level) in zip(dark.planes, rendered.levels) {
      #expect(plane.pixels == 38_400)
      // The noise that zero cuts off leaves 1.2·(φ(2.5) − 2.5·(1 − Φ(2.5))) = 0.0024, the hot
      // pixels leave 0.006.
      #expect(abs(plane.level - level) < 0.01 + 3 * plane.standardError, "\(plane)")
      #expect((0.005...0.008).contains(plane.standardError), "\(plane)")
      #expect(abs(plane.noise - (1.2 * 1.2 + 1.0 / 12).squareRoot()) < 0.05, "\(plane)")
    }
    let hotPixels = dark.planes.map(\.hotPixels).reduce(0, +)
    let expected = 480 * 320 / 1000
    #expect((expected...expected + 5).contains(hotPixels))
    #expect(abs(dark.level - (2.98 + 3.94 + (4.00 + 2.97) / 2) / 3) < 0.015)
  }

  /// The error stays within 3 standard errors for any position of the level between two codes, and
  /// for noise that hardly dithers; a median would be off by up to half a code.
  @Test(arguments: [0.2, 0.35, 0.5, 1, 2, 6])
  func levelsBetweenCodes(noise: Double) throws {
    var rendered = RenderedDark()
    rendered.noise = noise
    rendered.levels = [64.0, 64.25, 64.5, 64.85]
    for plane in zip(try DarkFrame(try rendered.frame()).planes, rendered.levels) {
      #expect(
        abs(plane.0.level - plane.1) < 3 * plane.0.standardError + 0.006 * noise,
        "\(plane.0) for \(plane.1)")
      #expect(noise < 0.5 || plane.0.standardError < 0.04 * noise + 0.002)
    }
  }

  /// The bias from noise that is cut off at zero is the documented one.
  @Test(arguments: [(0.0, 0.399, 0.5), (1, 0.083, 0.159), (2, 0.0085, 0.023)])
  func whatZeroCutsOff(deviations: Double, bias: Double, share: Double) throws {
    var rendered = RenderedDark()
    rendered.noise = 4
    rendered.hotEvery = 0
    rendered.levels = [Double](repeating: 4 * deviations, count: 4)
    for plane in try DarkFrame(try rendered.frame()).planes {
      #expect(abs((plane.level - 4 * deviations) / 4 - bias) < 0.02, "\(plane)")
      // Values up to half a code above zero are also rounded to zero.
      #expect(plane.zeroShare >= share && plane.zeroShare < share + 0.06, "\(plane)")
    }
  }

  @Test(arguments: BayerPattern.allCases)
  func planesAndRegions(pattern: BayerPattern) throws {
    var rendered = RenderedDark()
    rendered.pattern = pattern
    (rendered.width, rendered.height, rendered.hotEvery) = (64, 48, 0)
    rendered.levels = [60, 70, 80, 90]
    let frame = try rendered.frame()
    let whole = try DarkFrame(frame)
    for (plane, level) in zip(whole.planes, rendered.levels) {
      #expect(abs(plane.level - level) < 0.2)
    }
    let letters = whole.planes.map { String($0.channel.rawValue.prefix(1)) }.joined()
    #expect(letters == pattern.rawValue)
    // Shifted by one column and one row, the pattern is different.
    let shifted = try DarkFrame(frame, region: PixelRectangle(x: 1, y: 1, width: 60, height: 40))
    for (plane, level) in zip(shifted.planes, [90.0, 80, 70, 60]) {
      #expect(abs(plane.level - level) < 0.2)
    }
    #expect(shifted.planes.map(\.channel) == whole.planes.map(\.channel).reversed())
    #expect(shifted.planes[0].pixels == 600)
  }

  @Test func framesOfThreeChannels() throws {
    let layout = try FrameLayout(
      width: 8, height: 8, format: .bgr8, blackLevel: 7, transfer: .sRGB)
    var bytes: [UInt8] = []
    for index in 0..<64 { bytes += [UInt8(3 + index % 2), 5, index == 9 ? 255 : 6] as [UInt8] }
    let dark = try DarkFrame(Frame(layout: layout, bytes: bytes))
    #expect(dark.planes.map(\.channel) == [.red, .green, .blue])
    #expect(dark.planes.map(\.level) == [6, 5, 3.5])
    #expect(dark.planes.map(\.hotPixels) == [1, 0, 0])
    #expect(abs(dark.level - 14.5 / 3) < 1e-12)
  }

  @Test func aFrameThatSawLight() throws {
    let layout = try FrameLayout(width: 64, height: 64, format: .bayer(.rggb, bits: 12))
    let bytes = (0..<64 * 64).flatMap { index -> [UInt8] in
      let code = index % 64 * 40 + 64
      return [UInt8(code & 255), UInt8(code >> 8)]
    }
    #expect(!(try DarkFrame(Frame(layout: layout, bytes: bytes)).isDark))
    #expect(throws: FrameError.tooShort(bytes: 8191, needed: 8192)) {
      try DarkFrame([UInt8](bytes.dropLast()).span, layout: layout)
    }
  }

  /// Small frames are computed pixel by pixel: the value below which a share of the sorted pixels
  /// lies, with each code spread over its width, and the mean within five deviations of the median.
  @Test func smallFrames() throws {
    var random = SeededRandom(seed: 12)
    for trial in 0..<300 {
      let (width, height) = (1 + Int(random.next() % 12), 1 + Int(random.next() % 9))
      let layout = try FrameLayout(width: width, height: height, format: .gray(bits: 8))
      let reach = UInt64([2, 3, 12][trial % 3])
      let codes = (0..<width * height).map { index in
        Int(random.next() % reach) + (index % 17 == 3 ? Int(random.next() % 200) : 0)
      }
      let sorted = codes.sorted()
      let total = Double(codes.count)
      func quantile(_ share: Double) -> Double {
        let code = sorted[Int((share * total).rounded(.up)) - 1]
        let below = Double(codes.count { $0 < code })
        return Double(code) - 0.5 + (share * total - below) / Double(codes.count { $0 == code })
      }
      let middle = quantile(0.5)
      // Φ(1) and Φ(−1).
      let limit = 5 * (quantile(0.841345) - quantile(0.158655)) / 2
      let used = codes.map { Double($0) }.filter { abs($0 - middle) <= limit }
      let mean = used.reduce(0, +) / Double(used.count)
      let variance = used.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(used.count)
      let error = (variance / Double(used.count) + roundingVariance(variance)).squareRoot()
      let dark = try DarkFrame(Frame(layout: layout, bytes: codes.map { UInt8($0) }))
      for plane in dark.planes {
        #expect(abs(plane.level - mean) < 1e-10 && abs(plane.noise - variance.squareRoot()) < 1e-6)
        #expect(abs(plane.standardError - error) < 1e-6 && plane.pixels == codes.count)
        #expect(plane.hotPixels == codes.count { Double($0) - middle > limit })
        #expect(plane.zeroShare == Double(codes.count { $0 == 0 }) / total)
      }
    }
  }

  /// The two greens count as one channel.
  @Test func theLevelOfAllChannels() throws {
    let layout = try FrameLayout(width: 4, height: 4, format: .bayer(.rggb, bits: 8))
    let bytes = (0..<16).map { UInt8([10, 20, 40, 90][$0 / 4 % 2 * 2 + $0 % 2]) }
    let dark = try DarkFrame(Frame(layout: layout, bytes: bytes))
    #expect(dark.planes.map(\.level) == [10, 20, 40, 90])
    #expect(abs(dark.level - (10 + 30 + 90) / 3.0) < 1e-12)
  }

  /// A frame is dark with noise of up to a 50th of white, which is 5 of 250, and fewer than one hot
  /// pixel in 20.
  @Test func whatIsDark() throws {
    for (white, isDark) in [(250.0, true), (249, false)] {
      let layout = try FrameLayout(
        width: 10, height: 10, format: .gray(bits: 8), whiteLevel: white)
      let dark = try DarkFrame(
        Frame(layout: layout, bytes: (0..<100).map { UInt8($0 % 2 == 0 ? 35 : 45) }))
      #expect(dark.planes[0].noise == 5 && dark.isDark == isDark)
    }
    // An evenly lit card is not a dark frame, however small its noise.
    for (level, isDark) in [(63, true), (64, false), (255, false)] as [(UInt8, Bool)] {
      let layout = try FrameLayout(width: 20, height: 1, format: .gray(bits: 8), whiteLevel: 256)
      let frame = try Frame(layout: layout, bytes: [UInt8](repeating: level, count: 20))
      #expect(try DarkFrame(frame).isDark == isDark)
    }
    for (pixels, hot, isDark) in [(410, 20, true), (410, 21, false), (400, 20, false)] {
      let layout = try FrameLayout(width: pixels, height: 1, format: .gray(bits: 8))
      let dark = try DarkFrame(
        Frame(layout: layout, bytes: (0..<pixels).map { $0 < hot ? 200 : 7 }))
      #expect(dark.planes[0].hotPixels == hot && dark.isDark == isDark)
    }
  }
}
