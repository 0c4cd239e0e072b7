import ColorScience
import Testing

struct TransferFunctionTests {
  /// Stored and linear values, computed with 40 digits from the standards' formulas.
  @Test(arguments: [
    (TransferFunction.sRGB, 0.5, 0.21404114048223255), (.sRGB, 0.04, 0.0030959752321981426),
    (.sRGB, 128.0 / 255, 0.21586050011389926), (.sRGB, 1, 1), (.bt709, 0.5, 0.2597194371011775),
    (.bt709, 0.08, 0.017777777777777778), (.bt709, 1, 1), (.gamma(2.2), 0.5, 0.217637640824031),
    (.linear, 0.3, 0.3), (.sRGB, 1.5, 2.537155239391517), (.sRGB, -0.5, -0.21404114048223255),
  ])
  func publishedFormulas(function: TransferFunction, value: Double, light: Double) {
    #expect(abs(function.linear(value) - light) <= 3e-15 * max(1, abs(light)))
    #expect(abs(function.encoded(light) - value) <= 3e-15 * max(1, abs(value)))
  }

  @Test(arguments: [TransferFunction.linear, .sRGB, .bt709, .gamma(1.8)])
  func monotonicAndInverse(function: TransferFunction) {
    var previous = -Double.infinity
    for step in -400...1600 {
      let value = Double(step) / 1000 + 0.0001
      let light = function.linear(value)
      #expect(light > previous)
      previous = light
      #expect(abs(function.encoded(light) - value) <= 1e-7)
    }
    #expect(function.linear(.nan).isNaN)
    #expect(function.encoded(.nan).isNaN)
  }

  /// The pieces differ by 3e-8: values on both sides of the joint, from 50 digits.
  @Test func seamOfSRGB() {
    let (value, light) = (0.04045, 0.003_130_8)
    for (found, exact) in [
      (TransferFunction.sRGB.linear(value), 0.00313080495356037),
      (TransferFunction.sRGB.linear(value.nextUp), 0.00313080728306768),
      (TransferFunction.sRGB.encoded(light), 0.040449936),
      (TransferFunction.sRGB.encoded(light.nextUp), 0.0404499074826902),
    ] {
      #expect(abs(found - exact) <= 1e-15)
    }
  }
}
