import ColorScience
import Foundation
import Testing
import WhiteBalance
import WhiteBalanceTestSupport

struct GainsTests {
  @Test func normalizedIsAvFoundationsNormalization() {
    #expect(
      Gains(red: 2, green: 2, blue: 4).normalized(to: .smallest) == Gains(red: 1, green: 1, blue: 2)
    )
    let warm = Gains(red: 0.8, green: 1, blue: 3.2).normalized(to: .smallest)
    #expect(warm == Gains(red: 1, green: 1.25, blue: 4))
    #expect(warm.normalized(to: .smallest) == warm)
    #expect(Gains(red: .nan, blue: 2).normalized(to: .smallest).red.isNaN)
    #expect(Gains(red: 0, blue: 2).normalized(to: .smallest) == Gains(red: 0, blue: 2))
  }

  /// Normalizing makes the smallest gain exactly 1, keeps the ratios and is idempotent.
  @Test func normalizingAnyGains() {
    forAll(.gains(in: 0.01...100)) { gains in
      let once = gains.normalized(to: .smallest)
      let factors = once.vector / gains.vector
      return once.arePositiveAndFinite && once.vector.min() == 1
        && factors.max() - factors.min() <= 1e-14 * factors.max()
        && once.normalized(to: .smallest) == once
    }
  }

  /// Gains make a response neutral, and a change of exposure leaves them unchanged.
  @Test func neutralizingAnyResponse() {
    forAll(zip(.responses, .number(in: 0.01...1, simplest: 0.5))) { response, exposure in
      guard let gains = Gains(neutralizing: response),
        let other = Gains(neutralizing: LinearRGB(response.vector * exposure))
      else { return false }
      let balanced = response.vector * gains.vector
      let change = other.vector / gains.vector - 1
      return gains.arePositiveAndFinite && other.arePositiveAndFinite
        && balanced.max() - balanced.min() <= 1e-12 * balanced.max()
        && max(change.max(), -change.min()) <= 1e-12
    }
  }

  @Test func neutralizing() {
    #expect(
      Gains(neutralizing: LinearRGB(red: 0.25, green: 0.5, blue: 0.125))
        == Gains(red: 2, green: 1, blue: 4))
    for bad in [SIMD3(0, 1, 1), SIMD3(1, -1, 1), SIMD3(1, 1, .nan), SIMD3(.infinity, 1, 1)] {
      #expect(Gains(neutralizing: LinearRGB(bad)) == nil)
    }
  }

  @Test func theEndsOfARangeBelongToIt() throws {
    try Gains(red: 1, green: 1, blue: 4).validated(in: 1...4)
    #expect(throws: GainRangeError.self) {
      try Gains(red: 1, blue: 4.0.nextUp).validated(in: 1...4)
    }
    #expect(throws: GainRangeError.self) {
      try Gains(red: 1.0.nextDown, blue: 4).validated(in: 1...4)
    }
  }

  /// In each channel, the limits of a range are accepted and the next number beyond them is not.
  @Test func validationIsExact() {
    forAll(
      zip(
        .number(in: 0.01...2, simplest: 1), .number(in: 2...100, simplest: 4),
        .element(of: ColorChannel.allCases))
    ) { low, high, channel in
      func accepts(_ value: Double, others: Double) -> Bool {
        let gains = Gains(
          red: channel == .red ? value : others, green: channel == .green ? value : others,
          blue: channel == .blue ? value : others)
        return (try? gains.validated(in: low...high)) != nil
      }
      return accepts(low, others: low) && !accepts(low.nextDown, others: high)
        && accepts(high, others: low) && !accepts(high.nextUp, others: high)
        && !accepts(.nan, others: low)
    }
  }

  @Test func anErrorNamesEveryChannelByHowMuchAndWhatFits() throws {
    let error = try #require(
      #expect(throws: GainRangeError.self) {
        try Gains(red: 0.5, green: 0.8, blue: 1.6).validated(in: 1...4)
      })
    #expect(error.violations.map(\.channel) == [.red, .green])
    #expect(error.violations.map(\.factor) == [0.5, 0.8])
    #expect(error.nearest == Gains(red: 1, green: 1.6, blue: 3.2))
    #expect(error.description.contains("red gain 0.5000 is 50.00 % below the smallest, 1.000"))
    #expect(error.description.contains("red 1.000, green 1.600, blue 3.200"))
  }

  @Test func nothingFitsWhatIsTooWide() throws {
    let error = try #require(
      #expect(throws: GainRangeError.self) {
        try Gains(red: 1, green: 1, blue: 5).validated(in: 1...4)
      })
    #expect(error.nearest == nil)
    #expect(error.description.contains("blue gain 5.000 is 25.00 % above the largest, 4.000"))
    #expect(error.description.contains("no gains with this color are in range"))
  }

  /// The nearest gains are in range and keep their ratios, even if a division rounds outward.
  @Test func nearestGainsKeepTheirColor() throws {
    for step in 1...2000 {
      let gains = Gains(red: 0.3 + Double(step) * 0.0017, green: 0.31, blue: 0.9)
      guard let nearest = gains.rescaled(into: GainRange(1...4)) else {
        #expect(gains.normalized(to: .smallest).vector.max() > 4 * (1 - 1e-15))
        continue
      }
      try nearest.validated(in: 1...4)
      let red: Double = gains.red / gains.green
      let blue: Double = gains.blue / gains.green
      #expect(abs(nearest.red / nearest.green / red - 1) < 1e-15)
      #expect(abs(nearest.blue / nearest.green / blue - 1) < 1e-15)
    }
  }

  /// Gains in range are unchanged; others are multiplied by the factor nearest to 1 that is
  /// sufficient.
  @Test func rescaling() {
    let range = GainRange(red: 1...4, green: 1...2, blue: 0.5...8)
    func rescaled(_ red: Double, _ green: Double, _ blue: Double) -> Gains? {
      Gains(red: red, green: green, blue: blue).rescaled(into: range)
    }
    #expect(rescaled(3, 1.5, 7) == Gains(red: 3, green: 1.5, blue: 7))
    #expect(rescaled(0.5, 0.5, 1) == Gains(red: 1, green: 1, blue: 2))
    #expect(rescaled(8, 3, 4) == Gains(red: 4, green: 1.5, blue: 2))
    // Red at 4 times green fits exactly, and slightly more does not.
    #expect(rescaled(4, 1, 1) == Gains(red: 4, green: 1, blue: 1))
    #expect(rescaled(4.01, 1, 1) == nil)
    #expect(rescaled(0, 1, 1) == nil && rescaled(.nan, 1, 1) == nil)
    let negative = GainRange(red: -2 ... -1, green: -2 ... -1, blue: -2 ... -1)
    #expect(Gains(red: 1, blue: 1).rescaled(into: negative) == nil)
  }

  /// A gain of −1 is not reported as a percentage below the smallest.
  @Test(arguments: [-1, 0, -Double.infinity])
  func aGainThatIsNotPositive(gain: Double) throws {
    let error = try #require(
      #expect(throws: GainRangeError.self) { try Gains(red: gain, blue: 2).validated(in: 1...4) })
    #expect(error.description.hasPrefix("red gain \(shortNumber(gain)) is not positive; no gains"))
  }

  @Test func codingAndDescription() throws {
    func decoded(_ text: String) throws -> Gains {
      try JSONDecoder().decode(Gains.self, from: Data(text.utf8))
    }
    #expect(try decoded(#"{"red":1.4,"blue":2}"#) == Gains(red: 1.4, blue: 2))
    let gains = Gains(red: 1.25, green: 1.5, blue: 1)
    #expect(try decoded(String(decoding: JSONEncoder().encode(gains), as: UTF8.self)) == gains)
    #expect("\(gains)" == "red 1.250, green 1.500, blue 1.000")
  }

  @Test func notANumberIsOutOfEveryRange() throws {
    let error = try #require(
      #expect(throws: GainRangeError.self) {
        try Gains(red: .nan, blue: 2).validated(in: 1...4)
      })
    #expect(error.violations.map(\.channel) == [.red])
    #expect(error.nearest == nil)
    #expect(error.description.contains("red gain is not a number"))
  }
}
