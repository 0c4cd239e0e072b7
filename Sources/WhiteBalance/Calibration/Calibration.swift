import ColorScience

/// A camera model fitted to shots of gray cards and color charts, with the evidence.
///
/// The fit is a regression over measured cameras and lamps (`CameraPrior`), never a bare
/// homography, so that four shots are as safe as one (<doc:CalibrationWithAPrior>). The result is
/// one matrix for each class of light, and one for lights of unknown class. Lights whose spectrum
/// is known are answered better by `sensitivityEstimate()`, on the same shots.
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
/// Error: `make evaluate` prints, for every public camera left out of its own prior, the error of
/// predicted gains over the public lamps, and how often the stated intervals hold;
/// `EvaluationTests` holds both to their bounds.
public struct Calibration: MatrixBasedCameraModel, Hashable {
  /// A shot and its residuals.
  public struct FittedShot: Hashable, Sendable, Codable {
    /// The shot.
    public let shot: CalibrationShot
    /// ln(measured gain / predicted gain) of red and blue, green 1: 0.01 is 1 %.
    public let residual: Residual
    /// The residual of the prediction from all the other shots; `nil` for the only shot.
    public let leaveOneOut: Residual?
    /// `leaveOneOut` in standard deviations. At most 2 % of correctly labeled sets of shots exceed
    /// `doubt`, and 90 % of the sets of four or more do in which a light is labeled wrongly.
    public let surprise: Double?

    /// Whether the shot's light deserves a second look.
    public var isDoubtful: Bool { surprise.map { $0 > Calibration.doubt } ?? false }
  }

  /// Natural logarithms of two gains' ratios.
  public struct Residual: Hashable, Sendable, Codable {
    /// Of red.
    public let red: Double
    /// Of blue.
    public let blue: Double

    /// The larger of the two, without its sign.
    public var magnitude: Double { max(abs(red), abs(blue)) }
  }

  /// The fitted camera.
  public let model: ClassifiedCameraModel
  /// The evidence, in the order given: gray cards, then what each chart says of a neutral surface
  /// under its light.
  public let shots: [FittedShot]
  /// The charts.
  public let charts: [ChartShot]
  /// How far predicted gains may be wrong.
  public let uncertainty: GainUncertainty

  /// The gray cards among the shots.
  public var cards: [CalibrationShot] { shots.dropLast(charts.count).map(\.shot) }

  /// The light of the only shot, or of all shots where they were taken under one: that it is named
  /// rightly cannot be checked, since any name leaves no residual. A wrong one puts every gain off
  /// by as much as the two lights differ. `nil` where several lights, or a chart's patches, check
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
  ///   response is more than 10 times from that of the average camera, or the shots contradict each
  ///   other: one lies more than 9 standard deviations from what the others and the prior predict.
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

  /// A shot of a greater surprise is doubted. `make evaluate` counts how often that happens to
  /// correctly and to wrongly labeled shots of cameras that are not in the prior.
  package static let doubt = 6.0
  /// A set with a shot of a greater surprise is refused.
  package static let limit = 9.0

  /// By how many standard deviations each shot differs from what the others and the prior predict;
  /// empty if shots repeat each other exactly.
  package static func surprises(_ shots: [CalibrationShot], prior: CameraPrior) -> [Double] {
    LampRegression(shots, prior: prior, predictsLamps: false)?.unexplained.map(\.surprise) ?? []
  }

  /// Refuses a response that is that of no camera: the scales of red and blue are free, but those
  /// of measured cameras lie within a factor of 2, and pictures with gains within 5.
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

  /// Refuses shots of which one differs too much from what the others predict.
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
    // Of two shots that disagree either may be wrong.
    throw .contradiction(light: shots.count > 2 ? light : nil, misfit)
  }

  /// The matrix for lights of a class; `nil` stands for lights of unknown class.
  public func matrixModel(for lightClass: LightClass?) -> MatrixCameraModel {
    model.matrixModel(for: lightClass)
  }

  /// The light that gains make neutral, with the standard errors from the fit; `nil` where there is
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

  /// A shot that could be added.
  public struct NextShot: Hashable, Sendable, Codable {
    /// The standard illuminant that represents lights like it.
    public let light: String
    /// The error of gains expected after that shot, over the public lamps, as the root of the mean
    /// square of their logarithms: 0.01 is 1 %.
    public let expectedError: Double
  }

  /// The error of gains to be expected now, over the public lamps, and which further shots would
  /// reduce it, the best first.
  ///
  /// Complexity: as the fit.
  public func nextShots(
    prior: CameraPrior = .publicCameras
  ) -> (expectedError: Double, shots: [NextShot]) {
    let others = (try? Self.neutrals(of: charts, prior: .publicCameras).flatMap(\.predicted)) ?? []
    guard let regression = LampRegression(shots.map(\.shot) + others, prior: prior) else {
      return (.nan, [])
    }
    let candidates = ["A", "D65", "LED-B1", "LED-B3", "LED-B5", "FL2", "FL11"].compactMap { name in
      StandardIlluminant(named: name).flatMap {
        LampResponse(SensorGrid.power(of: $0.spectrum), cameras: prior.channels)
      }.map { (name, $0) }
    }
    return (
      regression.expectedError(adding: nil, prior: prior),
      candidates.map { name, lamp in
        NextShot(light: name, expectedError: regression.expectedError(adding: lamp, prior: prior))
      }.sorted { $0.expectedError < $1.expectedError }
    )
  }
}
