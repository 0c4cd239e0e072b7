import ColorScience
import Testing
import WhiteBalanceTestSupport

@testable import WhiteBalance

struct FrameStatisticsTests {
  private static func layout(
    _ format: PixelFormat, _ width: Int = 64, _ height: Int = 48,
    transfer: TransferFunction? = nil, padding: Int = 0
  ) throws -> FrameLayout {
    try FrameLayout(
      width: width, height: height, bytesPerRow: format.rowBytes(width: width) + padding,
      format: format, transfer: transfer)
  }

  /// Returns the linear means of a region, computed by the simplest code.
  private static func plainMean(
    _ bytes: [UInt8], _ layout: FrameLayout, _ region: PixelRectangle
  ) throws -> (mean: SIMD3<Double>, used: Int, clipped: Int) {
    let samples = try LinearSamples(layout: layout, region: region)
    var (sum, used, clipped) = (SIMD3<Double>.zero, 0, 0)
    for row in 0..<samples.rows {
      for column in 0..<samples.columns {
        let codes = samples.codes(bytes.span, column: column, row: row)
        if codes.max() >= samples.clippedFrom {
          clipped += 1
          continue
        }
        used += 1
        let light = [codes.x, codes.y, codes.z, codes.w].map { samples.linear(Double($0)) }
        sum += SIMD3(light[0], (light[1] + light[2]) / 2, light[3])
      }
    }
    return (
      sum / Double(used), used * samples.pixelsPerSample, clipped * samples.pixelsPerSample
    )
  }

  private static func floats(_ pixels: [SIMD3<Float>]) throws -> Frame {
    let layout = try FrameLayout(width: pixels.count, height: 1, format: .rgbFloat)
    let bytes = pixels.flatMap { pixel in
      (0..<3).flatMap { channel in
        (0..<4).map { UInt8(truncatingIfNeeded: pixel[channel].bitPattern >> (8 * UInt32($0))) }
      }
    }
    return try Frame(layout: layout, bytes: bytes)
  }

  /// Values that are not light are not used: NaN, and values so far below black that their square
  /// does not fit 64 bits.
  @Test func numbersThatAreNoLight() throws {
    let good = SIMD3<Float>(0.25, 0.5, 0.125)
    for odd in [-Float.infinity, -7e4, -16.5] {
      let statistics = try FrameStatistics(
        try Self.floats([good, SIMD3(0.2, odd, 0.2), good, SIMD3(odd, odd, odd)]))
      #expect(statistics.pixels.used == 2 && statistics.pixels.dark == 2, "\(odd)")
      #expect(abs(statistics.mean.red - 0.25) < 1e-9 && abs(statistics.mean.green - 0.5) < 1e-9)
    }
    for odd in [Float.nan, .infinity] {
      let statistics = try FrameStatistics(try Self.floats([good, SIMD3(0.2, 0.2, odd)]))
      #expect(statistics.pixels.used == 1 && statistics.pixels.clipped == 1, "\(odd)")
    }
    // Noise below black is used like any other value.
    let noise = try FrameStatistics(try Self.floats([good, SIMD3(0.25, -0.5, 0.125)]))
    #expect(noise.pixels.used == 2 && abs(noise.mean.green) < 1e-9)
  }

  @Test func clippedChannelsAreCounted() throws {
    let frame = try Self.floats([
      SIMD3(1, 0.5, 0.5), SIMD3(0.5, 1, 0.5), SIMD3(0.5, 1.5, 0.5), SIMD3(0.5, 0.5, 1),
      SIMD3(0.5, 0.5, 2), SIMD3(1, 1, 1), SIMD3(0.5, 0.5, 0.5),
    ])
    let pixels = try FrameStatistics(frame).pixels
    #expect(pixels.used == 1 && pixels.clipped == 6)
    #expect((pixels.redClipped, pixels.greenClipped, pixels.blueClipped) == (2, 3, 3))
  }

  /// Tests a dark level at which every code is dark, for any number of bits.
  @Test(arguments: [
    PixelFormat.bgra8, .rgb8, .rgb16, .bayer(.rggb, bits: 8), .bayer(.rggb, bits: 10),
  ])
  func allIsDark(format: PixelFormat) throws {
    for (white, level) in [(nil, 1.0), (300.0, 0.9)] where white == nil || format.bitsPerSample == 8
    {
      let layout = try FrameLayout(width: 64, height: 2, format: format, whiteLevel: white)
      let bytes = [UInt8](repeating: 2, count: layout.byteCount)
      let statistics = try FrameStatistics(bytes.span, layout: layout, darkLevel: level)
      #expect(statistics.pixels.used == 0 && statistics.pixels.dark == 128)
    }
  }

  /// Every format, linear and nonlinear, over regions that start anywhere, is compared with sums of
  /// single samples.
  @Test(arguments: RenderedFrame.formats) func everyFormat(format: PixelFormat) throws {
    var random = SeededRandom(seed: 4)
    for transfer in [TransferFunction.linear, .sRGB, .bt709] {
      for padding in [0, 6, 7] {
        let layout = try Self.layout(format, transfer: transfer, padding: padding)
        var scene = RenderedFrame(layout, seed: 11)
        scene.render { x, y, random in
          let bright = x > 50 && y > 40 ? 1.2 : 1
          return SIMD3(0.3, 0.5, 0.2) * bright * (0.5 + random.uniform())
        }
        for _ in 0..<6 {
          let (x, y) = (Int(random.next() % 20), Int(random.next() % 20))
          let region = PixelRectangle(
            x: x, y: y, width: 2 + Int(random.next() % 40), height: 2 + Int(random.next() % 26))
          let found = try FrameStatistics(scene.bytes.span, layout: layout, region: region)
          let expected = try Self.plainMean(scene.bytes, layout, region)
          // Luma and chroma count as clipped within 1/32 code.
          let slack =
            if case .subsampled = format.arrangement { expected.used / 50 + 1 } else { 0 }
          #expect(abs(found.pixels.used - expected.used) <= slack, "\(region)")
          #expect(abs(found.pixels.clipped - expected.clipped) <= slack)
          #expect(found.pixels.dark == 0)
          let limit = slack > 0 ? 2e-3 : 1e-7
          #expect(abs(found.mean.red - expected.mean.x) <= limit, "\(transfer) \(region)")
          #expect(abs(found.mean.green - expected.mean.y) <= limit, "\(transfer) \(region)")
          #expect(abs(found.mean.blue - expected.mean.z) <= limit, "\(transfer) \(region)")
        }
      }
    }
  }

  /// For integers, the fast sums equal sums of single samples, also if black is not 0 and values
  /// are negative.
  @Test(arguments: RenderedFrame.formats) func fastSums(format: PixelFormat) throws {
    guard format.isInteger, !format.isSubsampled else { return }
    let largest = Double(format.maximumValue)
    for (transfer, black) in [
      (TransferFunction.linear, 0.1), (.sRGB, 0), (.bt709, 0.1), (.gamma(2), 0.3),
    ] {
      let layout = try FrameLayout(
        width: 64, height: 148, format: format, blackLevel: black * largest,
        whiteLevel: 0.9 * largest, transfer: transfer)
      var random = SeededRandom(seed: 8)
      let bytes = (0..<layout.byteCount).map { _ in UInt8(random.next() % 256) }
      let region = PixelRectangle(x: 3, y: 5, width: 59, height: 141)
      let samples = try LinearSamples(of: bytes.span, layout: layout, region: region)
      let (fast, plain) = (samples.summation, SampleSummation(samples: samples))
      #expect(!(fast is SampleSummation))
      for level in [-2, 0.05] {
        var bounds = CodeBounds(samples)
        bounds.low = SIMD4(repeating: samples.firstCode(above: level))
        var (found, expected) = (FrameSums(), FrameSums())
        fast.add(
          bytes.span, rows: 2..<samples.rows, columns: 1..<samples.columns, bounds, to: &found)
        plain.add(
          bytes.span, rows: 2..<samples.rows, columns: 1..<samples.columns, bounds, to: &expected)
        #expect(
          (found.used, found.above, found.below)
            == (expected.used, expected.above, expected.below))
        #expect(fast.above(found) == plain.above(expected))
        #expect(found.used > 0 && found.above > 0 && (level < 0 || found.below > 0))
        let (these, those) = (fast.channels(found), plain.channels(expected))
        for (this, that) in [
          (these.red, those.red), (these.green, those.green), (these.blue, those.blue),
        ] {
          #expect(this.count == that.count && abs(this.mean - that.mean) <= 5e-8)
          #expect(abs(this.variance - that.variance) <= 2e-7)
        }
      }
    }
  }

  /// If white is close to black, values can be below −1, which no table can hold.
  @Test func whiteCloseToBlack() throws {
    let layout = try FrameLayout(
      width: 16, height: 2, format: .gray(bits: 8), blackLevel: 100, whiteLevel: 180,
      transfer: .gamma(2))
    let bytes = (0..<layout.byteCount).map { UInt8(8 * ($0 % 16)) }
    let samples = try LinearSamples(of: bytes.span, layout: layout, region: nil)
    #expect(samples.summation is SampleSummation)
    let mean = try FrameStatistics(bytes.span, layout: layout).mean
    let light = (0..<16).map { samples.linear(Double(8 * $0)) }
    #expect(abs(mean.green - light.reduce(0, +) / 16) <= 1e-7)
  }

  /// Means equal those with which the frame was rendered, by code that is independent of the
  /// reading code.
  @Test(arguments: RenderedFrame.formats) func knownLight(format: PixelFormat) throws {
    let light = SIMD3(0.31, 0.45, 0.22)
    for transfer in [TransferFunction.linear, .sRGB] {
      for encoding in LumaChromaEncoding.Matrix.allCases.flatMap({ matrix in
        CodeRange.allCases.map { LumaChromaEncoding(matrix: matrix, range: $0) }
      }) {
        let layout = try FrameLayout(
          width: 96, height: 64, format: format, transfer: transfer, encoding: encoding)
        var scene = RenderedFrame(layout, seed: 3)
        scene.render { _, _, _ in light }
        let found = try FrameStatistics(try scene.frame).mean
        let expected = format.arrangement == .gray ? SIMD3(repeating: light.y) : light
        // Codes are rounded at random: a step has a standard deviation of up to half a step.
        let steps: Double =
          switch format.sample {
          case .half, .float: 0
          default: 1 / Double(format.maximumValue)
          }
        let scatter = 2.5 * steps * 5 / (96 * 64 / 4.0).squareRoot()
        let limit = format.sample == .half ? 6e-4 : scatter + 1e-6
        #expect(abs(found.red - expected.x) <= limit, "\(transfer) \(encoding)")
        #expect(abs(found.green - expected.y) <= limit, "\(transfer) \(encoding)")
        #expect(abs(found.blue - expected.z) <= limit, "\(transfer) \(encoding)")
        guard case .subsampled = format.arrangement else { break }
      }
    }
  }

  @Test func exactSums() throws {
    let layout = try Self.layout(.bgra8, 3840, 16)
    let pixel: [UInt8] = [254, 253, 252, 255]
    let bytes = (0..<layout.byteCount).map { pixel[$0 % 4] }
    let found = try FrameStatistics(bytes.span, layout: layout)
    let count = 3840 * 16
    #expect(found.mean == LinearRGB(red: 252 / 255.0, green: 253 / 255.0, blue: 254 / 255.0))
    #expect(found.variance == LinearRGB(red: 0, green: 0, blue: 0))
    #expect(found.sampleCounts == SIMD3(repeating: count))
    let cells = try Self.layout(.bayer(.grbg, bits: 16), 64, 64)
    let full = [UInt8](repeating: 0x7F, count: cells.byteCount)
    let sums = try FrameStatistics(full.span, layout: cells)
    #expect(sums.mean.vector == SIMD3(repeating: Double(0x7F7F) / 65535))
    #expect(sums.sampleCounts == SIMD3(1024, 2048, 1024))
  }

  /// The zones of a grid equal the regions that they cover.
  @Test(arguments: [
    PixelFormat.bgra8, .rgb16, .packedBayer(.gbrg, bits: 12), .subsampled(.nv12), .rgbaFloat,
  ])
  func zones(format: PixelFormat) throws {
    let layout = try Self.layout(format, transfer: .linear)
    var scene = RenderedFrame(layout, seed: 5)
    scene.render { x, y, random in
      let light: Double = (0.2 + Double(x + y) / 80) * (0.9 + 0.2 * random.uniform())
      return SIMD3(0.2, 0.4, 0.3) * light
    }
    let zones = try FrameStatistics.zones(scene.bytes.span, layout: layout, columns: 4, rows: 3)
    #expect(zones.count == 12)
    for (index, zone) in zones.enumerated() {
      let region = PixelRectangle(x: index % 4 * 16, y: index / 4 * 16, width: 16, height: 16)
      #expect(try zone == FrameStatistics(scene.bytes.span, layout: layout, region: region))
    }
  }

  @Test func darkPixelsAreLeftOut() throws {
    let layout = try Self.layout(.rgb8, 2, 1)
    let bytes: [UInt8] = [10, 10, 10, 11, 40, 40]
    let found = try FrameStatistics(bytes.span, layout: layout, darkLevel: 10.0 / 255)
    #expect(found.pixels.dark == 1 && found.pixels.used == 1)
    #expect(found.mean == LinearRGB(red: 11 / 255.0, green: 40 / 255.0, blue: 40 / 255.0))
    let none = try FrameStatistics(bytes.span, layout: layout, darkLevel: 0.5)
    #expect(none.pixels.used == 0 && none.mean == LinearRGB(red: 0, green: 0, blue: 0))
  }

  /// The variance is that of the numbers from which the frame was made.
  @Test(arguments: [
    PixelFormat.bgr8, .rgbFloat, .bayer(.bggr, bits: 12), .subsampled(.yuyv),
  ])
  func variances(format: PixelFormat) throws {
    let layout = try Self.layout(format, 128, 64, transfer: .linear)
    var scene = RenderedFrame(layout, seed: 8)
    scene.render { x, _, _ in SIMD3(0.3, 0.5, 0.2) * (x % 8 < 4 ? 0.8 : 1.2) }
    let found = try FrameStatistics(try scene.frame).variance
    #expect(abs(found.red - 0.0036) <= 2e-4)
    #expect(abs(found.green - 0.01) <= 3e-4)
    #expect(abs(found.blue - 0.0016) <= 2e-4)
  }

  @Test func badLayouts() {
    func error(
      _ format: PixelFormat, _ width: Int, _ height: Int, stride: Int? = nil,
      chroma: [FrameLayout.Plane]? = nil, black: Double = 0, white: Double? = nil
    ) -> FrameError? {
      #expect(throws: FrameError.self) {
        try FrameLayout(
          width: width, height: height, bytesPerRow: stride, format: format, chroma: chroma,
          blackLevel: black, whiteLevel: white)
      }
    }
    let nv12 = PixelFormat.subsampled(.nv12)
    #expect(error(.bgra8, 10, 10, stride: 39) == .badStride(bytesPerRow: 39, needed: 40))
    #expect(error(nv12, 5, 4) == .granularity(width: 5, height: 4, across: 2, down: 2))
    #expect(error(nv12, 4, 5) == .granularity(width: 4, height: 5, across: 2, down: 2))
    #expect(throws: Never.self) { try Self.layout(.subsampled(.yuyv), 4, 5) }
    #expect(
      error(.packedBayer(.rggb, bits: 10), 6, 2)
        == .granularity(width: 6, height: 2, across: 4, down: 1))
    #expect(
      error(.packedBayer(.rggb, bits: 12), 4, 2, stride: 5) == .badStride(bytesPerRow: 5, needed: 6)
    )
    #expect(error(nv12, 4, 4, chroma: []) == .planes(given: 0, needed: 1))
    #expect(
      error(nv12, 4, 4, chroma: [.init(offset: 16, bytesPerRow: 3)])
        == .badStride(bytesPerRow: 3, needed: 4))
    #expect(error(nv12, 4, 4, chroma: [.init(offset: -1, bytesPerRow: 4)]) == .planeOffset(-1))
    #expect(error(.gray(bits: 8), 4, 4, black: 300) == .levels(black: 300, white: 255))
    #expect(error(.rgb8, 4, 4, white: 0.5) == .levels(black: 0, white: 0.5))
    #expect(error(.rgb8, 0, 4) == .empty(width: 0, height: 4))
  }

  /// Every byte that a format reads is within `byteCount`; a buffer with one byte less is too
  /// short.
  @Test(arguments: RenderedFrame.formats) func shortBuffers(format: PixelFormat) throws {
    let layout = try Self.layout(format, padding: 3)
    let bytes = [UInt8](repeating: 40, count: layout.byteCount)
    #expect(throws: Never.self) { try FrameStatistics(bytes.span, layout: layout) }
    let short = Array(bytes.dropLast())
    #expect(throws: FrameError.tooShort(bytes: short.count, needed: bytes.count)) {
      try FrameStatistics(short.span, layout: layout)
    }
    for region in [
      PixelRectangle(x: 63, y: 0, width: 2, height: 2), .init(x: 0, y: 0, width: 0, height: 2),
      .init(x: .max, y: 0, width: 2, height: 2), .init(x: -1, y: 0, width: 2, height: 2),
    ] {
      #expect(throws: FrameError.region(region, width: 64, height: 48)) {
        try FrameStatistics(bytes.span, layout: layout, region: region)
      }
    }
  }

  @Test func halves() {
    #expect(LinearSamples.binary32(0x3C00) == 1)
    #expect(LinearSamples.binary32(0x3555) == Float(0x1.554p-2))
    #expect(LinearSamples.binary32(0x0001) == Float(0x1p-24))
    #expect(LinearSamples.binary32(0x7BFF) == 65504)
    #expect(LinearSamples.binary32(0xC000) == -2)
    #expect(LinearSamples.binary32(0x7C00) == .infinity)
    #expect(LinearSamples.binary32(0x7E00).isNaN)
  }
}
