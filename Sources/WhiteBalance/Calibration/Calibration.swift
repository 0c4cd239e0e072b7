public import ColorScience

/// A camera model fitted to gray-card shots, with the evidence.
///
/// The fit is a regression over measured cameras and lamps (`CameraPrior`): what each of them makes
/// of the shots' lights tells what this one will make of other lights. It is never a bare
/// homography, so that four shots are as safe as one. It ends in one matrix for each class of
/// light, and one for lights of unknown class.
///
/// Error: `make evaluate` prints, for every public camera left out of its own prior, the error of
/// predicted gains over the public lamps, and how often the stated intervals hold;
/// `EvaluationTests` holds both to their bounds.
public struct Calibration: Hashable, Sendable, Codable {
  /// A shot and what the fit leaves of it.
  public struct FittedShot: Hashable, Sendable, Codable {
    /// The shot.
    public let shot: CalibrationShot
    /// ln(measured gain / predicted gain) of red and blue, green 1: 0.01 is 1 %.
    public let residual: Residual
    /// The same for the prediction from all the other shots; `nil` for the only shot.
    public let leaveOneOut: Residual?
    /// How many of its standard deviations `leaveOneOut` is: more than `doubt` for at most 2 of 100
    /// honest sets of shots, and for 9 of 10 sets of four or more in which a light is wrongly
    /// named.
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

    /// The larger of both, without sign.
    public var magnitude: Double { max(abs(red), abs(blue)) }
  }

  /// The fitted camera.
  public let model: ClassifiedCameraModel
  /// The evidence, in the order given.
  public let shots: [FittedShot]
  /// How far predicted gains may be off.
  public let uncertainty: GainUncertainty

  /// Fits a camera to shots.
  ///
  /// Complexity: O(shots³ + shots · lamps · cameras).
  ///
  /// - Throws: `CalibrationError` where there is no shot, a light is out of a camera's reach, or
  ///   the shots contradict each other: one lies more than 9 standard deviations from what the
  ///   others and the prior predict.
  public init(
    fitting shots: [CalibrationShot], prior: CameraPrior = .publicCameras
  ) throws(CalibrationError) {
    guard !shots.isEmpty else { throw .noShots }
    for shot in shots {
      let light = CameraParameters.LightOffset(shot.light.chromaticity)
      guard prior.shape.mean.relativeResponse(to: light).min() >= 0.05 else {
        throw .invisibleLight(shot.light.name)
      }
    }
    if let index = LampRegression.invisible(shots, prior: prior) {
      throw .invisibleLight(shots[index].light.name)
    }
    guard let regression = LampRegression(shots, prior: prior) else {
      throw .contradiction(light: nil)
    }
    try Self.checkAgreement(of: shots, regression)
    guard let model = ClassFits.model(regression.lamps.map(\.logGains), shape: prior.shape) else {
      throw .contradiction(light: nil)
    }
    var fitted: [FittedShot] = []
    for (shot, unexplained) in zip(shots, regression.unexplained) {
      guard
        let predicted = model.response(to: shot.light.chromaticity, lightClass: shot.knownClass)
      else { throw .contradiction(light: shot.light.name) }
      let residual = shot.response.logGains - predicted.logGains
      fitted.append(
        FittedShot(
          shot: shot, residual: Residual(red: residual.x, blue: residual.y),
          leaveOneOut: shots.count == 1
            ? nil : Residual(red: unexplained.residual.x, blue: unexplained.residual.y),
          surprise: shots.count == 1 ? nil : unexplained.surprise))
    }
    self.model = model
    self.shots = fitted
    uncertainty = GainUncertainty(regression, model: model)
  }

  /// Above these surprises a shot is doubted, and refused. `make evaluate` counts how often either
  /// happens to honest and to wrongly named shots of cameras that are not in the prior.
  package static let doubt = 6.0
  package static let limit = 9.0

  /// How many standard deviations each shot is from what the others and the prior predict; none
  /// where shots repeat each other exactly.
  package static func surprises(_ shots: [CalibrationShot], prior: CameraPrior) -> [Double] {
    LampRegression(shots, prior: prior, predictsLamps: false)?.unexplained.map(\.surprise) ?? []
  }

  /// Each shot against what the others predict.
  private static func checkAgreement(
    of shots: [CalibrationShot], _ regression: LampRegression
  ) throws(CalibrationError) {
    let surprises = regression.unexplained.map(\.surprise)
    guard shots.count > 1, let worst = surprises.indices.max(by: { surprises[$0] < surprises[$1] }),
      !(surprises[worst] <= limit)
    else { return }
    // Of two shots either may be the wrong one.
    throw .contradiction(light: shots.count > 2 ? shots[worst].light.name : nil)
  }

  /// The gains that make a light neutral, the smallest 1; `nil` where no positive gains do.
  public func gains(for light: Chromaticity, lightClass: LightClass? = nil) -> Gains? {
    model.gains(for: light, lightClass: lightClass)
  }

  /// The light that gains make neutral; `nil` where there is none.
  public func chromaticity(for gains: Gains, lightClass: LightClass? = nil) -> Chromaticity? {
    model.matrixModel(for: lightClass).chromaticity(for: gains)
  }
}
