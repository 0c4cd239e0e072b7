import ColorScience
import Testing
import WhiteBalance

@testable import wbcal_calibration_study

/// What `make evaluate` prints of lights by their spectra, held to its bounds: each public camera
/// left out of its prior.
struct SpectralEvaluationTests {
  private static let cards = SpectralShots.evaluated[1]
  private static let chart = SpectralShots.chartOnly
  private static let charts = SpectralShots.evaluated[4]
  private static let chartAndCards = SpectralShots.evaluated[5]

  /// Median and 95th percentile of the larger error, in percent.
  @Test(arguments: [
    (cards, 0.75, 4.33), (chart, 0.25, 1.3), (chart.withNoise, 0.65, 3.0),
    (chart.withNoise.withGlare, 0.65, 3.0), (charts, 0.2, 1.2),
    (charts.withNoise, 0.5, 2.8), (chartAndCards, 0.15, 0.9), (chartAndCards.withNoise, 0.35, 1.8),
    (.uneven, 1.1, 3.7),
  ])
  func gains(shots: SpectralShots, median: Double, high: Double) throws {
    let percent = try spectralPredictions(shots).map(\.percent)
    #expect(percent.count == 28 * (108 - shots.cards.count - shots.charts.count))
    #expect(percentile(percent, 0.5) <= median, "\(percentile(percent, 0.5))")
    #expect(percentile(percent, 0.95) <= high, "\(percentile(percent, 0.95))")
  }

  /// 95 % intervals hold in every class of lamp.
  @Test(arguments: SpectralShots.noisy)
  func intervals(shots: SpectralShots) throws {
    let found = try spectralPredictions(shots, seeds: SpectralShots.draws)
    for lightClass in LightClass.allCases {
      let share = coverage(found.filter { $0.lightClass == lightClass })
      #expect((0.92...0.97).contains(share), "\(lightClass) \(share)")
    }
  }

  /// Matrices are as good as those from the true sensitivities, and say how good they are.
  @Test func matrices() throws {
    let found = try matrixComparisons(SpectralShots.chartOnly.withNoise)
    func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(values.count) }
    for light in matrixLights {
      let found = found.filter { $0.light == light }
      #expect(found.count == 28)
      #expect(mean(found.map(\.estimated)) <= 1.02 * mean(found.map(\.best)), "\(light)")
    }
    for ratios in [
      found.map({ $0.estimated / $0.expected }),
      found.map({ $0.rootPolynomial / $0.expectedOfRoots }),
    ] {
      let ratio = percentile(ratios, 0.5)
      #expect((0.9...1.15).contains(ratio), "\(ratio)")
    }
    #expect(mean(found.map(\.rootPolynomial)) <= 0.9 * mean(found.map(\.estimated)))
    #expect(mean(found.map(\.shown)) <= 0.95 * mean(found.map(\.adapted)))
    #expect(mean(found.map(\.shownByRoots)) <= 0.9 * mean(found.map(\.shown)))
  }

  @Test func honestChartsAreBelieved() throws {
    for mistake in [ChartMistake.none, .glare] {
      let found = try judgedCharts([mistake], each: 2, seed: 5)
      #expect(found.count == 56)
      #expect(found.count(where: \.isDoubted) <= 1, "\(mistake)")
    }
  }

  @Test func wrongChartsAreDoubted() throws {
    let found = try judgedCharts(
      ChartMistake.allCases.filter { ![.none, .glare].contains($0) }, each: 1, seed: 6)
    #expect(found.count == 28 * 5)
    #expect(found.count(where: \.isDoubted) >= 133)
    #expect(found.count(where: \.isNamed) >= 133)
  }
}
