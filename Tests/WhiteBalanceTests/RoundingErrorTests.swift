import Foundation
import Testing

@testable import WhiteBalance

struct RoundingErrorTests {
  /// How far off the mean of a normal distribution is after rounding to whole numbers, by sums over
  /// these.
  private static func bias(mean: Double, deviation: Double) -> Double {
    func below(_ value: Double) -> Double {
      erfc((mean - value) / (deviation * 2.0.squareRoot())) / 2
    }
    var sum = -mean
    for code in stride(from: -9.0, through: 10, by: 1) {
      sum += code * (below(code + 0.5) - below(code - 0.5))
    }
    return sum
  }

  /// The mean square over all places between two codes, of codes of any width.
  @Test(arguments: [0.45, 0.5, 0.6], [1, 0.25])
  func exactBias(deviation: Double, width: Double) {
    let square = (0..<40).reduce(0.0) { sum, place in
      let bias = Self.bias(mean: Double(place) / 40, deviation: deviation)
      return sum + bias * bias / 40
    }
    // Rounding adds a twelfth of a code squared to the variance.
    let variance = deviation * deviation + 1.0 / 12
    let found = roundingVariance(variance * width * width, codeWidth: width)
    #expect(abs(found / (square * width * width) - 1) < 0.02)
  }

  /// Of samples of two codes a share p may stand for any mean within |p − ½| of the middle, whose
  /// variance is a third of the square: for a tenth of ones 0.4²/3.
  @Test func samplesOfTwoCodes() {
    #expect(abs(roundingVariance(0.1 * 0.9) - 0.16 / 3) < 1e-15)
    #expect(abs(roundingVariance(0) - 0.25 / 3) < 1e-15)
    #expect(abs(roundingVariance(4 * 0.1 * 0.9, codeWidth: 2) - 4 * 0.16 / 3) < 1e-15)
  }
}
