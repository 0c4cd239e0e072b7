import ColorScience
import Testing

@testable import WhiteBalance

/// Conclusions from tiles with synthetic numbers.
struct TileTests {
  /// Returns a tile of a flat frame of codes 100, 120 and 80 of 200.
  private static func flat() throws -> Tile {
    let layout = try FrameLayout(width: 4, height: 4, format: .rgb8, whiteLevel: 200)
    let bytes = (0..<48).map { UInt8([100, 120, 80][$0 % 3]) }
    let samples = try LinearSamples(of: bytes.span, layout: layout, region: nil)
    var sums = FrameSums()
    let bounds = CodeBounds(low: SIMD4(repeating: 0), high: SIMD4(repeating: 199))
    samples.summation.add(bytes.span, rows: 0..<4, columns: 0..<4, bounds, to: &sums)
    let tile = Tile(
      samples.summation, sums, center: SIMD4(100, 120, 120, 80), steps: SIMD4(repeating: 1),
      middle: SIMD2(2, 2))
    return try #require(tile)
  }

  private static func tile(
    red: Double = 0, blue: Double = 0, green: Double = 0.5, middle: SIMD2<Double> = .zero,
    variance: SIMD3<Double> = .zero
  ) throws -> Tile {
    var tile = try flat()
    tile.mean = SIMD3(green * exponential(red), green, green * exponential(blue))
    tile.meanVariance = variance * tile.mean * tile.mean
    (tile.roundingError, tile.cutOff, tile.middle) = (.zero, .zero, middle)
    return tile
  }

  /// Without noise, a mean may be off by up to half a code.
  @Test func aFlatTile() throws {
    let tile = try Self.flat()
    #expect(tile.count == 16 && tile.meanVariance == .zero && tile.cutOff == .zero)
    let halfACode = 0.25 / 3 / 200 / 200
    for channel in 0..<3 {
      #expect(abs(tile.mean[channel] - [0.5, 0.6, 0.4][channel]) < 1e-7)
      #expect(abs(tile.roundingError[channel] - halfACode) < 1e-12)
    }
  }

  /// Half of the codes are 180 and half 199, so that the deviation is 9.5. White is 1.1 to 4.3
  /// deviations above the mean; up to 4, the mean lacks φ of that distance.
  @Test(arguments: [200, 219, 227, 228, 230])
  func noiseCutOff(level: Int) throws {
    let layout = try FrameLayout(width: 4, height: 4, format: .rgb8, whiteLevel: Double(level))
    let bytes = (0..<48).map { UInt8($0 / 3 % 2 == 0 ? 199 : 180) }
    let samples = try LinearSamples(of: bytes.span, layout: layout, region: nil)
    var sums = FrameSums()
    let bounds = CodeBounds(low: SIMD4(repeating: 0), high: SIMD4(repeating: 199))
    samples.summation.add(bytes.span, rows: 0..<4, columns: 0..<4, bounds, to: &sums)
    let found = Tile(
      samples.summation, sums, center: SIMD4(repeating: 190), steps: SIMD4(repeating: 1),
      middle: .zero)
    let tile = try #require(found)
    let (mean, variance) = (189.5 / Double(level), 90.25 / Double(level * level))
    let distance = (1 - mean) / variance.squareRoot()
    let missing =
      distance < 4
      ? variance.squareRoot() * exponential(-distance * distance / 2)
        / (2 * Double.pi).squareRoot() : 0
    for channel in 0..<3 {
      #expect(abs(tile.mean[channel] - mean) < 1e-7)
      #expect(abs(tile.meanVariance[channel] * 16 / variance - 1) < 0.07)
      #expect(abs(tile.cutOff[channel] - missing) < 0.08 * missing + 1e-12, "\(distance)")
    }
  }

  /// The variance is that of the means, of rounding, and the square of the cut-off, relative to the
  /// squared means; a ratio has the variances of both channels.
  @Test func varianceOfRatios() throws {
    var tile = try Self.flat()
    tile.mean = SIMD3(0.5, 0.25, 0.1)
    tile.meanVariance = SIMD3(1, 2, 3) * 1e-6
    tile.roundingError = SIMD3(4, 5, 6) * 1e-6
    tile.cutOff = SIMD3(1, 2, 3) * 1e-3
    let (red, green, blue) = (6e-6 / 0.25, 11e-6 / 0.0625, 18e-6 / 0.01)
    let found = tile.ratioVariance
    #expect(abs(found.x - red - green) < 1e-12 && abs(found.y - blue - green) < 1e-12)
    // Noise averages out over tiles; rounding does not.
    let mean = [tile, tile, tile, tile].meanLogRatios
    let each = (4.25e-6 / 0.25, 5.5e-6 / 0.0625, 6.75e-6 / 0.01)
    #expect(abs(mean.variance.x - each.0 - each.1) < 1e-12)
    #expect(abs(mean.variance.y - each.2 - each.1) < 1e-12)
    #expect(abs(mean.value.x - logarithm(2)) < 1e-12)
    #expect(abs(mean.value.y - logarithm(0.4)) < 1e-12)
  }

  /// With eight tiles or more, a tile is an outlier if it is off by more than five deviations,
  /// robust or of noise, and by more than half a percent.
  @Test func outliers() throws {
    func kept(_ offset: Double, count: Int = 9, scatter: Double = 0, noise: Double = 0) throws
      -> Bool
    {
      for isRed in [true, false] {
        for sign in [1.0, -1] {
          let tiles = try (0..<count).map { index in
            let value = sign * (index == 0 ? offset : index % 2 == 0 ? scatter : -scatter)
            return try Self.tile(
              red: isRed ? value : 0, blue: isRed ? 0 : value,
              variance: SIMD3(noise * noise, 0, noise * noise))
          }
          let left = tiles.withoutOutliers().count
          if left == count - 1 { return false }
          #expect(left == count)
        }
      }
      return true
    }
    #expect(try kept(0.0049) && !kept(0.0051))
    let apart = try (0..<9).map { try Self.tile(red: $0 == 0 ? 0.05 : 0, blue: 0, variance: .zero) }
    #expect(apart.withoutOutliers(spread: SIMD2(0.046, 0)).count == 9)
    #expect(apart.withoutOutliers(spread: SIMD2(0.045, 9)).count == 8)
    #expect(try kept(0.9, count: 7) && !kept(0.9, count: 8))
    #expect(try kept(0.0499, noise: 0.01) && !kept(0.0501, noise: 0.01))
    // Four tiles are 1 % above the median and four are as far below, which determines the median of
    // the distances.
    let limit = 5 * 1.4826 * 0.02 + 0.01
    #expect(try kept(limit - 0.0001, scatter: 0.01) && !kept(limit + 0.0001, scatter: 0.01))
  }

  /// The color of the brighter half may differ from that of the darker one by a share plus three
  /// standard errors.
  @Test func colorWithBrightness() throws {
    func changes(red: Double = 0, blue: Double = 0, noise: Double = 0) throws -> Bool {
      let tiles = try (0..<8).map { index in
        let isBright = index % 2 == 0
        return try Self.tile(
          red: isBright ? red : 0, blue: isBright ? blue : 0, green: isBright ? 0.6 : 0.4,
          variance: SIMD3(noise * noise, 0, noise * noise))
      }
      return tiles.changesColorWithBrightness(by: 0.02)
    }
    for sign in [1.0, -1] {
      #expect(try !changes(red: sign * 0.0199) && changes(red: sign * 0.0201))
      #expect(try !changes(blue: sign * 0.0199) && changes(blue: sign * 0.0201))
      // Each half has four tiles, so that the difference has half of their variance.
      let limit = 0.02 + 3 * 0.01 / 2.0.squareRoot()
      #expect(try !changes(red: sign * (limit - 1e-4), noise: 0.01))
      #expect(try changes(blue: sign * (limit + 1e-4), noise: 0.01))
    }
  }

  /// The gradient is the change of the logarithm from column to column and from row to row, in any
  /// order of the tiles; the edge of a shadow does not count.
  @Test func gradients() throws {
    func gradient(_ logGreen: (Double, Double) -> Double) throws -> SIMD2<Double> {
      try (0..<30).map { index in
        let place = index * 7 % 30
        let (x, y) = (Double(place % 6) * 8 + 4, Double(place / 6) * 10 + 5)
        return try Self.tile(green: exponential(logGreen(x, y) - 2), middle: SIMD2(x, y))
      }.brightnessGradient
    }
    let plane = try gradient { x, y in 0.003 * x - 0.002 * y }
    #expect(abs(plane.x - 0.003) < 1e-12 && abs(plane.y + 0.002) < 1e-12)
    let shadow = try gradient { x, y in 0.003 * x - 0.002 * y + (x > 30 ? 0.5 : 0) }
    #expect(abs(shadow.x - 0.003) < 1e-12 && abs(shadow.y + 0.002) < 1e-12)
    // Of 25 slopes along the rows, five each of 0, 1, 4, 9 and 16, the 7th to the 19th are
    // averaged.
    let curve = try gradient { x, _ in
      let steps = [0.0, 0, 1, 5, 14, 30]
      return steps[Int((x - 4) / 8)] * 0.008
    }
    #expect(abs(curve.x - 0.001 * (4 * 1 + 5 * 4 + 4 * 9) / 13) < 1e-12)
    #expect(try [Self.tile()].brightnessGradient == .zero)
  }
}
