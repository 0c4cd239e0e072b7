public import ColorScience

/// A camera as a distribution over spectral sensitivities, estimated from shots of gray cards and
/// color charts under lights of known spectrum.
///
/// One shot of a chart predicts the gains and the color matrix under any light of known spectrum
/// nearly as well as the camera's measured sensitivities would (<doc:SpectralEstimation>).
///
/// ```swift
/// import ColorScience
///
/// let shot = try CalibrationShot(
///   light: Light(.d65), response: LinearRGB(red: 0.429, green: 1, blue: 0.781))
/// let camera = try SensitivityEstimate(cards: [shot])
/// if let tube = camera.gains(under: StandardIlluminant(named: "FL11")!.spectrum) {
///   print(tube.gains, tube.covariance.standardErrors)
/// }
/// ```
///
/// Error: `make evaluate` leaves each public camera out of its own prior in turn, and prints the
/// errors of gains and of color matrices and the coverage of the stated intervals.
/// `SpectralEvaluationTests` checks their bounds.
public struct SensitivityEstimate: Sendable {
  /// The gray cards.
  public let cards: [CalibrationShot]
  /// The color charts.
  public let charts: [ChartShot]
  let prior: SensitivityPrior
  let fit: SensitivityFit

  /// Estimates a camera from shots. Complexity: O(patches + lights); about 30 ms for a chart.
  ///
  /// - Parameters:
  ///   - cards: gray cards; the spectrum of each light must be known.
  ///   - charts: color charts.
  ///   - prior: the distribution of cameras before the first shot.
  /// - Throws: `SensitivityError` if there is no shot, a light's spectrum is unknown, or a camera
  ///   has no response to it. Shots that contradict each other do not throw: `warnings()` names
  ///   them.
  public init(
    cards: [CalibrationShot] = [], charts: [ChartShot] = [],
    prior: SensitivityPrior = .publicCameras
  ) throws(SensitivityError) {
    try self.init(cards: cards, charts: charts, prior: prior, steps: 15)
  }

  /// Estimates a camera with a limit on the steps of the fit, and optionally with a known noise of
  /// charts.
  init(
    cards: [CalibrationShot], charts: [ChartShot], prior: SensitivityPrior, steps: Int,
    noise: ChartNoise? = nil
  ) throws(SensitivityError) {
    guard !cards.isEmpty || !charts.isEmpty else { throw .noShots }
    var shots: [SensitivityFit.Shot] = []
    for card in cards {
      let power = try Self.power(of: card.light)
      shots.append(
        SensitivityFit.Shot(
          under: power, powers: [power], responses: [card.response],
          cardNoise: max(card.noise, 1e-4)))
    }
    for chart in charts {
      _ = try Self.power(of: chart.light)
      guard let light = chart.light.spectrum else {
        throw .spectrumUnknown(light: chart.light.name)
      }
      let seen = zip(chart.chart.patches, chart.responses).filter { $0.1 != nil }
      shots.append(
        SensitivityFit.Shot(
          under: SensorGrid.power(of: light),
          powers: seen.map { SensorGrid.power(of: light, on: $0.0.reflectance) },
          responses: seen.compactMap(\.1)))
    }
    guard let fit = SensitivityFit(shots, prior: prior, steps: steps, noise: noise) else {
      throw .invisibleLight(cards.first?.light.name ?? charts[0].light.name)
    }
    self.cards = cards
    self.charts = charts
    self.prior = prior
    self.fit = fit
  }

  private static func power(of light: Light) throws(SensitivityError) -> [Double] {
    guard let spectrum = light.spectrum else { throw .spectrumUnknown(light: light.name) }
    let power = SensorGrid.power(of: spectrum)
    // The light needs some power in the range of every channel.
    let seen = [0..<28, 20..<48, 36..<68].map { power[$0].reduce(0, +) }
    guard seen.allSatisfy({ $0 > 0 && $0.isFinite }) else { throw .invisibleLight(light.name) }
    return power
  }

  /// The logarithm of the probability density of the responses' logarithms, up to a constant that
  /// depends only on the surfaces.
  package var evidence: Double { fit.evidence }

  /// The noise that explains the charts best; `nil` without charts.
  public var chartNoise: ChartNoise? { charts.isEmpty ? nil : fit.noise }

  /// The glare on a chart of `charts`; `nil` for any other shot.
  ///
  /// Error: for charts that equal their table, 0.03 % of white, and 0.01 % between channels
  /// (`GlareTests`).
  public func glare(of shot: ChartShot) -> ChartGlare? {
    charts.firstIndex(of: shot).map(fit.glare)
  }

  /// The most probable sensitivities, at 380, 385 … 780 nm, scaled so that the largest of green is
  /// 1.
  public var sensitivities: SpectralSensitivities { sensitivities(at: fit.mode) }

  /// The range, at every wavelength of `sensitivities`, of 95 % of the cameras that agree with the
  /// shots, each scaled so that its largest green is 1. Complexity: O(1), some milliseconds.
  public var sensitivityBand: (lower: SpectralSensitivities, upper: SpectralSensitivities) {
    let cameras = samples(400).map(\.onGrid)
    func edge(_ place: Int) -> SpectralSensitivities {
      let channels = (0..<3).map { channel in
        SpectralDistribution(
          first: SensorGrid.wavelength(0), step: 5,
          values: (0..<SensorGrid.count).map { index in
            cameras.map { $0[channel][index] }.orderStatistic(place)
          })
      }
      return SpectralSensitivities(red: channels[0], green: channels[1], blue: channels[2])
    }
    return (edge(10), edge(389))
  }

  func sensitivities(at coordinates: [Double]) -> SpectralSensitivities {
    let roots = fit.roots(at: coordinates)
    let (n, scales) = (SensorGrid.count, coordinates[prior.directions.count...].prefix(2))
    let logs = [scales.first ?? 0, 0, scales.last ?? 0]
    let channels = (0..<3).map { channel in
      roots[channel * n..<(channel + 1) * n].map { exponential(logs[channel]) * $0 * $0 }
    }
    let largest = channels[1].max() ?? 1
    let tables = channels.map { channel in
      SpectralDistribution(
        first: SensorGrid.wavelength(0), step: 5, values: channel.map { $0 / largest })
    }
    return SpectralSensitivities(red: tables[0], green: tables[1], blue: tables[2])
  }

  /// Cameras drawn from the distribution, the same ones in every call.
  func samples(_ count: Int) -> [SpectralSensitivities] {
    var random = MMIXGenerator()
    return (0..<count).map { _ in
      let step = fit.factor.solveTransposed(fit.mode.map { _ in random.normal() })
      return sensitivities(at: zip(fit.mode, step).map(+))
    }
  }

  /// Gains for a light, and their uncertainty.
  public struct PredictedGains: Hashable, Sendable {
    /// The gains that make a neutral surface neutral, on any scale.
    public let gains: Gains
    /// The variances and covariance of the logarithms of red and blue.
    public let covariance: GainUncertainty.Covariance

    package init(gains: Gains, covariance: GainUncertainty.Covariance) {
      (self.gains, self.covariance) = (gains, covariance)
    }
  }

  /// The gains under a light; `nil` if a channel has no response to it.
  ///
  /// 95 % of the logarithms of red and of blue lie within 1.96 standard errors
  /// (`SpectralEvaluationTests`). Complexity: O(1), about a tenth of a millisecond.
  ///
  /// - Parameter light: the light's power from 380 to 780 nm, in any unit.
  public func gains(under light: SpectralDistribution) -> PredictedGains? {
    guard let (ratios, slopes) = fit.logRatios(of: SensorGrid.power(of: light), at: fit.mode)
    else { return nil }
    let (red, blue) = (fit.factor.solve(slopes.red), fit.factor.solve(slopes.blue))
    func product(_ a: [Double], _ b: [Double]) -> Double {
      zip(a, b).reduce(0) { $0 + $1.0 * $1.1 }
    }
    return PredictedGains(
      gains: Gains(red: exponential(-ratios.x), blue: exponential(-ratios.y)),
      covariance: GainUncertainty.Covariance(
        red: product(red, slopes.red), blue: product(blue, slopes.blue),
        redBlue: product(red, slopes.blue)))
  }
}

/// The sequence of random numbers that D. E. Knuth gives for MMIX, from a fixed seed.
///
/// Color matrices depend on its numbers, so `SplitMix64` would change them.
struct MMIXGenerator: RandomNumberGenerator {
  private var state: UInt64 = 20

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state
  }
}
