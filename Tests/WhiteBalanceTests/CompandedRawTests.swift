import ColorScience
import Testing
import WhiteBalance
import WhiteBalanceTestSupport

/// Raw samples of 14 bits that were stored in 8 bits through a table of square roots and are read
/// as the table's values.
struct CompandedRawTests {
  private static let white = 16_383.0
  private static let table = (0...255).map { (white * Double($0 * $0) / 65_025).rounded() }

  private static func companded(_ value: Double) -> Double {
    table[Int((max(0, min(1, value / white)).squareRoot() * 255).rounded())]
  }

  /// Returns the distance between values of the table at a value.
  private static func step(at value: Double) -> Double { 2 * (value * white).squareRoot() / 255 }

  /// Returns a card with noise of a share of the table's step, next to a wedge of all values.
  private static func frame(
    _ card: SIMD3<Double>, noise: Double, stored: (Double) -> Double, seed: UInt64
  ) throws -> Frame {
    let (width, height) = (160, 96)
    let layout = try FrameLayout(
      width: width, height: height, format: .bayer(.rggb, bits: 16), whiteLevel: white)
    var random = SeededRandom(seed: seed)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(layout.byteCount)
    for y in 0..<height {
      for x in 0..<width {
        let place = y / 2 * 16 + x / 2
        let wedge = Double(place) / Double(16 * height / 2) * white
        let mean = x < 32 ? wedge : card[x % 2 + y % 2]
        let noisy: Double = mean + noise * step(at: mean) * random.normal()
        let value = UInt16(stored(noisy).rounded())
        bytes.append(UInt8(value & 255))
        bytes.append(UInt8(value >> 8))
      }
    }
    return try Frame(layout: layout, bytes: bytes)
  }

  private struct Tally {
    var inside = 0
    var total = 0
    var squares = 0.0
    var widest = 0.0
  }

  private static func tally(
    noise: Double, seeds: Range<UInt64>, stored: (Double) -> Double = companded
  ) throws -> Tally {
    var tally = Tally()
    for seed in seeds {
      var random = SeededRandom(seed: seed &* 77)
      let card = SIMD3(
        2000 + 9000 * random.uniform(), 2000 + 9000 * random.uniform(),
        1000 + 6000 * random.uniform())
      let region = GrayCardEstimator.Region.rectangle(
        PixelRectangle(x: 40, y: 8, width: 112, height: 80))
      let estimate = try GrayCardEstimator(region: region).estimate(
        frame(card, noise: noise, stored: stored, seed: seed))
      #expect(estimate.isAccepted, "\(seed): \(estimate.refusals)")
      let truth = SIMD2(logarithm(card.x / card.y), logarithm(card.z / card.y))
      let errors = SIMD2(estimate.standardError.red, estimate.standardError.blue)
      for lane in 0..<2 {
        let deviation = abs(estimate.logRatios[lane] - truth[lane])
        tally.inside += deviation <= 1.96 * errors[lane] ? 1 : 0
        tally.total += 1
        tally.squares += deviation * deviation
        tally.widest = max(tally.widest, errors[lane])
      }
    }
    return tally
  }

  /// The truth is in the stated 95 % interval for noise below and above the step.
  @Test(arguments: [0, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.7, 1, 2])
  func coverage(noise: Double) throws {
    let tally = try Self.tally(noise: noise, seeds: 0..<100)
    let share = Double(tally.inside) / Double(tally.total)
    #expect(share >= 0.93, "\(share)")
    // Steps are 1…2 % of these levels; the stated error is not larger than that.
    #expect(tally.widest < (noise < 0.5 ? 0.012 : 0.003), "\(tally.widest)")
  }

  /// Neighboring values of the table are not treated as dust: an estimate is as accurate as their
  /// mean.
  @Test(arguments: [0.3, 0.4, 0.5, 0.7]) func nothingIsLeftOut(noise: Double) throws {
    // Bounds from exp(−2π²σ²)/π steps of up to 1.5 %, in each of two channels.
    let tally = try Self.tally(noise: noise, seeds: 0..<50)
    let deviation = (tally.squares / Double(tally.total)).squareRoot()
    let bound = 0.015 * exponential(-2 * .pi * .pi * noise * noise) / .pi + 0.0006
    #expect(deviation < bound, "\(deviation) \(bound)")
  }

  /// Codes of 8 bits are shifted to the top of 16 bits.
  @Test(arguments: [0.1, 0.3, 1]) func shiftedCodes(noise: Double) throws {
    let tally = try Self.tally(noise: noise, seeds: 0..<100) {
      ($0 / 64).rounded() * 64
    }
    #expect(Double(tally.inside) >= 0.93 * Double(tally.total))
  }

  /// If the noise is many codes wide, no step is detected and the error is unchanged.
  @Test func plainCodes() throws {
    let tally = try Self.tally(noise: 1, seeds: 0..<200) { max(0, $0) }
    let share = Double(tally.inside) / Double(tally.total)
    #expect((0.92...0.98).contains(share), "\(share)")
  }
}
