import Foundation
import Testing

@testable import WhiteBalance

struct RoundingErrorTests {
  /// Returns the error of the mean of a normal distribution after rounding to whole numbers, by
  /// summation over these.
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

  /// Tests the mean square over all positions between two codes, for codes of any width.
  @Test(arguments: [0.45, 0.5, 0.6], [1, 0.25])
  func exactBias(deviation: Double, width: Double) {
    let square = (0..<40).reduce(0.0) { sum, place in
      let bias = Self.bias(mean: Double(place) / 40, deviation: deviation)
      return sum + bias * bias / 40
    }
    // Rounding adds a twelfth of a squared code to the variance.
    let variance = deviation * deviation + 1.0 / 12
    let found = roundingVariance(variance * width * width, codeWidth: width)
    #expect(abs(found / (square * width * width) - 1) < 0.02)
  }

  /// With a share p at the upper of two codes, the true mean may be anywhere within |p − ½| of the
  /// middle. The variance is a third of the square: 0.4²/3 for a share of a tenth.
  @Test func samplesOfTwoCodes() {
    #expect(abs(roundingVariance(0.1 * 0.9) - 0.16 / 3) < 1e-15)
    #expect(abs(roundingVariance(0) - 0.25 / 3) < 1e-15)
    #expect(abs(roundingVariance(4 * 0.1 * 0.9, codeWidth: 2) - 4 * 0.16 / 3) < 1e-15)
  }
}
