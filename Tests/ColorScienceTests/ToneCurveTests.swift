import ColorScience
import Testing

struct ToneCurveTests {
  private func tone(_ points: [(Double, Double)]) -> ToneCurve? {
    ToneCurve(points.map { ToneCurve.Point(stored: $0.0, linear: $0.1) })
  }

  /// At inner points of a parabola the slopes are those of the parabola.
  @Test func interpolation() throws {
    let curve = try #require(tone([(0.1, 0), (0.3, 0.04), (0.5, 0.16), (0.9, 0.64)]))
    for (stored, linear) in [(0.1, 0.0), (0.3, 0.04), (0.5, 0.16), (0.9, 0.64)] {
      #expect(abs(curve.linear(stored) - linear) <= 1e-15)
      #expect(abs(curve.stored(linear) - stored) <= 1e-15)
    }
    // The value of Hermite's cubic in the middle, with slopes 0.4 and 0.8: the mean, plus an eighth
    // of the width times their difference.
    #expect(abs(curve.linear(0.4) - (0.1 + 0.2 / 8 * (0.4 - 0.8))) <= 1e-15)
    // Beyond the ends the curve continues along the outermost secants.
    #expect(abs(curve.linear(0) + 0.02) <= 1e-15)
    #expect(abs(curve.linear(1) - 0.76) <= 1e-15)
    #expect(abs(curve.stored(-0.02)) <= 1e-15)
  }

  /// The curve rises everywhere and has an inverse, even where points jump.
  @Test func monotonicAndInverse() throws {
    let curve = try #require(
      tone([(0.02, 0), (0.1, 0.001), (0.2, 0.3), (0.25, 0.301), (0.8, 0.7), (0.81, 0.99)]))
    var last = -Double.infinity
    for step in -200...1200 {
      let stored = Double(step) / 1000
      let linear = curve.linear(stored)
      #expect(linear > last)
      last = linear
      #expect(abs(curve.linear(curve.stored(linear)) - linear) <= 1e-13)
    }
    #expect(curve.linear(.nan).isNaN && curve.stored(.nan).isNaN)
  }

  @Test func noCurves() {
    #expect(tone([(0, 0), (1, 1)]) == nil)
    #expect(tone([(0, 0), (0.5, 0.5), (0.5, 0.6)]) == nil)
    #expect(tone([(0, 0), (0.5, 0.5), (0.6, 0.5)]) == nil)
    #expect(tone([(0, 0), (0.5, .nan), (0.6, 0.7)]) == nil)
    #expect(tone([(0, 0), (0.5, 0.5), (.infinity, 0.7)]) == nil)
  }

  @Test func names() throws {
    let name = "curve:0.02,0.0;0.5,0.21;1.0,1.0"
    let function = try #require(TransferFunction(named: name))
    #expect(function.name == name)
    #expect(function.linear(0.5) == 0.21 && function.encoded(0.21) == 0.5)
    // Below the black level linear values are negative, without odd symmetry.
    #expect(function.linear(0) < 0 && function.linear(-0.02) < function.linear(0))
    for wrong in [
      "curve:", "curve:0,0;1,1", "curve:0,0;0.5;1,1", "curve:0,0;0.5,x;1,1",
      "curve:0,0;0.5,1;1,0.5",
    ] {
      #expect(TransferFunction(named: wrong) == nil)
    }
  }
}
