import ColorScience
import SimulatedScenes
import Testing

@testable import WhiteBalance

/// Predictions of an estimate for its own shots and for further ones; cameras are excluded from the
/// prior.
struct SensitivityShotTests {
  private struct Camera {
    let sensor: MeasuredSensor
    let prior: SensitivityPrior

    init(_ index: Int) throws {
      sensor = MeasuredSensor.all[index]
      var others = PublicCameras.channels
      others.remove(at: index)
      prior = try #require(SensitivityPrior(channels: others))
    }

    func card(_ name: String) throws -> CalibrationShot {
      let light = try Light(named: name)
      return try CalibrationShot(light: light, response: sensor.response(to: light.spectrum!))
    }

    /// Returns a chart with 1 % noise and a lighting that is even to 2 %.
    func chart(_ name: String) throws -> ChartShot {
      var random = SplitMix64(state: 5)
      let light = try Light(named: name)
      let responses = sensor.responses(to: .classicFrom2014, under: light.spectrum!).map { exact in
        let level = 0.02 * random.normal()
        return LinearRGB(
          red: exact.red * exponential(level + 0.01 * random.normal()),
          green: exact.green * exponential(level + 0.01 * random.normal()),
          blue: exact.blue * exponential(level + 0.01 * random.normal()))
      }
      return try ChartShot(light: light, responses: responses)
    }

    func estimate(
      cards: [CalibrationShot] = [], charts: [ChartShot] = []
    ) throws -> SensitivityEstimate {
      try SensitivityEstimate(cards: cards, charts: charts, prior: prior)
    }
  }

  /// The error predicted for a further shot agrees with the one after taking it.
  @Test(arguments: [3, 8, 20])
  func furtherShotsKeepWhatIsSaidOfThem(index: Int) throws {
    let camera = try Camera(index)
    let card = try camera.card("D65")
    let expected = try camera.estimate(cards: [card]).nextShots()
    let (now, next) = (expected.expectedError, expected.shots)
    #expect(next.count == 8 && next.allSatisfy { $0.expectedError < now })
    #expect(next.map(\.expectedError) == next.map(\.expectedError).sorted())
    for shot in next {
      let after =
        switch shot.target {
        case .card: try camera.estimate(cards: [card, camera.card(shot.light)])
        case .chart: try camera.estimate(cards: [card], charts: [camera.chart(shot.light)])
        }
      let ratio = after.nextShots().expectedError / shot.expectedError
      #expect((0.8...1.2).contains(ratio), "\(shot): \(ratio)")
    }
    // Among cards, the same light helps least; a chart helps more than any card.
    let cards = next.filter { $0.target == .card }
    #expect(cards.last?.light == "D65")
    #expect(next.first?.target == .chart)
  }

  /// A patch shot with a tenth more red stands out from all others.
  @Test func theChartBesideWhatIsExpectedOfIt() throws {
    let camera = try Camera(8)
    let light = try Light(named: "D65")
    let exact = camera.sensor.responses(to: .classicFrom2014, under: light.spectrum!)
    let clean = try ChartShot(light: light, responses: exact)
    let estimate = try camera.estimate(charts: [clean])
    let comparison = try #require(estimate.comparison(of: clean))
    #expect(comparison.patches.count == 24)
    #expect(comparison.mean < 0.3 && comparison.worst.difference < 1)

    var responses: [LinearRGB?] = exact
    responses[21] = LinearRGB(exact[21].vector * SIMD3(1.1, 1, 1))
    responses[5] = nil
    let other = try #require(
      estimate.comparison(of: ChartShot(light: light, responses: responses)))
    #expect(other.worst.index == 21 && other.worst.difference > 2)
    #expect(!other.patches.contains { $0.index == 5 })
    let rest = other.patches.filter { $0.index != 21 }.map(\.difference).max() ?? .nan
    #expect(rest < 1)
  }

  /// The truth is in the band, and a chart narrows the band.
  @Test func theBandHoldsTheTruth() throws {
    var (inside, all) = (0, 0)
    for index in stride(from: 1, to: MeasuredSensor.all.count, by: 3) {
      let camera = try Camera(index)
      let band = try camera.estimate(charts: [camera.chart("D65")]).sensitivityBand
      let wide = try camera.estimate(cards: [camera.card("D65")]).sensitivityBand
      let truth = camera.sensor.sensitivities
      let largest = truth.green.values.max()!
      var (narrowWidth, wideWidth) = (0.0, 0.0)
      for wavelength in stride(from: 400.0, through: 700, by: 5) {
        for (value, low, high) in [
          (truth.red, band.lower.red, band.upper.red),
          (truth.green, band.lower.green, band.upper.green),
          (truth.blue, band.lower.blue, band.upper.blue),
        ] {
          all += 1
          let share = value[wavelength] / largest
          if (low[wavelength]...high[wavelength]).contains(share) { inside += 1 }
          narrowWidth += high[wavelength] - low[wavelength]
        }
        for (low, high) in [
          (wide.lower.red, wide.upper.red), (wide.lower.green, wide.upper.green),
          (wide.lower.blue, wide.upper.blue),
        ] { wideWidth += high[wavelength] - low[wavelength] }
      }
      #expect(narrowWidth < wideWidth)
    }
    let share = Double(inside) / Double(all)
    #expect(share > 0.85, "\(share)")
  }
}
