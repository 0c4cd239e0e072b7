import Testing

@testable import ColorScience

struct Ohno2013Tests {
  /// Values computed with colour-science 0.4.7, whose table is ten times finer; Ohno states an
  /// error of 1 K.
  @Test(arguments: [
    (0.1978, 0.3122, 6507.508, 0.003223678), (0.25, 0.36, 2907.939, 0.011847745),
    (0.25, 0.33, 3218.350, -0.016039158),
  ])
  func temperatureOfChromaticity(u: Double, v: Double, kelvin: Double, duv: Double) throws {
    let found = try #require(
      Ohno2013.correlatedColorTemperature(of: Chromaticity(UCS1960(u: u, v: v))))
    #expect(abs(found.kelvin - kelvin) < 0.6)
    #expect(abs(found.duv - duv) < 5e-6)
  }

  /// A value computed with colour-science 0.4.7, whose observer ends at 780 nm here.
  @Test func chromaticityOfTemperature() throws {
    let found = UCS1960(
      try #require(
        Ohno2013.chromaticity(
          of: CorrelatedColorTemperature(kelvin: 6507.4342201047066, duv: 0.003223690901513))))
    #expect(abs(found.u - 0.1978) < 1e-6)
    #expect(abs(found.v - 0.3122) < 1e-6)
    let below = UCS1960(
      try #require(
        Ohno2013.chromaticity(of: CorrelatedColorTemperature(kelvin: 3000, duv: -0.02))))
    #expect(abs(below.u - 0.25769753) < 1e-6)
    #expect(abs(below.v - 0.32890283) < 1e-6)
  }

  /// Ohno states an error of 1 K for these temperatures and Duv.
  @Test func error() throws {
    let duv = [-0.03, -0.02, -0.01, -0.003, -0.001, 0, 0.001, 0.003, 0.01, 0.02, 0.03]
    var worst = (kelvin: 0.0, duv: 0.0, forward: 0.0)
    for point in PublishedMethodGrid.points(Ohno2013.range, duv: duv) {
      let light = Chromaticity(point)
      let found = try #require(Ohno2013.correlatedColorTemperature(of: light), "\(point)")
      worst.kelvin = max(worst.kelvin, abs(found.kelvin - point.kelvin))
      worst.duv = max(worst.duv, abs(found.duv - point.duv))
      let (back, exact) = (
        UCS1960(try #require(Ohno2013.chromaticity(of: point))), UCS1960(light)
      )
      worst.forward = max(worst.forward, abs(back.u - exact.u), abs(back.v - exact.v))
    }
    #expect(worst.kelvin <= 1.0)
    #expect(worst.duv <= 5e-5)
    #expect(worst.forward <= 5e-8)
  }

  /// The two solutions meet at |Duv| = 0.002.
  @Test func theSolutionsMeet() throws {
    for kelvin in [1500, 3000, 6500, 15_000] as [Double] {
      let both = try [0.00199, 0.00201].map { duv in
        try #require(
          Ohno2013.correlatedColorTemperature(
            of: Chromaticity(CorrelatedColorTemperature(kelvin: kelvin, duv: duv))))
      }
      #expect(abs(both[0].kelvin - both[1].kelvin) < 1)
      #expect(abs(both[1].duv - both[0].duv - 2e-5) < 3e-5)
    }
  }

  @Test func whatHasNoAnswer() throws {
    for kelvin in [500, 990, 20_100, 50_000, .infinity, -50_000] as [Double] {
      let value = CorrelatedColorTemperature(kelvin: kelvin, duv: 0)
      #expect(Ohno2013.correlatedColorTemperature(of: Chromaticity(value)) == nil, "\(kelvin) K")
      #expect(Ohno2013.chromaticity(of: value) == nil, "\(kelvin) K")
    }
    for bad in [Double.nan, .infinity, -.infinity] {
      #expect(Ohno2013.correlatedColorTemperature(of: Chromaticity(x: bad, y: 0.3)) == nil)
      #expect(
        Ohno2013.chromaticity(of: CorrelatedColorTemperature(mired: 200, duv: bad)) == nil)
      #expect(Ohno2013.chromaticity(of: CorrelatedColorTemperature(mired: bad, duv: 0)) == nil)
    }
    #expect(Ohno2013.correlatedColorTemperature(of: Chromaticity(x: 1.5, y: 0)) == nil)
    // Points beyond the red end of the table, on the locus and far from it.
    for mired in stride(from: 1012.0, through: 4000, by: 12) {
      for duv in stride(from: -0.09, through: 0.3, by: 0.03) {
        let value = CorrelatedColorTemperature(mired: mired, duv: duv)
        #expect(Ohno2013.correlatedColorTemperature(of: Chromaticity(value)) == nil, "\(value)")
      }
    }
    for kelvin in [1001.0, 19_990] {
      let value = CorrelatedColorTemperature(kelvin: kelvin, duv: 0)
      #expect(Ohno2013.correlatedColorTemperature(of: Chromaticity(value)) != nil, "\(kelvin) K")
    }
  }
}
