import Testing

@testable import WhiteBalance

struct CodeStepsTests {
  /// Returns the steps at codes of a gray frame with one row, for the distances found in a tile.
  private static func steps(
    _ codes: [Int], white: Double = 256, center: [Float], gap: [Float]
  ) throws -> [Float] {
    let layout = try FrameLayout(
      width: codes.count, height: 1, format: .gray(bits: 8), whiteLevel: white)
    let bytes = codes.map { UInt8($0) }
    let samples = try LinearSamples(of: bytes.span, layout: layout, region: nil)
    let found = TypicalCodes(samples, bytes.span, columns: 0..<codes.count, rows: 0..<1)
    var typical = try #require(found)
    typical.center = SIMD4(center)
    typical.gap = SIMD4(gap)
    var steps = CodeSteps(samples)
    let each = steps.steps(at: typical, bytes.span)
    return (0..<4).map { each[$0] }
  }

  /// The tile's distance is used if it changes the light by less than an eighth: 8 of 64.
  @Test func ofTheTile() throws {
    #expect(
      try Self.steps(
        [Int](repeating: 64, count: 40), center: [64, 64, 64, 64], gap: [1, 7, 8, 9])
        == [1, 7, 1, 1])
  }

  /// If a tile has one code, the nearest code on either side in the frame is used, if the frame has
  /// at least 32 codes.
  @Test func ofTheFrame() throws {
    let infinite = [Float](repeating: .infinity, count: 4)
    let many = (0..<30).map { 100 + 4 * $0 }
    func steps(_ codes: [Int], at center: Float) throws -> Float {
      try Self.steps(codes, center: [Float](repeating: center, count: 4), gap: infinite)[3]
    }
    #expect(try steps(many + [90], at: 100) == 1)
    #expect(try steps(many + [90, 80], at: 100) == 4)
    #expect(try steps(many + [90, 80], at: 90) == 10)
    #expect(try steps(many + [240, 250], at: 240) == 10)
    #expect(try steps(many + [240, 254], at: 250) == 4)
    #expect(try steps(many + [240, 241], at: 255) == 14)
    #expect(try steps(many + [240, 255], at: 255) == 15)
    // An eighth of a code below 8 is less than one code; the code nearest to 3 is 0.
    #expect(try steps(many + [0, 200], at: 3) == 1)
    let small = Array(0..<40).map { 5 * $0 }
    #expect(try steps(small, at: 195) == 5)
  }

  /// Code 0 is a neighbor like any other: black is far below it here.
  @Test func zeroIsACode() throws {
    let codes = [0] + (0..<40).map { 50 + $0 }
    let bytes = codes.map { UInt8($0) }
    let layout = try FrameLayout(
      width: codes.count, height: 1, format: .gray(bits: 8), blackLevel: -1000)
    let samples = try LinearSamples(of: bytes.span, layout: layout, region: nil)
    let found = TypicalCodes(samples, bytes.span, columns: 0..<codes.count, rows: 0..<1)
    var typical = try #require(found)
    typical.center = SIMD4(repeating: 9)
    typical.gap = SIMD4(repeating: .infinity)
    var steps = CodeSteps(samples)
    let each = steps.steps(at: typical, bytes.span)
    #expect(each == SIMD4(repeating: 9))
  }

  /// Floating-point numbers have no steps; luma and chroma are not converted to whole codes.
  @Test func otherFormats() throws {
    for (format, expected) in [(PixelFormat.rgbFloat, Float(0)), (.subsampled(.yuyv), 1)] {
      let layout = try FrameLayout(width: 4, height: 2, format: format)
      let bytes = [UInt8](repeating: 60, count: layout.byteCount)
      let samples = try LinearSamples(of: bytes.span, layout: layout, region: nil)
      let found = TypicalCodes(samples, bytes.span, columns: 0..<4, rows: 0..<2)
      var typical = try #require(found)
      typical.gap = SIMD4(repeating: 5)
      var steps = CodeSteps(samples)
      let each = steps.steps(at: typical, bytes.span)
      #expect(each == SIMD4(repeating: expected))
    }
  }

  /// Samples are spread over the frame, whatever the region, and are never in one column only.
  @Test(arguments: [(200, 100, 1), (256, 128, 2), (4, 16_384, 5), (16, 1023, 1), (181, 181, 1)])
  func samplesOfTheFrame(width: Int, height: Int, step: Int) throws {
    let layout = try FrameLayout(width: width, height: height, format: .gray(bits: 16))
    let bytes = (0..<width * height).flatMap { code -> [UInt8] in
      [UInt8(code & 255), UInt8(code >> 8)]
    }
    let samples = try LinearSamples(
      of: bytes.span, layout: layout, region: PixelRectangle(x: 1, y: 2, width: 2, height: 3))
    var found: [Float] = []
    samples.forEachOfFrame(bytes.span) { found.append($0.x) }
    #expect(found == stride(from: 0, to: width * height, by: step).map { Float($0) })
  }

  /// In a color filter array, whole cells are read from the first cell with the region's pattern.
  @Test func cellsOfTheFrame() throws {
    let layout = try FrameLayout(width: 7, height: 5, format: .bayer(.rggb, bits: 8))
    let bytes = (0..<35).map { UInt8($0) }
    func cells(x: Int, y: Int) throws -> [[Float]] {
      let samples = try LinearSamples(
        of: bytes.span, layout: layout, region: PixelRectangle(x: x, y: y, width: 2, height: 2))
      var found: [[Float]] = []
      samples.forEachOfFrame(bytes.span) { codes in found.append((0..<4).map { codes[$0] }) }
      return found
    }
    // Columns 1 to 6 and rows 0 to 3; green, red, blue, green from upper left to lower right.
    let corners = [1, 3, 5, 15, 17, 19]
    #expect(
      try cells(x: 3, y: 2) == corners.map { [$0 + 1, $0, $0 + 8, $0 + 7].map { Float($0) } })
    // Columns 0 to 5 and rows 1 to 4; green, blue, red, green.
    let others = [7, 9, 11, 21, 23, 25]
    #expect(
      try cells(x: 2, y: 3) == others.map { [$0 + 7, $0 + 8, $0, $0 + 1].map { Float($0) } })
  }
}
