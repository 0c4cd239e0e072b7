import Foundation
import SimulatedScenes
import Testing

import ColorScience
@testable import WhiteBalance

/// Estimates of cameras with known sensitivities, each excluded from the prior.
struct SensitivityEstimateTests {
  private static let camera = 8
  private static let sensor = MeasuredSensor.all[camera]
  private static let prior = prior(without: camera)

  private static func prior(without camera: Int) -> SensitivityPrior {
    var others = PublicCameras.channels
    others.remove(at: camera)
    return SensitivityPrior(channels: others)!
  }

  private static func lamp(_ name: String) -> Light { Light(StandardIlluminant(named: name)!) }

  private static func card(_ name: String) throws -> CalibrationShot {
    let light = lamp(name)
    return try CalibrationShot(light: light, response: sensor.response(to: light.spectrum!))
  }

  /// Returns a chart under a light, after a change of its responses.
  private static func chart(
    _ name: String, edition: ColorChart = .classicFrom2014,
    _ change: (inout [LinearRGB?]) -> Void = { _ in }
  ) throws -> ChartShot {
    let light = lamp(name)
    var responses: [LinearRGB?] = sensor.responses(to: edition, under: light.spectrum!)
    change(&responses)
    return try ChartShot(light: light, responses: responses, chart: edition)
  }

  /// Returns the larger error of ln red and ln blue under a light.
  private static func error(_ estimate: SensitivityEstimate, _ name: String) throws -> Double {
    let light = lamp(name).spectrum!
    let found = try #require(estimate.gains(under: light)).gains
    let truth = sensor.response(to: light).logGains
    return max(abs(log(found.red) - truth.x), abs(log(found.blue) - truth.y))
  }

  @Test(arguments: [ColorChart.classicBefore2014, .classicFrom2014])
  func oneChartPredictsOtherLights(edition: ColorChart) throws {
    let estimate = try SensitivityEstimate(
      charts: [Self.chart("D65", edition: edition)], prior: Self.prior)
    for name in ["A", "FL2", "FL11", "LED-B3", "HP1"] {
      #expect(try Self.error(estimate, name) <= 0.006, "\(name)")
    }
    let noise = try #require(estimate.chartNoise)
    #expect(noise.independent <= 0.003 && noise.common <= 0.003)
  }

  /// The estimated curves themselves agree with the camera's.
  @Test func sensitivitiesLikeTheCameras() throws {
    let found = try SensitivityEstimate(charts: [Self.chart("D65")], prior: Self.prior)
      .sensitivities
    let truth = Self.sensor.sensitivities
    let scale = (400...700).map { truth.green[Double($0)] }.max()!
    for (channel, measured) in [
      (found.red, truth.red), (found.green, truth.green), (found.blue, truth.blue),
    ] {
      let squares = (400...700).map { nanometers -> Double in
        let difference = channel[Double(nanometers)] - measured[Double(nanometers)] / scale
        return difference * difference
      }
      let mean: Double = squares.reduce(0, +) / 301
      #expect(mean.squareRoot() <= 0.03)
    }
  }

  @Test func wrongEditionCosts() throws {
    let shot = try Self.chart("D65")
    let wrong = try ChartShot(
      light: shot.light, responses: shot.responses, chart: .classicBefore2014)
    let right = try SensitivityEstimate(charts: [shot], prior: Self.prior)
    let misled = try SensitivityEstimate(charts: [wrong], prior: Self.prior)
    #expect(misled.fit.evidence < right.fit.evidence - 20)
    #expect(try #require(misled.chartNoise).independent >= 0.01)
  }

  /// Hidden patches provide no evidence, and their absence widens intervals.
  @Test func hiddenPatches() throws {
    let whole = try SensitivityEstimate(charts: [Self.chart("D65")], prior: Self.prior)
    let half = try SensitivityEstimate(
      charts: [Self.chart("D65") { for index in 0..<12 { $0[index] = nil } }], prior: Self.prior)
    let light = Self.lamp("FL11").spectrum!
    let errors = try [whole, half].map {
      try #require($0.gains(under: light)).covariance.standardErrors
    }
    #expect(errors[0].red < errors[1].red && errors[0].blue < errors[1].blue)
    #expect(try Self.error(half, "FL11") <= 4 * max(errors[1].red, errors[1].blue))
  }

  @Test func noiseIsFound() throws {
    var random = SplitMix64(state: 3)
    let shot = try Self.chart("D65") { responses in
      for index in responses.indices {
        let level = 0.03 * random.normal()
        let own = SIMD3(random.normal(), random.normal(), random.normal()) * 0.01 + level
        let exact = responses[index]!.vector
        responses[index] = LinearRGB(
          red: exact.x * exp(own.x), green: exact.y * exp(own.y), blue: exact.z * exp(own.z))
      }
    }
    let noise = try #require(SensitivityEstimate(charts: [shot], prior: Self.prior).chartNoise)
    #expect((0.0075...0.015).contains(noise.independent))
    #expect((0.02...0.05).contains(noise.common))
  }

  @Test func matrixIsThatOfTheCamera() throws {
    let estimate = try SensitivityEstimate(charts: [Self.chart("D65")], prior: Self.prior)
    for name in ["D65", "A", "FL11"] {
      let light = Self.lamp(name).spectrum!
      let matrix = try #require(estimate.colorMatrix(under: light))
      let best = try #require(
        LitSurfaces.chart(under: light)?.matrix(for: Self.sensor.sensitivities))
      for (row, other) in zip(matrix.rows, best.rows) {
        #expect((row - other).max() <= 0.02 && (other - row).max() <= 0.02, "\(name)")
      }
      let white = light.xyz
      for (row, value) in zip(matrix.rows, [white.x / white.y, 1, white.z / white.y]) {
        #expect(abs(row.sum() - value) <= 1e-12)
      }
      let expected = try #require(
        estimate.expectedDifference(of: RootPolynomial(matrix: matrix), under: light))
      #expect(expected.mean > 0.3 && expected.mean < 3 && expected.p95 > expected.mean)
      // A matrix for another light has a larger difference, and the expectation shows it.
      let other = try #require(
        estimate.colorMatrix(under: Self.lamp(name == "A" ? "D65" : "A").spectrum!))
      let expectedOfOther = try #require(
        estimate.expectedDifference(of: RootPolynomial(matrix: other), under: light))
      #expect(expectedOfOther.mean > 4)
    }
  }

  /// A camera whose sensitivities are linear combinations of the observer's needs no fit: the
  /// matrix is exact for any surface.
  @Test func colorimetricCamera() throws {
    let light = Self.lamp("FL2").spectrum!
    func channel(_ weights: SIMD3<Double>) -> SpectralDistribution {
      SpectralDistribution(
        first: 380, step: 5,
        values: stride(from: 380.0, through: 780, by: 5).map { wavelength in
          let xyz = StandardObserver.cie1931.colorMatchingFunctions(at: wavelength)!
          return (xyz.vector * weights).sum()
        })
    }
    let camera = SpectralSensitivities(
      red: channel(SIMD3(1, 0.1, 0)), green: channel(SIMD3(0.2, 1, 0.1)),
      blue: channel(SIMD3(0, 0, 1)))
    let surfaces = try #require(LitSurfaces(TypicalSurfaces.all, under: light))
    let matrix = try #require(LitSurfaces.chart(under: light)?.matrix(for: camera))
    let differences = surfaces.differences(of: RootPolynomial(matrix: matrix), for: camera)
    #expect(try #require(differences).max()! <= 0.2)
  }

  @Test func impossibleShotsAreRefused() throws {
    #expect(throws: SensitivityError.noShots) { try SensitivityEstimate() }
    let flash = try Light(name: "flash", chromaticity: Chromaticity(x: 0.33, y: 0.34))
    #expect(throws: SensitivityError.spectrumUnknown(light: "flash")) {
      try SensitivityEstimate(
        cards: [CalibrationShot(light: flash, response: LinearRGB(red: 1, green: 1, blue: 1))])
    }
    #expect(throws: SensitivityError.spectrumUnknown(light: "flash")) {
      try ChartShot(light: flash, responses: [])
    }
    #expect(throws: SensitivityError.patchCount(light: "D65", expected: 24, found: 23)) {
      try Self.chart("D65") { $0.removeLast() }
    }
    let blind = LinearRGB(red: 0.2, green: .nan, blue: 0.1)
    #expect {
      try Self.chart("D65") { $0[3] = blind }
    } throws: { error in
      guard case .patch("D65", "foliage", _) = error as? SensitivityError else { return false }
      return true
    }
    #expect(throws: SensitivityError.tooFewPatches(light: "D65", found: 5)) {
      try Self.chart("D65") { for index in 5..<24 { $0[index] = nil } }
    }
    // A gray card in place of a chart, and a chart with only its grays visible.
    let gray = LinearRGB(red: 0.2, green: 0.4, blue: 0.3)
    #expect(throws: SensitivityError.noColors(light: "D65")) {
      try Self.chart("D65") { $0 = $0.indices.map { LinearRGB(gray.vector * Double($0 + 1)) } }
    }
    #expect(throws: SensitivityError.noColors(light: "D65")) {
      try Self.chart("D65") { for index in 0..<18 { $0[index] = nil } }
    }
    let sodium = try Light(
      name: "sodium",
      spectrum: SpectralDistribution(first: 588, step: 1, values: [1, 2, 1, 1, 2, 1]))
    #expect(throws: SensitivityError.invisibleLight("sodium")) {
      try SensitivityEstimate(
        cards: [CalibrationShot(light: sodium, response: LinearRGB(red: 1, green: 1, blue: 1))])
    }
  }

  @Test func priorNeedsCameras() {
    let cameras = MeasuredSensor.all.map(\.sensitivities)
    #expect(SensitivityPrior(cameras: Array(cameras.prefix(7))) == nil)
    #expect(SensitivityPrior(cameras: Array(cameras.prefix(8))) != nil)
    let dark = SpectralDistribution(first: 380, step: 5, values: [0, 0])
    #expect(
      SensitivityPrior(
        cameras: Array(cameras.prefix(8)) + [
          SpectralSensitivities(red: dark, green: cameras[0].green, blue: cameras[0].blue)
        ]) == nil)
  }

  /// Fitting two charts and two cards takes less than half a second on one core.
  @Test func fitIsFast() throws {
    let cards = [try Self.card("FL11"), try Self.card("LED-B3")]
    let charts = [try Self.chart("A"), try Self.chart("D65")]
    let start = threadSeconds()
    _ = try SensitivityEstimate(cards: cards, charts: charts)
    #expect(threadSeconds() - start <= 0.5)
  }

  /// Returns the processor time of the thread, which does not depend on other processes.
  private func threadSeconds() -> Double {
    var time = timespec()
    _ = unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + 1e-9 * Double(time.tv_nsec)
  }
}

/// Tests of doubts about wrong shots.
struct ShotDoubtTests {
  private static let camera = 15
  private static let sensor = MeasuredSensor.all[camera]
  private static let prior = {
    var others = PublicCameras.channels
    others.remove(at: camera)
    return SensitivityPrior(channels: others)!
  }()

  private static func doubts(
    under name: String, called other: String? = nil, cards: [(light: String, called: String)] = [],
    _ change: (inout [LinearRGB?]) -> Void = { _ in }
  ) throws -> [ShotWarning] {
    var random = SplitMix64(state: 21)
    let light = StandardIlluminant(named: name)!.spectrum
    var responses: [LinearRGB?] = sensor.responses(to: .classicFrom2014, under: light).map {
      exact in
      let level = 0.03 * random.normal()
      return LinearRGB(
        red: exact.red * exp(level + 0.01 * random.normal()),
        green: exact.green * exp(level + 0.01 * random.normal()),
        blue: exact.blue * exp(level + 0.01 * random.normal()))
    }
    change(&responses)
    return try SensitivityEstimate(
      cards: cards.map { card in
        try CalibrationShot(
          light: Light(named: card.called),
          response: sensor.response(to: StandardIlluminant(named: card.light)!.spectrum))
      },
      charts: [ChartShot(light: Light(named: other ?? name), responses: responses)], prior: prior
    ).warnings()
  }

  @Test(arguments: ["A", "D65", "FL11", "LED-B3"])
  func honestShots(name: String) throws {
    #expect(try Self.doubts(under: name).isEmpty)
    #expect(
      try Self.doubts(under: name, cards: [("D50", "D50"), ("FL2", "FL2")]).isEmpty)
  }

  /// Sensors unlike all known ones, with every filter shifted by 6 or 8 nm, are hardly ever
  /// mistaken for known ones under another light.
  @Test func strangeCameras() throws {
    func shifted(_ table: SpectralDistribution, _ by: Double) -> SpectralDistribution {
      SpectralDistribution(
        first: table.firstWavelength + by, step: table.step, values: table.values)
    }
    var (doubted, total) = (0, 0)
    for camera in stride(from: 0, to: 28, by: 3) {
      let known = MeasuredSensor.all[camera].sensitivities
      for (red, blue) in [(-6.0, 8.0), (6, -8), (-6, -8)] {
        let channels = [
          shifted(known.red, red), shifted(known.green, blue / 2), shifted(known.blue, blue),
        ]
        for name in ["D55", "D65"] {
          let light = Light(try #require(StandardIlluminant(named: name)))
          let power = try #require(light.spectrum)
          let responses = ColorChart.classicFrom2014.patches.map { patch in
            let seen = channels.map { channel in
              (380...780).reduce(0.0) { sum, nanometers in
                let wavelength = Double(nanometers)
                return sum + power[wavelength] * patch.reflectance[wavelength] * channel[wavelength]
              }
            }
            return LinearRGB(red: seen[0], green: seen[1], blue: seen[2])
          }
          let doubts = try SensitivityEstimate(
            charts: [ChartShot(light: light, responses: responses)]
          ).warnings()
          doubted += doubts.contains { if case .light = $0 { true } else { false } } ? 1 : 0
          total += 1
        }
      }
    }
    #expect(total == 60)
    #expect(doubted <= 3, "\(doubted)")
  }

  @Test func swappedPatches() throws {
    let found = try Self.doubts(under: "D65") { $0.swapAt(2, 9) }
    let names = Set(
      found.compactMap { if case .patch("D65", let name, _) = $0 { name } else { nil } })
    #expect(names == ["blue sky", "purple"])
    #expect(found.count == 2)
    #expect("\(found[0])".contains("contradicts the other patches"))
  }

  @Test(arguments: ShotWarning.Order.allCases)
  func outOfOrder(order: ShotWarning.Order) throws {
    let found = try Self.doubts(under: "A") { responses in
      responses = (0..<24).map { place in
        let (row, column) = (place / 6, place % 6)
        return switch order {
        case .turned: responses[23 - place]
        case .mirrored: responses[row * 6 + 5 - column]
        case .flipped: responses[(3 - row) * 6 + column]
        }
      }
    }
    #expect(found == [.order(light: "A", order)])
  }

  @Test(arguments: [("A", "D65"), ("LED-B3", "A"), ("FL11", "D50"), ("D65", "LED-B5")])
  func chartUnderAnotherLight(name: String, called: String) throws {
    let found = try Self.doubts(under: name, called: called)
    #expect(found.contains(.light(called, likelier: name)), "\(found)")
  }

  @Test func cardUnderAnotherLight() throws {
    let found = try Self.doubts(under: "D65", cards: [("A", "A"), ("FL11", "LED-B1")])
    #expect(found == [.light("LED-B1", likelier: "FL11")])
  }
}
