import ColorScience
import Foundation
import Testing
import WhiteBalance

struct GainUncertaintyTests {
  /// Returns a table with variances of 1, 2 … 14 at 40, 80 … 560 mired, and twice as much for the
  /// class of other lights.
  private static func table() throws -> GainUncertainty {
    func rows(_ factor: Int) -> String {
      let rows = (1...14).map {
        "{\"red\":\($0 * factor),\"blue\":\(10 * $0 * factor),\"redBlue\":\(-$0 * factor)}"
      }
      return "[" + rows.joined(separator: ",") + "]"
    }
    let text = "{\"general\":\(rows(1)),\"byClass\":{\"led\":\(rows(2))}}"
    return try JSONDecoder().decode(GainUncertainty.self, from: Data(text.utf8))
  }

  /// Variances are interpolated linearly and constant beyond the ends.
  @Test(arguments: [
    (-100.0, 1.0), (0, 1), (30, 1), (40, 1), (50, 1.25), (60, 1.5), (79, 1.975), (80, 2),
    (300, 7.5), (550, 13.75), (560, 14), (600, 14), (3000, 14),
  ])
  func betweenPlaces(mired: Double, variance: Double) throws {
    let table = try Self.table()
    let light = Chromaticity(CorrelatedColorTemperature(mired: mired, duv: 0.01))
    for (lightClass, factor) in [(nil, 1.0), (LightClass.thermal, 1), (.led, 2)] {
      let found = try #require(table.covariance(at: light, lightClass: lightClass))
      #expect(abs(found.red - variance * factor) < 1e-9)
      #expect(abs(found.blue - 10 * variance * factor) < 1e-8)
      #expect(abs(found.redBlue + variance * factor) < 1e-9)
    }
  }

  /// The variance of 3·red − 2·blue is 9·0.04 + 4·0.09 − 12·(−0.02) = 0.96, that of red alone 0.04.
  @Test func errorsOfNumbers() throws {
    let text = #"{"red":0.04,"blue":0.09,"redBlue":-0.02}"#
    let covariance = try JSONDecoder().decode(
      GainUncertainty.Covariance.self, from: Data(text.utf8))
    let errors = try #require(
      covariance.standardErrors { off in [7 + 3 * off.x - 2 * off.y, off.x, -5 * off.y] })
    for (found, expected) in zip(errors, [(0.96).squareRoot(), 0.2, 1.5]) {
      #expect(abs(found - expected) < 1e-8)
    }
    #expect(covariance.standardErrors == (0.2, 0.3))
    for direction in [SIMD2(1.0, 0), SIMD2(-1, 0), SIMD2(0, 1), SIMD2(0, -1)] {
      let found = covariance.standardErrors { off in
        (off * direction).sum() > 0 ? nil : [off.x]
      }
      #expect(found == nil)
    }
  }
}
