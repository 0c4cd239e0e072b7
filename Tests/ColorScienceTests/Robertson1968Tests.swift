import Testing

@testable import ColorScience

struct Robertson1968Tests {
  /// Computed with colour-science 0.4.7.
  @Test(arguments: [
    (0.3127, 0.3290, 6503.70718, 0.00325666337), (0.34567, 0.35851, 5001.83396, 0.00320527906),
    (0.44757, 0.40745, 2855.75534, 2.67369335e-06), (0.28, 0.29, 9971.65463, 0.00130856396),
    (0.45, 0.41, 2838.84005, 0.000729777435), (0.55, 0.41, 1804.75603, 0.000550060596),
    (0.4, 0.38, 3530.21755, -0.00353041578), (0.3, 0.3, 7738.27261274, -0.005292352),
  ])
  func temperatureOfChromaticity(x: Double, y: Double, kelvin: Double, duv: Double) throws {
    let found = try #require(
      Robertson1968.robertson.correlatedColorTemperature(of: Chromaticity(x: x, y: y)))
    #expect(abs(found.kelvin / kelvin - 1) < 1e-8)
    #expect(abs(found.duv - duv) < 1e-9)
  }

  /// Computed with colour-science 0.4.7.
  @Test(arguments: [
    (6500.0, 0.0083, 0.31153735, 0.33785024), (3000, 0, 0.43684215, 0.40390732),
    (3000, -0.01, 0.42294548, 0.37520169), (2000, 0.01, 0.55100302, 0.44566546),
    (40_000, 0.005, 0.24292114, 0.24825897), (5000, 0, 0.34510414, 0.35162252),
  ])
  func chromaticityOfTemperature(kelvin: Double, duv: Double, x: Double, y: Double) throws {
    let found = try #require(
      Robertson1968.robertson.chromaticity(
        of: CorrelatedColorTemperature(kelvin: kelvin, duv: duv)))
    #expect(abs(found.x - x) < 1e-8)
    #expect(abs(found.y - y) < 1e-8)
  }

  /// Points 0.02 above each row of the table. Computed with colour-science 0.4.7.
  @Test(arguments: [
    (0.001, 0.160627457, 0.268250349), (10, 0.161279190, 0.270828037),
    (20, 0.162015404, 0.273650991),
    (30, 0.162847874, 0.276678656), (40, 0.163798400, 0.279899398), (50, 0.164869122, 0.283301804),
    (60, 0.166072029, 0.286843224), (70, 0.167409055, 0.290510463), (80, 0.168892040, 0.294259935),
    (90, 0.170512490, 0.298067344), (100, 0.172281665, 0.301898198),
    (125, 0.177334700, 0.311470736),
    (150, 0.183271618, 0.320730868), (175, 0.190003768, 0.329414204),
    (200, 0.197405967, 0.337389088),
    (225, 0.205371529, 0.344541499), (250, 0.213761706, 0.350858644),
    (275, 0.222460246, 0.356354873),
    (300, 0.231378639, 0.361078274), (325, 0.240409646, 0.365086304),
    (350, 0.249516630, 0.368460589),
    (375, 0.258621328, 0.371263174), (400, 0.267712150, 0.373564571),
    (425, 0.276732631, 0.375432748),
    (450, 0.285688880, 0.376922563), (475, 0.294538790, 0.378096009),
    (500, 0.303290686, 0.378992470),
    (525, 0.311922858, 0.379639181), (550, 0.320433338, 0.380091645),
    (575, 0.328819591, 0.380373987),
    (600, 0.337068259, 0.380509263),
  ])
  func rowsOfTheTable(mired: Double, u: Double, v: Double) throws {
    let found = UCS1960(
      try #require(
        Robertson1968.robertson.chromaticity(
          of: CorrelatedColorTemperature(mired: mired, duv: 0.02))))
    #expect(abs(found.u - u) < 1e-8)
    #expect(abs(found.v - v) < 1e-8)
  }

  /// Results of the DNG SDK itself, to the digits with which they were read.
  @Test(arguments: [
    (Chromaticity(TemperatureAndTint(temperature: 6504, tint: 0)), 6503.29, 0.005, 0.149, 0.0005),
    (Chromaticity(TemperatureAndTint(temperature: 3077, tint: 0)), 3055.9, 0.05, -0.86, 0.005),
    (Chromaticity(CorrelatedColorTemperature(kelvin: 5000, duv: 0.01)), 5000, 1, 29.98, 0.005),
    (Chromaticity(x: 0.3127, y: 0.3290), 6504, 0.5, 9.77, 0.005),
    (Chromaticity(x: 0.3457, y: 0.3585), 5001, 0.5, 9.56, 0.005),
    (Chromaticity(x: 0.4476, y: 0.4074), 2855, 0.5, -0.06, 0.005),
  ])
  func readingsOfTheSDK(
    light: Chromaticity, kelvin: Double, toleranceK: Double, tint: Double, tolerance: Double
  ) throws {
    let found = TemperatureAndTint(
      try #require(Robertson1968.adobeDNG.correlatedColorTemperature(of: light)))
    #expect(abs(found.temperature - kelvin) <= toleranceK, "\(found)")
    #expect(abs(found.tint - tint) <= tolerance, "\(found)")
  }

  @Test func theMisprintIsTheOnlyDifferenceInside() throws {
    for mired in stride(from: 11.0, through: 599, by: 1) {
      let value = CorrelatedColorTemperature(mired: mired, duv: 0.01)
      let adobe = try #require(Robertson1968.adobeDNG.chromaticity(of: value))
      let corrected = try #require(Robertson1968.robertson.chromaticity(of: value))
      #expect((adobe == corrected) == !(mired > 300 && mired < 350), "\(mired) mired")
    }
  }

  @Test func endsOfTheTable() throws {
    let blue = Chromaticity(CorrelatedColorTemperature(mired: -5, duv: 0.01))
    let hot = Chromaticity(CorrelatedColorTemperature(mired: 4, duv: 0.01))
    let red = Chromaticity(CorrelatedColorTemperature(mired: 650, duv: 0.01))
    let (right, adobe) = (Robertson1968.robertson, Robertson1968.adobeDNG)
    #expect(right.correlatedColorTemperature(of: blue) == nil)
    #expect(right.correlatedColorTemperature(of: red) == nil)
    #expect(abs(try #require(right.correlatedColorTemperature(of: hot)).mired - 4) < 0.2)
    for (light, kelvin) in [(blue, 100_000), (hot, 100_000), (red, 1e6 / 600)] {
      let found = try #require(adobe.correlatedColorTemperature(of: light))
      #expect(abs(found.kelvin - kelvin) < 1e-9)
      #expect(found.duv > 0.005 && found.duv < 0.015)
    }
    #expect(right.chromaticity(of: CorrelatedColorTemperature(mired: 601, duv: 0)) == nil)
    #expect(right.chromaticity(of: CorrelatedColorTemperature(mired: -1, duv: 0)) == nil)
    // The last and first rows, and their tangents: 0.33724 + (0.33724 − 0.32931) = 0.34517.
    let beyond = UCS1960(
      try #require(adobe.chromaticity(of: CorrelatedColorTemperature(mired: 625, duv: 0))))
    #expect(abs(beyond.u - 0.34517) < 1e-12)
    let infinite = UCS1960(
      try #require(right.chromaticity(of: CorrelatedColorTemperature(mired: 0, duv: 0))))
    #expect(abs(infinite.u - 0.18006) < 1e-12 && abs(infinite.v - 0.26352) < 1e-12)
  }

  @Test(arguments: [Robertson1968.robertson, .adobeDNG])
  func whatIsNoNumber(method: Robertson1968) {
    for bad in [Double.nan, .infinity, -.infinity] {
      #expect(method.correlatedColorTemperature(of: Chromaticity(x: bad, y: 0.3)) == nil)
      #expect(method.correlatedColorTemperature(of: Chromaticity(x: 0.3, y: bad)) == nil)
      #expect(method.chromaticity(of: CorrelatedColorTemperature(mired: 200, duv: bad)) == nil)
      #expect(method.chromaticity(of: CorrelatedColorTemperature(mired: bad, duv: 0)) == nil)
    }
    #expect(method.correlatedColorTemperature(of: Chromaticity(x: 1.5, y: 0)) == nil)
  }

  @Test func errorOfTheCorrectedTable() throws {
    var worst = (mired: 0.0, duv: 0.0)
    for point in PublishedMethodGrid.points(1700...25_000, duv: [-0.02, 0, 0.02]) {
      let found = try #require(
        Robertson1968.robertson.correlatedColorTemperature(of: Chromaticity(point)))
      worst.mired = max(worst.mired, abs(found.mired - point.mired))
      worst.duv = max(worst.duv, abs(found.duv - point.duv))
    }
    #expect(worst.mired <= 0.08)
    #expect(worst.duv <= 1.1e-4)
  }

  @Test func errorOverTheWholeTable() throws {
    for mired in stride(from: 0.5, to: 600, by: 1) {
      for duv in [-0.05, 0, 0.05] {
        let light = Chromaticity(CorrelatedColorTemperature(mired: mired, duv: duv))
        let found = try #require(Robertson1968.robertson.correlatedColorTemperature(of: light))
        #expect(abs(found.mired - mired) <= 0.18)
        #expect(abs(found.duv - duv) <= 1.1e-4)
      }
    }
  }

  @Test func errorOfTheMisprint() throws {
    var worst = (mired: 0.0, tint: 0.0)
    for point in PublishedMethodGrid.points(1700...25_000, duv: [-0.05, -0.02, 0, 0.02, 0.05]) {
      let found = try #require(
        Robertson1968.adobeDNG.correlatedColorTemperature(of: Chromaticity(point)))
      worst.mired = max(worst.mired, abs(found.mired - point.mired))
      worst.tint = max(worst.tint, 3000 * abs(found.duv - point.duv))
    }
    #expect(worst.mired > 3.5 && worst.mired <= 4)
    #expect(worst.tint > 0.9 && worst.tint <= 1.1)
  }
}

/// Points at which the errors of published methods are measured.
enum PublishedMethodGrid {
  static func points(
    _ kelvin: ClosedRange<Double>, duv: [Double]
  ) -> [CorrelatedColorTemperature] {
    let count = 500
    return (1..<count).flatMap { index in
      let mired =
        1e6 / kelvin.upperBound + Double(index) / Double(count)
        * (1e6 / kelvin.lowerBound - 1e6 / kelvin.upperBound)
      return duv.map { CorrelatedColorTemperature(mired: mired, duv: $0) }
    }
  }
}
