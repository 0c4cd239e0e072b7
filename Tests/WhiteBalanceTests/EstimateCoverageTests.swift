import ColorScience
import Testing
import WhiteBalance
import WhiteBalanceTestSupport

/// Gray cards of known color in every format, with realistic disturbances.
struct EstimateCoverageTests {
  /// Returns a card of the given red, green and blue, with noise, a gradient of light, hot pixels
  /// and dust.
  private static func card(
    _ format: PixelFormat, _ light: SIMD3<Double>, transfer: TransferFunction, noise: Double,
    seed: UInt64, isSpoiled: Bool
  ) throws -> Frame {
    let layout = try FrameLayout(width: 48, height: 48, format: format, transfer: transfer)
    let isSubsampled = if case .subsampled = format.arrangement { true } else { false }
    var scene = RenderedFrame(layout, seed: seed)
    scene.render { x, y, random in
      // Dust is the same in all pixels that share chroma.
      let place = UInt64(isSubsampled ? x / 2 : x) << 20 | UInt64(isSubsampled ? y / 2 : y)
      var chance = SeededRandom(seed: seed << 40 | place)
      if isSpoiled {
        let spoiled = chance.uniform()
        if spoiled < 0.01 { return SIMD3(0.98, 0.97, 0.96) }
        if spoiled < 0.03 { return light * 0.4 }
      }
      let shade = 1 + (isSpoiled ? 0.1 : 0) * (Double(x) / 47 - 0.5)
      return light * shade
        * SIMD3(
          1 + noise * random.normal(), 1 + noise * random.normal(), 1 + noise * random.normal())
    }
    return try scene.frame
  }

  private struct Misses {
    var inside = 0
    var total = 0
    var worst = 0.0
    var beyondThree = 0

    mutating func add(_ estimate: GrayCardEstimate, _ light: SIMD3<Double>) {
      let ratios = estimate.logRatios
      let truth = SIMD2(logarithm(light.x / light.y), logarithm(light.z / light.y))
      let errors = SIMD2(estimate.standardError.red, estimate.standardError.blue)
      for lane in 0..<2 {
        let deviation = abs(ratios[lane] - truth[lane]) / errors[lane]
        inside += deviation <= 1.96 ? 1 : 0
        total += 1
        beyondThree += deviation > 3 ? 1 : 0
        worst = max(worst, deviation)
      }
    }
  }

  private static let formats = RenderedFrame.formats.filter { $0.arrangement != .gray }

  /// The truth is within the stated error as often as stated, over 2000 cards of all formats.
  @Test(arguments: [false, true]) func coverage(isSpoiled: Bool) throws {
    var misses = Misses()
    for seed in 0..<2000 as Range<UInt64> {
      var random = SeededRandom(seed: seed)
      let format = Self.formats[Int(seed) % Self.formats.count]
      let light = SIMD3(
        0.2 + 0.4 * random.uniform(), 0.2 + 0.4 * random.uniform(), 0.2 + 0.4 * random.uniform())
      let frame = try Self.card(
        format, light, transfer: seed % 2 == 0 ? .linear : .sRGB, noise: 0.03, seed: seed,
        isSpoiled: isSpoiled)
      let estimate = try GrayCardEstimator(region: .center(1)).estimate(frame)
      #expect(estimate.isAccepted, "\(seed): \(estimate.refusals)")
      misses.add(estimate, light)
    }
    let share = Double(misses.inside) / Double(misses.total)
    #expect((0.93...0.97).contains(share), "\(share)")
    #expect(misses.worst <= 5)
  }

  /// Hardly any of 8 estimates is off by more than three standard errors.
  @Test(arguments: formats) func withinThreeStandardErrors(format: PixelFormat) throws {
    var misses = Misses()
    let place = try #require(Self.formats.firstIndex(of: format))
    for (seed, light) in [(1, SIMD3(0.3, 0.5, 0.25)), (2, SIMD3(0.5, 0.3, 0.2))] {
      for transfer in [TransferFunction.linear, .sRGB] {
        let frame = try Self.card(
          format, light, transfer: transfer, noise: 0.03, seed: UInt64(seed + 10 * place),
          isSpoiled: true)
        misses.add(try GrayCardEstimator(region: .center(1)).estimate(frame), light)
      }
    }
    #expect(misses.beyondThree <= 2 && misses.worst <= 4)
  }

  /// A region with more than half of its pixels at the white level is refused in every format.
  @Test(arguments: formats) func clippedCards(format: PixelFormat) throws {
    let layout = try FrameLayout(width: 64, height: 64, format: format)
    var scene = RenderedFrame(layout, seed: 1)
    scene.render { _, y, _ in y < 34 ? SIMD3(repeating: 1) : SIMD3(0.3, 0.4, 0.2) }
    let estimate = try GrayCardEstimator(region: .center(1)).estimate(try scene.frame)
    #expect(!estimate.isAccepted)
    #expect(
      estimate.refusals.contains {
        if case .clipped(_, let share) = $0 { share > 0.5 } else { false }
      })
  }
}
