import ColorScience
import Testing
import WhiteBalance
import WhiteBalanceTestSupport

/// Cards of which a part is clipped or brighter than the rest; the remaining part gives the result
/// of the whole card.
struct PartlyClippedCardTests {
  private static let response = SIMD3(0.4, 0.6, 0.3)

  private static func estimate(
    seed: UInt64 = 1, format: PixelFormat = .bayer(.rggb, bits: 12), noise: Double = 0.02,
    width: Int = 160, height: Int = 128, _ light: (Int, Int) -> SIMD3<Double>
  ) throws -> GrayCardEstimate {
    let layout = try FrameLayout(width: width, height: height, format: format)
    var frame = RenderedFrame(layout, seed: seed)
    frame.render { x, y, random in
      let normal = SIMD3(random.normal(), random.normal(), random.normal())
      return light(x, y) * (1 + noise * normal)
    }
    return try GrayCardEstimator(region: .center(1)).estimate(try frame.frame)
  }

  private static func deviation(_ estimate: GrayCardEstimate) -> SIMD2<Double> {
    estimate.logRatios
      - SIMD2(logarithm(response.x / response.y), logarithm(response.z / response.y))
  }

  private func expect(
    _ estimate: GrayCardEstimate, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(estimate.isAccepted, "\(estimate.refusals)", sourceLocation: sourceLocation)
    let deviation = Self.deviation(estimate)
    #expect(abs(deviation.x) < 0.002 && abs(deviation.y) < 0.002, sourceLocation: sourceLocation)
  }

  /// A specular reflection is white in a corner, with a glow of its own color around it.
  @Test func aSpecularCorner() throws {
    let estimate = try Self.estimate { x, y in
      let distance = Double(x * x + y * y).squareRoot()
      return Self.response + SIMD3(repeating: distance < 30 ? 2 : distance < 40 ? 0.2 : 0)
    }
    expect(estimate)
    #expect(estimate.pixels.clipped > estimate.pixels.total * 2 / 100)
    #expect("\(estimate.refusals)" == "[]")
  }

  /// Light clips green on a quarter of the card.
  @Test func aGradientThatClipsGreen() throws {
    let estimate = try Self.estimate { x, _ in
      Self.response * (0.9 + Double(x) / 160)
    }
    expect(estimate)
    #expect(estimate.pixels.greenClipped > estimate.pixels.total / 6)
    #expect(estimate.pixels.redClipped == 0)
  }

  /// Light clips only green on half of the card or more; red and blue show that it is the same
  /// card.
  @Test func aGradientThatClipsGreenOnHalf() throws {
    for (low, seed) in [(1.2, 1), (1.25, 2), (1.3, 3)] as [(Double, UInt64)] {
      let estimate = try Self.estimate(seed: seed) { x, _ in
        Self.response * (low + 0.9 * Double(x) / 160)
      }
      expect(estimate)
      #expect(estimate.pixels.greenClipped > estimate.pixels.total * 2 / 5)
      #expect(estimate.pixels.redClipped == 0)
    }
    // Another surface next to the card, whose green is also clipped.
    let other = try Self.estimate { x, _ in
      x < 80 ? SIMD3(0.6, 1.3, 0.3) : Self.response
    }
    #expect(other.refusals.contains { if case .clipped = $0 { true } else { false } })
  }

  @Test func aFallOff() throws {
    expect(try Self.estimate { x, _ in Self.response * (0.5 + 0.75 * Double(x) / 159) })
    expect(try Self.estimate { x, y in Self.response * (x < 80 ? 1.3 : 0.4) })
  }

  /// The stated errors hold with parts excluded, whatever the direction of the clipped part's edge.
  @Test func coverage() throws {
    var (inside, total) = (0, 0)
    for seed in 0..<400 as Range<UInt64> {
      var random = SeededRandom(seed: seed)
      let (low, angle) = (0.7 + 0.3 * random.uniform(), 2 * Double.pi * random.uniform())
      let direction = SIMD2(cosine(angle), sine(angle))
      let estimate = try Self.estimate(
        seed: seed, format: seed % 2 == 0 ? .rgb16 : .bayer(.gbrg, bits: 12), noise: 0.06,
        width: 96, height: 96
      ) { x, y in
        let place: SIMD2<Double> = SIMD2(Double(x), Double(y)) / 96 - 0.5
        let across = (place * direction).sum() + 0.5
        return Self.response * (low + 0.9 * across)
      }
      guard estimate.isAccepted else { continue }
      let errors = SIMD2(estimate.standardError.red, estimate.standardError.blue)
      let deviation = Self.deviation(estimate)
      for lane in 0..<2 {
        inside += abs(deviation[lane]) <= 1.96 * errors[lane] ? 1 : 0
        total += 1
      }
    }
    #expect(total > 600, "\(total)")
    let share = Double(inside) / Double(total)
    #expect((0.93...0.97).contains(share), "\(share)")
  }

  /// Noise that reaches white is cut off everywhere; the error includes the effect on the mean.
  @Test func noiseThatReachesWhite() throws {
    var inside = 0
    for seed in 0..<50 as Range<UInt64> {
      // White is 2.7 standard deviations of green away.
      let estimate = try Self.estimate(seed: seed, noise: 0.25, width: 320, height: 256) { _, _ in
        Self.response
      }
      #expect(estimate.isAccepted, "\(estimate.refusals)")
      let error = estimate.standardError.blue
      inside += abs(Self.deviation(estimate).y) <= 1.96 * error ? 1 : 0
    }
    #expect(inside >= 46)
  }

  /// Cards with other defects that make gains wrong are still refused.
  @Test func otherReasons() throws {
    func refusal(_ light: (Int, Int) -> SIMD3<Double>) throws -> GrayCardEstimate.Refusal? {
      try Self.estimate(light).refusals.first
    }
    // Half of the card is clipped.
    let half = try refusal { x, _ in x < 80 ? SIMD3(repeating: 2) : Self.response }
    #expect(half == .clipped(.green, share: 0.5))
    // A darker surface of nearly the same color: the table next to the card.
    let table = SIMD3(0.4 * 1.06, 0.6, 0.3 * 0.95) * 0.4
    #expect(try refusal { x, _ in x < 70 ? table : Self.response } != nil)
    // A second light reaches the other end of the card.
    let drift = try refusal { x, _ in
      let place = Double(x) / 159
      return Self.response * SIMD3(0.95 + 0.1 * place, 1, 1) * (0.4 + 0.9 * place)
    }
    guard case .uneven? = drift else {
      Issue.record("two lights are taken for one")
      return
    }
    let two = try refusal { x, _ in x < 70 ? SIMD3(0.6, 0.6, 0.2) : Self.response }
    guard case .mixedColors? = two else {
      Issue.record("two colors are taken for one")
      return
    }
  }
}
