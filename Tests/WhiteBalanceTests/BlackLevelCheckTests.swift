import ColorScience
import Testing
import WhiteBalanceTestSupport

@testable import WhiteBalance

struct BlackLevelCheckTests {
  /// Returns the estimate of a flat 12-bit frame with the given mean stored values and a layout
  /// with a black level.
  private func estimate(
    _ red: Double, _ green: Double, _ blue: Double, layout: FrameLayout
  ) throws -> GrayCardEstimate {
    var random = SeededRandom(seed: 3)
    var bytes = [UInt8]()
    for _ in 0..<layout.width * layout.height {
      for value in [red, green, blue] {
        // Rounding at random keeps the mean.
        let code = Int(value + random.uniform())
        bytes += [UInt8(code & 255), UInt8(code >> 8)]
      }
    }
    return try GrayCardEstimator().estimate(try Frame(layout: layout, bytes: bytes))
  }

  private func layout(
    black: Double, white: Double = 4095, transfer: TransferFunction = .linear
  ) throws -> FrameLayout {
    try FrameLayout(
      width: 64, height: 64, format: .rgb16, blackLevel: black, whiteLevel: white,
      transfer: transfer)
  }

  /// A Canon 5D has a black level of 129 of 12 bits, which is not subtracted here. The reflectances
  /// of neutral 8, 6.5, 5 and 3.5 are 0.591, 0.362, 0.198 and 0.090; green is 480 for neutral 6.5,
  /// and blue is 0.47 of green. Compared with neutral 6.5, blue is then off by −6.4 % (neutral 8),
  /// +10.7 % (5) and +28.0 % (3.5).
  @Test(arguments: [(0.198, 0.107), (0.591, -0.064), (0.090, 0.280)])
  func aLevelThatIsNotSubtracted(reflectance: Double, error: Double) throws {
    let green = [480, 480 * reflectance / 0.362]
    let layout = try layout(black: 0)
    let patches = try green.map {
      try estimate(1.1 * $0 + 129, $0 + 129, 0.47 * $0 + 129, layout: layout)
    }
    let ratios = patches.map { $0.response.blue / $0.response.green }
    #expect(abs(ratios[1] / ratios[0] - 1 - error) < 0.002)
    let check = try #require(BlackLevelCheck(patches: patches, layout: layout))
    guard case .blackLevel(let level, let standardError) = check.verdict else {
      Issue.record("\(check)")
      return
    }
    #expect(abs(level - 129) < 1, "\(level)")
    #expect(standardError > 1 && standardError < 30, "\(standardError)")
    #expect(abs(check.spread.blue - abs(logarithm(1 + error))) < 0.002)
    #expect(max(check.remainingSpread.red, check.remainingSpread.blue) < 0.003)
    // With that level, the same pixels agree.
    let right = try self.layout(black: level)
    let corrected = try green.map {
      try estimate(1.1 * $0 + 129, $0 + 129, 0.47 * $0 + 129, layout: right)
    }
    let after = try #require(BlackLevelCheck(patches: corrected, layout: right))
    #expect(after.verdict == .agreement)
    #expect(abs(after.fittedLevel - 129) < 1)
  }

  /// With two patches, the fit is exact: (r₁·g₂ − r₂·g₁)/((r₁ − g₁) − (r₂ − g₂)) if one ratio
  /// decides.
  @Test func theStandardErrorIsTheTolerances() throws {
    let layout = try layout(black: 0)
    // Red equals green, so that only blue determines the level.
    let patches = [
      try estimate(1000, 1000, 550, layout: layout), try estimate(300, 300, 200, layout: layout),
    ]
    let check = try #require(BlackLevelCheck(patches: patches, layout: layout))
    // (550·300 − 200·1000)/((550 − 1000) − (200 − 300)) = 100.
    #expect(abs(check.fittedLevel - 100) < 0.5)
    // d ln(b/g)/d offset is 1/200 − 1/100 and 1/900 − 1/450, and each patch is accurate to 1 %.
    let expected = 0.01 * 2.0.squareRoot() / (0.005 - 1.0 / 900)
    #expect(abs(check.standardError / expected - 1) < 0.03)
  }

  /// Two patches can differ in two ratios, each accurate to 1.4 %: chance causes a χ² of 9.2 or
  /// more for one pair in a hundred.
  @Test func whatChanceExplains() throws {
    let layout = try layout(black: 64)
    for (difference, isChance) in [(0.038, true), (0.048, false)] {
      let patches = try [(2000.0, 1.0), (900, 1 + difference)].map { green, more in
        try estimate(0.9 * green * more + 64, green + 64, 0.6 * green + 64, layout: layout)
      }
      let check = try #require(BlackLevelCheck(patches: patches, layout: layout))
      #expect((check.verdict == .agreement) == isChance, "\(difference): \(check.verdict)")
    }
  }

  /// Returns an estimate of linear responses without noise.
  private func patch(_ red: Double, _ green: Double, _ blue: Double) -> GrayCardEstimate {
    let response = LinearRGB(red: red, green: green, blue: blue)
    return GrayCardEstimate(
      response: response, gains: Gains(neutralizing: response), pixels: .none, nonuniformity: 0,
      colorVariation: 0, standardError: .init(red: 0, blue: 0), refusals: [])
  }

  /// The χ² of one case in a hundred by Wilson and Hilferty, f·(1 − 2/9f + 2.326348·√(2/9f))³, is
  /// 9.220506 for the two ratios of two patches and 13.305727 for the four of three.
  @Test(arguments: [(2, 9.220_506_0), (3, 13.305_727_4)])
  func oneCaseInAHundred(count: Int, limit: Double) throws {
    let layout = try layout(black: 64)
    for (share, agrees) in [(1 - 1e-6, true), (1 + 1e-6, false)] {
      for isRed in [true, false] {
        // One of n differs by d: (n − 1)/n·d² divided by the square of 1 %.
        let n = Double(count)
        let factor = exponential(0.01 * (limit * share * n / (n - 1)).squareRoot())
        let patches = (0..<count).map { index in
          patch(
            0.3 * (index == 0 && isRed ? factor : 1), 0.4,
            0.2 * (index == 0 && !isRed ? factor : 1))
        }
        let check = try #require(BlackLevelCheck(patches: patches, layout: layout))
        #expect((check.verdict == .agreement) == agrees)
        #expect(abs(max(check.spread.red, check.spread.blue) - logarithm(factor)) < 1e-9)
        #expect(min(check.spread.red, check.spread.blue) < 1e-12)
      }
    }
  }

  /// The χ² with the best level may be that of one case in 20, 3.746765 for one ratio, and must be
  /// lower by 9 than with the layout's level.
  @Test func whatABlackLevelExplains() throws {
    let layout = try layout(black: 64)
    let scale = 4095.0 - 64
    /// Returns a bright patch and a dark one whose codes are too high by `offset` and whose blue
    /// and red are altered.
    func patches(_ offset: Double, _ spoiled: Double) -> [GrayCardEstimate] {
      [
        patch(0.45, 0.6, 0.3),
        patch(
          0.045 * exponential(spoiled) + offset / scale, 0.06 + offset / scale,
          0.03 * exponential(spoiled) + offset / scale),
      ]
    }
    func square(_ patches: [GrayCardEstimate], at offset: Double) -> Double {
      let ratios = patches.map { LinearRGB($0.response.vector - offset / scale).logRatios }
      let difference = ratios[0] - ratios[1]
      return (difference * difference).sum() / 2 / 0.0001
    }
    /// Returns the least χ², from a grid that is refined repeatedly.
    func best(_ patches: [GrayCardEstimate]) -> Double {
      var (center, reach) = (0.0, 60.0)
      for _ in 0..<12 {
        let places = (-20...20).map { max(-60, min(60, center + reach * Double($0) / 20)) }
        center = places.min { square(patches, at: $0) < square(patches, at: $1) }!
        reach /= 6
      }
      return square(patches, at: center)
    }
    func isExplained(_ patches: [GrayCardEstimate]) throws -> Bool {
      let check = try #require(BlackLevelCheck(patches: patches, layout: layout))
      if case .blackLevel = check.verdict { return true }
      #expect(check.verdict == .disagreement)
      return false
    }
    for (limit, explains) in [(3.7466, true), (3.7469, false)] {
      var (low, high) = (0.0, 0.5)
      for _ in 0..<45 {
        let middle = (low + high) / 2
        if best(patches(40, middle)) < limit { low = middle } else { high = middle }
      }
      #expect(try isExplained(patches(40, low)) == explains, "\(limit) \(low)")
    }
    for (gain, explains) in [(8.999, false), (9.001, true)] {
      var (low, high) = (0.0, 40.0)
      for _ in 0..<45 {
        let middle = (low + high) / 2
        let tried = patches(middle, 0.02)
        if square(tried, at: 0) - best(tried) < gain { low = middle } else { high = middle }
      }
      #expect(square(patches(low, 0.02), at: 0) > 9.3)
      #expect(try isExplained(patches(low, 0.02)) == explains, "\(gain) \(low)")
    }
  }

  @Test func threePatches() throws {
    let layout = try layout(black: 64)
    let patches = try [2000.0, 900, 300].map {
      try estimate(0.6 * $0 + 96, $0 + 96, 0.5 * $0 + 96, layout: layout)
    }
    let check = try #require(BlackLevelCheck(patches: patches, layout: layout))
    guard case .blackLevel(let level, _) = check.verdict else {
      Issue.record("\(check)")
      return
    }
    #expect(abs(level - 96) < 0.5)
    // With another light on the darkest patch, they disagree.
    let mixed = [patches[0], patches[1], try estimate(320, 396, 190, layout: layout)]
    #expect(try #require(BlackLevelCheck(patches: mixed, layout: layout)).verdict == .disagreement)
  }

  /// Differences are rejected if the offset that explains them is not plausible for a camera.
  @Test func levelsThatAreNotPlausible() throws {
    let stated = try layout(black: 256)
    // The range is 3839, of which a 64th is 59.984375.
    #expect(BlackLevelCheck.plausibleLevels(for: stated) == 196.015_625...315.984_375)
    #expect(BlackLevelCheck.plausibleLevels(for: try layout(black: 0)) == 0...682.5)
    let far = try [1500.0, 500].map {
      try estimate(0.6 * $0 + 400, $0 + 400, 0.5 * $0 + 400, layout: stated)
    }
    let check = try #require(BlackLevelCheck(patches: far, layout: stated))
    #expect(check.fittedLevel > 315.9 && check.fittedLevel < 316)
    #expect(check.verdict == .disagreement)
    // Patches of one brightness do not determine the level, and their two colors are two lights.
    let colors = [
      try estimate(900, 1000, 600, layout: stated), try estimate(990, 1000, 600, layout: stated),
    ]
    #expect(
      try #require(BlackLevelCheck(patches: colors, layout: stated)).verdict == .disagreement)
    let same = try #require(
      BlackLevelCheck(patches: [colors[0], colors[0]], layout: stated))
    #expect(same.verdict == .agreement)
    #expect(same.standardError > 4095)
  }

  @Test func whatCannotBeChecked() throws {
    let linear = try layout(black: 0)
    let patch = try estimate(900, 1000, 600, layout: linear)
    #expect(BlackLevelCheck(patches: [patch], layout: linear) == nil)
    #expect(
      BlackLevelCheck(patches: [patch, patch], layout: try layout(black: 0, transfer: .sRGB)) == nil
    )
    #expect(
      BlackLevelCheck(
        patches: [patch, try estimate(4095, 1000, 600, layout: linear)], layout: linear) == nil)
    for tolerance in [0, -0.01, .nan, .infinity] {
      #expect(
        BlackLevelCheck(patches: [patch, patch], layout: linear, tolerance: tolerance) == nil)
    }
  }
}
