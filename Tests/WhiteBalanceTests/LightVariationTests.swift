import ColorScience
import Testing
import WhiteBalance

struct LightVariationTests {
  /// A sine averaged over exposures, computed as a sum of 20,000 points at each of 40 starts.
  @Test(arguments: [0.0005, 0.004, 0.0101, 0.0166, 0.03])
  func aSineLeavesItsAverage(exposure: Double) {
    let lamp = LightVariation([LightVariation.Component(frequency: 120, amplitude: 0.4)])
    let means = (0..<40).map { start in
      (0..<20_000).reduce(0.0) { sum, moment in
        let time = Double(start) / 40 / 120 + exposure * (Double(moment) + 0.5) / 20_000
        return sum + 0.4 * cosine(2 * .pi * 120 * time) / 20_000
      }
    }
    // 40 starts miss the maximum by at most 4.5°.
    #expect(abs(lamp.ripple(exposure: exposure) - means.max()!) < 0.0013)
  }

  @Test func wholePeriodsAreOffered() {
    let lamp = LightVariation([
      LightVariation.Component(frequency: 120, amplitude: 0.4),
      LightVariation.Component(frequency: 240, amplitude: 0.1),
    ])
    let offered = lamp.steadyExposures(in: 0.005...0.034)
    #expect(offered.count == 4)
    for (index, exposure) in offered.enumerated() {
      #expect(abs(exposure - Double(index + 1) / 120) < 1e-12)
    }
    #expect(lamp.steadyExposures(in: 0.001...0.008).isEmpty)
    #expect(lamp.steadyExposures(in: 0.02...0.021).isEmpty)
  }

  /// 1/120 s in steps of 100 µs is 8.3 ms, and 1/60 s is 16.7 ms.
  @Test func stepsCostRipple() {
    let strong = LightVariation([LightVariation.Component(frequency: 120, amplitude: 0.9)])
    let offered = strong.steadyExposures(in: 0.005...0.02, step: 1e-4)
    #expect(offered.count == 1 && abs(offered[0] - 0.0167) < 1e-9)
    #expect(strong.steadyExposures(in: 0.005...0.02, step: 1e-4, limit: 0.01).count == 2)
  }

  /// A tube with light at the mains' own frequency needs whole periods of that frequency.
  @Test func halfTheFrequencyDoublesThePeriod() {
    let tube = LightVariation([
      LightVariation.Component(frequency: 100, amplitude: 0.3),
      LightVariation.Component(frequency: 50, amplitude: 0.05),
    ])
    #expect(tube.period == 0.02)
    #expect(tube.steadyExposures(in: 0.005...0.045) == [0.02, 0.04])
  }
}
