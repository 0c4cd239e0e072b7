import Testing

@testable import ColorScience

/// Tests of the methods that consist of a formula.
struct ClosedFormMethodTests {
  /// Computed with colour-science 0.4.7, as are all figures here that have eight digits.
  @Test(arguments: [
    (1000.0, 0.44808779, 0.35473197), (2000, 0.30501915, 0.35906627),
    (2856, 0.25588597, 0.34962249), (6504.38938305, 0.20047203, 0.31029290),
    (15_000, 0.18567588, 0.28223366),
  ])
  func krystek(kelvin: Double, u: Double, v: Double) throws {
    let found = UCS1960(try #require(Krystek1985.chromaticity(kelvin: kelvin)))
    #expect(abs(found.u - u) < 1e-8 && abs(found.v - v) < 1e-8)
  }

  @Test(arguments: [
    (1667.0, 0.56463830, 0.40288714), (2000, 0.52690259, 0.41326488),
    (2222, 0.50318753, 0.41525093), (2223, 0.50308526, 0.41525773), (2856, 0.44707068, 0.40750880),
    (4000, 0.38052828, 0.37673353), (4001, 0.38041540, 0.37665787),
    (6504.38938305, 0.31342600, 0.32359597), (25_000, 0.25247299, 0.25225479),
  ])
  func kang(kelvin: Double, x: Double, y: Double) throws {
    let found = try #require(Kang2002.chromaticity(kelvin: kelvin))
    #expect(abs(found.x - x) < 1e-8 && abs(found.y - y) < 1e-8)
  }

  @Test(arguments: [
    (0.3127, 0.3290, 6505.0805913), (0.34567, 0.35851, 5002.1261868),
    (0.44757, 0.40745, 2857.2896126), (0.28, 0.29, 9859.1044999), (0.55, 0.41, 1805.6857351),
  ])
  func mcCamy(x: Double, y: Double, kelvin: Double) throws {
    let found = try #require(McCamy1992.kelvin(of: Chromaticity(x: x, y: y)))
    #expect(abs(found - kelvin) < 1e-6)
  }

  @Test(arguments: [
    (0.3127, 0.3290, 6500.7420432), (0.34567, 0.35851, 5002.4363046),
    (0.28, 0.29, 9969.2284788), (0.4, 0.38, 3538.2358560), (0.2442, 0.2404, 63836.7186037),
  ])
  func hernandezAndres(x: Double, y: Double, kelvin: Double) throws {
    let found = try #require(HernandezAndres1999.kelvin(of: Chromaticity(x: x, y: y)))
    #expect(abs(found - kelvin) < 1e-6)
  }

  @Test(arguments: [999.9, 15_000.1, 0, -6500, .nan, .infinity])
  func outsideKrystek(kelvin: Double) {
    #expect(Krystek1985.chromaticity(kelvin: kelvin) == nil)
  }

  @Test(arguments: [1666.9, 25_000.1, 0, -6500, .nan, .infinity])
  func outsideKang(kelvin: Double) {
    #expect(Kang2002.chromaticity(kelvin: kelvin) == nil)
  }

  /// Points redder than the end of the cubic, below the epicenter, on it, and without finite
  /// coordinates.
  @Test(arguments: [
    (0.66, 0.34), (0.40, 0.15), (0.25, 0.18), (0.3320, 0.1858), (.nan, 0.3), (0.3, .nan),
    (.infinity, 0.3), (-.infinity, 0.3), (0.3, .infinity),
  ])
  func outsideMcCamy(x: Double, y: Double) {
    #expect(McCamy1992.kelvin(of: Chromaticity(x: x, y: y)) == nil)
  }

  /// Points below 3000 K, above 800 000 K, below the epicenter, on it, and without finite
  /// coordinates.
  @Test(arguments: [
    (0.44757, 0.40745), (0.66, 0.34), (0.24, 0.234), (0.40, 0.15), (0.25, 0.17), (0.33625, 0.17),
    (0.3366, 0.1735),
    (.nan, 0.3), (0.3, .nan), (.infinity, 0.3), (-.infinity, 0.3), (0.3, .infinity),
  ])
  func outsideHernandezAndres(x: Double, y: Double) {
    #expect(HernandezAndres1999.kelvin(of: Chromaticity(x: x, y: y)) == nil)
  }

  /// Points just above and below the heights of the epicenters, on lines of a common slope.
  @Test func epicenters() throws {
    func slope(_ n: Double, x: Double, y: Double, above: Double) -> Chromaticity {
      Chromaticity(x: x + n * above, y: y + above)
    }
    for above in [5e-5, -5e-5] {
      let mcCamy = McCamy1992.kelvin(of: slope(0.5, x: 0.3320, y: 0.1858, above: above))
      let hernandez = HernandezAndres1999.kelvin(of: slope(0.4, x: 0.3366, y: 0.1735, above: above))
      #expect((mcCamy != nil) == (above > 0) && (hernandez != nil) == (above > 0))
    }
    // A point at the height of the first epicenter, where the second one would have an answer.
    #expect(HernandezAndres1999.kelvin(of: Chromaticity(x: 0.33, y: 0.1735)) == nil)
    // The cubic has its minimum at n = (3525 − √(3525² − 3·449·6823.3))/(3·449) = 1.28173.
    #expect(McCamy1992.kelvin(of: slope(1.28165, x: 0.3320, y: 0.1858, above: 0.1)) != nil)
    #expect(McCamy1992.kelvin(of: slope(1.28175, x: 0.3320, y: 0.1858, above: 0.1)) == nil)
  }

  /// The temperatures for which the methods are published.
  @Test func ranges() {
    #expect(Krystek1985.range == 1000...15_000)
    #expect(Kang2002.range == 1667...25_000)
    #expect(HernandezAndres1999.range == 3000...800_000)
    #expect(Ohno2013.range == 1000...20_000)
    #expect(abs(Robertson1968.range.lowerBound - 1666.6667) < 1e-4)
    #expect(Robertson1968.range.upperBound == .infinity)
    #expect(DaylightLocus.range == 4000...25_000)
    #expect(SpectralLocus.range == 360...830 && StandardObserver.range == 360...830)
  }

  @Test func endsOfMcCamy() throws {
    let infinite = Chromaticity(CorrelatedColorTemperature(mired: 0, duv: 0))
    #expect(abs(try #require(McCamy1992.kelvin(of: infinite)) - 34_540) < 10)
    // n = 1.28, just before the cubic's turning point.
    let lowest = try #require(McCamy1992.kelvin(of: Chromaticity(x: 0.332 + 0.128, y: 0.2858)))
    #expect(abs(lowest - 1620) < 1)
  }

  private func forwardError(
    _ kelvin: ClosedRange<Double>, of method: (Double) -> Chromaticity?
  ) throws -> Double {
    try PublishedMethodGrid.points(kelvin, duv: [0]).map { point in
      let found = UCS1960(try #require(method(point.kelvin)))
      let exact = UCS1960(Chromaticity(point))
      let (du, dv) = (found.u - exact.u, found.v - exact.v)
      return (du * du + dv * dv).squareRoot()
    }.max() ?? .nan
  }

  @Test func errorOfKrystek() throws {
    #expect(try forwardError(Krystek1985.range, of: Krystek1985.chromaticity) <= 1.4e-4)
  }

  @Test func errorOfKang() throws {
    #expect(try forwardError(Kang2002.range, of: Kang2002.chromaticity) <= 4e-4)
    #expect(try forwardError(3300...25_000, of: Kang2002.chromaticity) <= 1.4e-4)
  }

  private func inverseErrors(
    _ kelvin: ClosedRange<Double>, duv: [Double], of method: (Chromaticity) -> Double?
  ) throws -> (kelvin: Double, mired: Double) {
    var worst = (kelvin: 0.0, mired: 0.0)
    for point in PublishedMethodGrid.points(kelvin, duv: duv) {
      let found = try #require(method(Chromaticity(point)), "\(point)")
      worst.kelvin = max(worst.kelvin, abs(found - point.kelvin))
      worst.mired = max(worst.mired, abs(1e6 / found - point.mired))
    }
    return worst
  }

  @Test func errorOfMcCamy() throws {
    let claimed = try inverseErrors(2856...6500, duv: [0], of: McCamy1992.kelvin)
    #expect(claimed.kelvin > 2 && claimed.kelvin <= 10.1)
    let beside = try inverseErrors(3000...9000, duv: [-0.02, 0, 0.02], of: McCamy1992.kelvin)
    #expect(beside.mired <= 2.8)
    let wide = try inverseErrors(1700...25_000, duv: [-0.02, 0, 0.02], of: McCamy1992.kelvin)
    #expect(wide.mired <= 23)
  }

  @Test func errorOfHernandezAndres() throws {
    let method = HernandezAndres1999.kelvin
    #expect(try inverseErrors(4000...800_000, duv: [0], of: method).mired <= 0.64)
    #expect(try inverseErrors(4000...800_000, duv: [-0.02, 0.02], of: method).mired <= 6.2)
    #expect(try inverseErrors(3200...4000, duv: [-0.02, 0, 0.02], of: method).mired <= 8.2)
  }
}
