import ColorScience

/// A camera model fitted to shots of gray cards and color charts, with the shots and their
/// residuals.
///
/// The fit is a regression over measured cameras and lamps (`CameraPrior`), not a bare homography,
/// so four shots are no riskier than one (<doc:CalibrationWithAPrior>). The result is one matrix
/// for each class of light and one for lights of unknown class. For lights of known spectrum,
/// `sensitivityEstimate` gives better results from the same shots.
///
/// ```swift
/// import ColorScience
///
/// let camera = try Calibration(fitting: [
///   CalibrationShot(light: Light(.a), response: LinearRGB(red: 0.786, green: 1, blue: 0.393)),
///   CalibrationShot(light: Light(.d65), response: LinearRGB(red: 0.429, green: 1, blue: 0.781)),
/// ])
/// let evening = TemperatureAndTint(temperature: 3000, tint: -4)
/// if let gains = camera.gains(for: evening, lightClass: .led),
///   let reading = camera.reading(of: gains, lightClass: .led)
/// {
///   print(gains, reading.standardError!.temperature)  // with its ±, in kelvin
/// }
/// ```
///
/// Error: `make evaluate` leaves each public camera out of its own prior in turn, and prints the
/// error of its predicted gains over the public lamps and the coverage of the stated intervals.
/// `EvaluationTests` checks the bounds of both.
public struct Calibration: MatrixBasedCameraModel, Hashable {
  /// A shot and its residuals.
  public struct FittedShot: Hashable, Sendable, Codable {
    /// The gray card, or the neutral surface that a chart predicts.
    public let shot: CalibrationShot
    /// ln(measured gain / gain predicted by the fitted model) of red and blue, relative to green:
    /// 0.01 is 1 %.
    public let residual: Residual
    /// The residual relative to the prediction from all the other shots; `nil` for the only shot.
    public let leaveOneOut: Residual?
    /// `leaveOneOut` in standard deviations. It exceeds `doubt` in at most 2 % of the sets of
    /// correctly labeled shots, and in 90 % of the sets of four or more shots of which one names
    /// the wrong light.
    public let surprise: Double?

    /// Indicates whether `surprise` is so large that the shot's light should be checked.
    public var isDoubtful: Bool { surprise.map { $0 > Calibration.doubt } ?? false }
  }

  /// Natural logarithms of the ratios of two sets of gains.
  public struct Residual: Hashable, Sendable, Codable {
    /// ln(ratio) of the red gains.
    public let red: Double
    /// ln(ratio) of the blue gains.
    public let blue: Double

    /// The larger of the two absolute values.
    public var magnitude: Double { max(abs(red), abs(blue)) }
  }

  /// The fitted camera.
  public let model: ClassifiedCameraModel
  /// The shots in the order given: the gray cards, then, for each chart, the response to a neutral
  /// surface that the chart implies under its light.
  public let shots: [FittedShot]
  /// The color charts, in the order given.
  public let charts: [ChartShot]
  /// The uncertainty of predicted gains.
  public let uncertainty: GainUncertainty
  let sensitivities = OnFirstUse<SensitivityEstimate?>()

  /// The gray cards among the shots.
  public var cards: [CalibrationShot] { shots.dropLast(charts.count).map(\.shot) }

  /// The light whose name cannot be checked: that of the only shot, or of all shots if they were
  /// taken under one light. Any name then leaves no residual, and a wrong one shifts every gain by
  /// the difference of the two lights. `nil` if several lights, or the patches of a chart, check
  /// each other.
  public var uncheckedLight: Light? {
    guard charts.isEmpty, let first = cards.first?.light,
      cards.allSatisfy({ $0.light.chromaticity == first.chromaticity })
    else { return nil }
    return first
  }

  /// Fits a camera to shots. Complexity: O(shots³ + shots · lamps · cameras), and some 30 ms for
  /// each chart.
  ///
  /// - Throws: `CalibrationError` if there is no shot, cameras hardly respond to a light, a
  ///   response differs from that of the average camera by a factor of more than 10, or the shots
  ///   contradict each other: one differs by more than 9 standard deviations from the prediction of
  ///   the others and the prior.
  public init(
    fitting cards: [CalibrationShot], charts: [ChartShot] = [],
    prior: CameraPrior = .publicCameras, chartPrior: SensitivityPrior = .publicCameras
  ) throws(CalibrationError) {
    guard !cards.isEmpty || !charts.isEmpty else { throw .noShots }
    let neutrals = try Self.neutrals(of: charts, prior: chartPrior)
    let shots = cards + neutrals.map(\.own)
    for shot in shots {
      let light = CameraParameters.LightOffset(shot.light.chromaticity)
      guard prior.shape.mean.relativeResponse(to: light).min() >= 0.05 else {
        throw .invisibleLight(shot.light.name)
      }
    }
    if let index = LampRegression.invisible(shots, prior: prior) {
      throw .invisibleLight(shots[index].light.name)
    }
    let others = neutrals.flatMap(\.predicted)
    guard let regression = LampRegression(shots + others, prior: prior) else {
      throw .contradiction(light: nil, nil)
    }
    try Self.checkAgreement(of: shots, regression)
    try Self.checkLikeness(of: shots, prior)
    guard let model = ClassFits.model(regression.lamps.map(\.logGains), shape: prior.shape) else {
      throw .contradiction(light: nil, nil)
    }
    var fitted: [FittedShot] = []
    let isAlone = shots.count + others.count == 1
    for (shot, unexplained) in zip(shots, regression.unexplained) {
      guard let predicted = model.response(to: shot.light.chromaticity, lightClass: shot.knownClass)
      else { throw .contradiction(light: shot.light.name, nil) }
      let residual = shot.response.logGains - predicted.logGains
      fitted.append(
        FittedShot(
          shot: shot, residual: Residual(red: residual.x, blue: residual.y),
          leaveOneOut: isAlone
            ? nil : Residual(red: unexplained.residual.x, blue: unexplained.residual.y),
          surprise: isAlone ? nil : unexplained.surprise))
    }
    self.model = model
    self.shots = fitted
    self.charts = charts
    uncertainty = GainUncertainty(regression, model: model)
  }

  init(
    model: ClassifiedCameraModel, shots: [FittedShot], charts: [ChartShot],
    uncertainty: GainUncertainty
  ) {
    self.model = model
    self.shots = shots
    self.charts = charts
    self.uncertainty = uncertainty
  }

  /// The threshold of `surprise` above which a shot is doubted. `make evaluate` counts how often
  /// correctly and wrongly labeled shots of cameras outside the prior exceed it.
  package static let doubt = 6.0
  /// The threshold of `surprise` above which a set of shots is refused.
  package static let limit = 9.0

  /// The difference of each shot from the prediction of the others and the prior, in standard
  /// deviations; empty if shots repeat each other exactly.
  package static func surprises(_ shots: [CalibrationShot], prior: CameraPrior) -> [Double] {
    LampRegression(shots, prior: prior, predictsLamps: false)?.unexplained.map(\.surprise) ?? []
  }

  /// Throws if a response differs from the average camera's by a factor of more than 10 in red or
  /// blue.
  ///
  /// The prior leaves the scales of red and blue free, but those of measured cameras lie within a
  /// factor of 2, and those of pictures with gains applied within a factor of 5.
  private static func checkLikeness(
    of shots: [CalibrationShot], _ prior: CameraPrior
  ) throws(CalibrationError) {
    for shot in shots {
      let model = prior.average.matrixModel(for: shot.knownClass)
      guard let usual = model.response(to: shot.light.chromaticity)?.logGains else { continue }
      let off = usual - shot.response.logGains
      let worst = abs(off.x) > abs(off.y) ? (ColorChannel.red, off.x) : (.blue, off.y)
      guard abs(worst.1) <= 2.303 else {
        throw .unlikeCameras(
          light: shot.light.name, channel: worst.0, factor: exponential(worst.1))
      }
    }
  }

  /// Throws if a shot differs too much from the prediction of the others.
  private static func checkAgreement(
    of shots: [CalibrationShot], _ regression: LampRegression
  ) throws(CalibrationError) {
    let surprises = regression.unexplained.prefix(shots.count).map(\.surprise)
    guard shots.count > 1, let worst = surprises.indices.max(by: { surprises[$0] < surprises[$1] }),
      !(surprises[worst] <= limit)
    else { return }
    let light = shots[worst].light.name
    let residual = regression.unexplained[worst].residual
    let misfit =
      surprises[worst].isFinite
      ? CalibrationError.Misfit(
        light: light, red: exponential(-residual.x), blue: exponential(-residual.y),
        surprise: surprises[worst]) : nil
    // If only two shots disagree, either may be wrong.
    throw .contradiction(light: shots.count > 2 ? light : nil, misfit)
  }

  /// The matrix for lights of a class; `nil` stands for lights of unknown class.
  public func matrixModel(for lightClass: LightClass?) -> MatrixCameraModel {
    model.matrixModel(for: lightClass)
  }

  /// The light that gains make neutral, with the standard errors from the fit; `nil` if there is
  /// none.
  public func reading(of gains: Gains, lightClass: LightClass? = nil) -> LightReading? {
    guard let found = chromaticity(for: gains, lightClass: lightClass) else { return nil }
    let errors = uncertainty.covariance(at: found, lightClass: lightClass)?.standardErrors { off in
      let moved = Gains(
        red: gains.red * exponential(off.x), green: gains.green,
        blue: gains.blue * exponential(off.y))
      return chromaticity(for: moved, lightClass: lightClass)
        .flatMap { TemperatureAndTint($0) }.map { [$0.temperature, $0.tint] }
    }
    return LightReading(
      found, standardError: errors.map { TemperatureAndTint(temperature: $0[0], tint: $0[1]) })
  }

  /// A further shot that would improve the calibration.
  public struct NextShot: Hashable, Sendable, Codable {
    /// The name of the standard illuminant that represents lights of this kind.
    public let light: String
    /// The expected error of gains after that shot: the root mean square of their logarithms over
    /// the public lamps. 0.01 is 1 %.
    public let expectedError: Double
  }

  /// Returns the error of gains expected now, over the public lamps, and the further shots that
  /// would reduce it, the best first.
  ///
  /// Complexity: as the fit.
  public func nextShots(
    prior: CameraPrior = .publicCameras
  ) -> ExpectedShots<NextShot> {
    let others = (try? Self.neutrals(of: charts, prior: .publicCameras).flatMap(\.predicted)) ?? []
    guard let regression = LampRegression(shots.map(\.shot) + others, prior: prior) else {
      return ExpectedShots(expectedError: .nan, shots: [])
    }
    let candidates = ["A", "D65", "LED-B1", "LED-B3", "LED-B5", "FL2", "FL11"].compactMap { name in
      StandardIlluminant(named: name).flatMap {
        LampResponse(SensorGrid.power(of: $0.spectrum), cameras: prior.channels)
      }.map { (name, $0) }
    }
    return ExpectedShots(
      expectedError: regression.expectedError(adding: nil, prior: prior),
      shots: candidates.map { name, lamp in
        NextShot(light: name, expectedError: regression.expectedError(adding: lamp, prior: prior))
      }.sorted { $0.expectedError < $1.expectedError }
    )
  }
}
