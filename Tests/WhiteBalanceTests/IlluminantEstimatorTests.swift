import ColorScience
import Testing
import WhiteBalance

/// A scene of 40×32 pixels in blocks of 4×4 with random colors, under a light of red 0.5, green 1,
/// blue 0.25; 16 bits, linear.
private struct BlockScene {
  var format = PixelFormat.rgb16
  var black = 0.0
  /// Returns a stored value that replaces all channels of a pixel, or `nil`.
  var spoil: (Int, Int) -> Int? = { _, _ in nil }

  func frame() throws -> Frame {
    let layout = try FrameLayout(width: 40, height: 32, format: format, blackLevel: black)
    // The expected means depend on this sequence of numbers.
    var state: UInt64 = 1
    func random() -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33)
    }
    let blocks = (0..<80).map { _ in (0..<3).map { _ in random() % 60_000 + 2_000 } }
    var bytes = [UInt8]()
    for row in 0..<32 {
      for column in 0..<40 {
        let color = blocks[row / 4 * 10 + column / 4]
        for value in [color[0] / 2, color[1], color[2] / 4] {
          let stored = spoil(column, row) ?? value + Int(black)
          bytes += [UInt8(stored & 255), UInt8(stored >> 8)]
        }
      }
    }
    return try Frame(layout: layout, bytes: bytes)
  }
}

struct IlluminantEstimatorTests {
  private func expect(
    _ estimate: SceneEstimate, red: Double, blue: Double, within tolerance: Double = 2e-6,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let response = estimate.response
    #expect(abs(response.red / response.green - red) < tolerance, sourceLocation: sourceLocation)
    #expect(abs(response.blue / response.green - blue) < tolerance, sourceLocation: sourceLocation)
    let gains = try #require(estimate.gains, sourceLocation: sourceLocation).relativeToGreen
    #expect(abs(gains.red * red - 1) < 2 * tolerance / red, sourceLocation: sourceLocation)
    #expect(abs(gains.blue * blue - 1) < 2 * tolerance / blue, sourceLocation: sourceLocation)
  }

  /// A NaN pixel counts as clipped, because its light is not known.
  @Test func pixelsThatAreNoNumbers() throws {
    let layout = try FrameLayout(width: 8, height: 8, format: .rgbFloat)
    var bytes: [UInt8] = []
    for pixel in 0..<64 {
      for light in [pixel == 9 ? Float.nan : 0.5, 0.25, 0.125] {
        bytes += (0..<4).map { UInt8(truncatingIfNeeded: light.bitPattern >> (8 * UInt32($0))) }
      }
    }
    let frame = try Frame(layout: layout, bytes: bytes)
    let estimators: [any IlluminantEstimator] = [
      ShadesOfGray.grayWorld, ShadesOfGray(norm: 6)!, WhitePatch(percentile: 100)!,
    ]
    for estimator in estimators {
      let estimate = try estimator.estimate(frame)
      try expect(estimate, red: 2, blue: 0.5)
      #expect(estimate.pixels.clipped == 1 && estimate.pixels.used == 63)
    }
  }

  /// The results agree with the formulas computed with NumPy in double precision.
  @Test(arguments: [
    (1, 0.423177, 0.227632), (2, 0.450608, 0.236961), (6, 0.489535, 0.249122),
    (50, 0.498337, 0.254662), (Double.infinity, 0.493186, 0.253481),
  ])
  func theMinkowskiMeans(norm: Double, red: Double, blue: Double) throws {
    let estimate = try #require(ShadesOfGray(norm: norm)).estimate(try BlockScene().frame())
    try expect(estimate, red: red, blue: blue)
    #expect(estimate.pixels == .init(total: 1280, used: 1280))
  }

  @Test(arguments: [
    (50, 0.386508, 0.231723), (95, 0.499135, 0.253262), (99, 0.493186, 0.253481),
    (100, 0.493186, 0.253481),
  ])
  func thePercentiles(percentile: Double, red: Double, blue: Double) throws {
    let estimate = try #require(WhitePatch(percentile: percentile))
      .estimate(try BlockScene().frame())
    try expect(estimate, red: red, blue: blue)
    #expect(estimate.pixels.used == 1280)
  }

  private static let estimators: [any IlluminantEstimator] = {
    let optional: [(any IlluminantEstimator)?] = [
      ShadesOfGray.grayWorld, ShadesOfGray(norm: 6), ShadesOfGray(norm: .infinity), WhitePatch(),
      WhitePatch(percentile: 100),
    ]
    return optional.compactMap { $0 }
  }()

  /// A mean of logarithms would be pulled down by one black pixel, and a mean that includes clipped
  /// white pixels would be pulled toward no correction.
  @Test(arguments: estimators.indices)
  func blackAndClippedPixelsDoNotDecide(index: Int) throws {
    let estimator = Self.estimators[index]
    let clean = try #require(try estimator.estimate(try BlockScene().frame()).gains)
    var scene = BlockScene()
    scene.spoil = { $0 < 1 && $1 < 1 ? 0 : nil }
    let black = try estimator.estimate(try scene.frame())
    #expect(black.pixels.dark == 1)
    let blackGains = try #require(black.gains)
    #expect((blackGains.vector / clean.vector - 1).max() < 2e-3)
    #expect((blackGains.vector / clean.vector - 1).min() > -2e-3)
    // A quarter of the frame, away from the brightest part, is overexposed.
    scene.spoil = { $1 >= 24 ? 65_535 : nil }
    let clipped = try estimator.estimate(try scene.frame())
    #expect(clipped.pixels.clipped == 320)
    var upper = try BlockScene().frame()
    upper.layout = try FrameLayout(width: 40, height: 24, format: .rgb16)
    #expect(clipped.gains == (try estimator.estimate(upper).gains))
  }

  /// The region, the black level and the order of the samples do not affect the light.
  @Test(arguments: estimators.indices)
  func regionsAndBlackLevels(index: Int) throws {
    let estimator = Self.estimators[index]
    let region = PixelRectangle(x: 0, y: 0, width: 40, height: 24)
    var cut = try BlockScene().frame()
    cut.layout = try FrameLayout(width: 40, height: 24, format: .rgb16)
    let expected = try #require(try estimator.estimate(cut).gains)
    var scene = BlockScene()
    scene.black = 1_000
    let gains = try #require(try estimator.estimate(try scene.frame(), region: region).gains)
    #expect((gains.vector / expected.vector - 1).max() < 1e-4)
    #expect((gains.vector / expected.vector - 1).min() > -1e-4)
    var frame = try scene.frame()
    frame.layout = try FrameLayout(width: 40, height: 32, format: .rgb16)
    let wrong = try #require(try estimator.estimate(frame, region: region).gains)
    #expect(wrong.blue / wrong.green / expected.blue * expected.green < 0.99)
  }

  /// The brightest pixel is found exactly, wherever it is.
  @Test(arguments: [(0, 0), (0, 31), (39, 0), (39, 31), (17, 9)])
  func theBrightestPixel(column: Int, row: Int) throws {
    var scene = BlockScene()
    scene.spoil = { $0 == column && $1 == row ? 65_432 : nil }
    let brightest = try #require(WhitePatch(percentile: 100))
    let response = try brightest.estimate(try scene.frame()).response
    for light in [response.red, response.green, response.blue] {
      #expect(light == Double(Float(65_432) / 65_535))
    }
  }

  @Test(arguments: estimators.indices)
  func nothingUsableHasNoGains(index: Int) throws {
    let estimator = Self.estimators[index]
    for (value, clipped) in [(0, false), (60, false), (65_535, true)] {
      var scene = BlockScene()
      scene.spoil = { column, row in value == 60 ? (column * 7 + row) % 60 : value }
      let estimate = try estimator.estimate(try scene.frame())
      #expect(estimate.gains == nil)
      #expect(estimate.pixels.used == 0)
      #expect(estimate.pixels.clipped == (clipped ? 1280 : 0))
      #expect(estimate.pixels.dark == (clipped ? 0 : 1280))
    }
  }

  /// The cells of an array are read as pixels: red 0.4, green 0.5, blue 0.25 in two brightnesses.
  @Test(arguments: estimators.indices)
  func aColorFilterArray(index: Int) throws {
    let layout = try FrameLayout(width: 96, height: 96, format: .bayer(.gbrg, bits: 12))
    var bytes = [UInt8]()
    for row in 0..<96 {
      for column in 0..<96 {
        let color = row & 1 == column & 1 ? 2000 : row & 1 == 0 ? 1000 : 1600
        let stored = color / (column < 48 && row < 48 ? 2 : 1)
        bytes += [UInt8(stored & 255), UInt8(stored >> 8)]
      }
    }
    let estimate = try Self.estimators[index].estimate(Frame(layout: layout, bytes: bytes))
    try expect(estimate, red: 0.8, blue: 0.5, within: 1e-5)
    #expect(estimate.pixels.total == 9216)
    #expect(estimate.pixels.used % 4 == 0)
  }

  @Test func whatIsNoFrame() throws {
    let frame = try BlockScene().frame()
    for estimator in Self.estimators {
      let outside = PixelRectangle(x: 39, y: 0, width: 2, height: 1)
      #expect(throws: FrameError.region(outside, width: 40, height: 32)) {
        try estimator.estimate(frame, region: outside)
      }
      let short = [UInt8](frame.bytes.dropLast())
      #expect(throws: FrameError.tooShort(bytes: 7679, needed: 7680)) {
        try estimator.estimate(short.span, layout: frame.layout, region: nil)
      }
    }
  }

  /// Tests the exponent and percentile of the publications, and the ends of the ranges.
  @Test func defaultsAndEnds() throws {
    #expect(ShadesOfGray.grayWorld.norm == 1 && ShadesOfGray()?.norm == 6)
    #expect(ShadesOfGray(norm: 1) != nil && WhitePatch()?.percentile == 99)
  }

  /// The estimate of one pixel does not depend on the exponent.
  @Test(arguments: [1, 6, .infinity] as [Double])
  func onePixel(norm: Double) throws {
    let layout = try FrameLayout(width: 1, height: 1, format: .rgb8)
    let estimate = try #require(ShadesOfGray(norm: norm)).estimate(
      Frame(layout: layout, bytes: [51, 102, 204]))
    try expect(estimate, red: 0.5, blue: 2)
    #expect(abs(estimate.response.green - 0.4) < 1e-6)
  }

  @Test func parametersOutsideTheirRange() {
    for norm in [0.99, 0, -1, -.infinity, .nan] { #expect(ShadesOfGray(norm: norm) == nil) }
    for percentile in [0, -1, 100.1, .nan, .infinity] {
      #expect(WhitePatch(percentile: percentile) == nil)
    }
  }
}
