import ColorScience
import Foundation
import Testing

struct NumberTextTests {
  @Test(arguments: [
    (1.0, 2, "1.00"), (-0.004, 2, "0.00"), (0.005, 2, "0.01"), (-1.5, 0, "-2"),
    (1234.5678, 1, "1234.6"),
    (0.1, 4, "0.1000"), (99.999, 2, "100.00"), (0, 3, "0.000"),
  ])
  func fixedDecimals(value: Double, decimals: Int, text: String) {
    #expect(fixed(value, decimals: decimals) == text)
  }

  @Test(
    arguments: [
      (4.0, "4.000"), (0.012345, "0.01235"), (123456, "123456"), (-2.5, "-2.500"),
      (9.9996, "10.000"),
      (.nan, "NaN"), (.infinity, "∞"), (0, "0"),
    ] as [(Double, String)])
  func fourDigits(value: Double, text: String) {
    #expect(shortNumber(value) == text)
  }

  @Test func agreesWithPrintf() {
    for step in 0..<1000 {
      let value = Double(step) * 0.731 - 300
      #expect(fixed(value, decimals: 3) == String(format: "%.3f", value))
    }
  }
}
