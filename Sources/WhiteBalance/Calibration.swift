public import ColorScience

/// A camera model fitted to gray-card shots, with the evidence.
///
/// The fit starts from measured cameras: of one shot it takes the unit's scale of red and blue (the
/// diagonal); of more it takes also the shape of the matrix, as far as the shots say more than the
/// prior. It is never a bare homography, so that four shots are as safe as one. What a model of one
/// matrix leaves unexplained (2 % standard deviation of a gain) is counted as noise of the shots. One
/// matrix serves all lights: the class of a shot's light is kept, not used.
///
/// Error: `make evaluate` prints, for every public camera left out of its own prior, the error of
/// predicted gains over the public lamps; `EvaluationTests` holds its medians to their bounds.
public struct Calibration: Hashable, Sendable, Codable {
  /// A shot and what the fit leaves of it.
  public struct FittedShot: Hashable, Sendable, Codable {
    /// The shot.
    public let shot: CalibrationShot
    /// ln(measured gain / predicted gain) of red and blue, green 1: 0.01 is 1 %.
    public let residual: Residual
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
  public let model: MatrixCameraModel
  /// The evidence, in the order given.
  public let shots: [FittedShot]

  /// Fits a camera to shots.
  ///
  /// Complexity: about ten iterations of O(shots).
  ///
  /// - Throws: `CalibrationError` where there is no shot, a light is out of a camera's reach, or the
  ///   shots contradict each other: one lies more than 6 standard deviations from what the others and
  ///   the prior predict.
  public init(
    fitting shots: [CalibrationShot], prior: CameraPrior = .publicCameras
  ) throws(CalibrationError) {
    guard !shots.isEmpty else { throw .noShots }
    for shot in shots {
      let light = CameraParameters.LightOffset(shot.light.chromaticity)
      guard prior.mean.relativeResponse(to: light).min() >= 0.05 else {
        throw .invisibleLight(shot.light.name)
      }
    }
    var fit = CameraParameterFit(
      observations: shots.map { .init(light: $0.light.chromaticity, response: $0.response) },
      weight: 1 / (Self.modelDeviation * Self.modelDeviation + Self.noise * Self.noise),
      start: prior.mean, precision: prior.precision)
    guard let solution = fit.solved(),
      let model = try? solution.parameters.model(relativeTo: prior.mean)
    else { throw .contradiction(light: nil) }
    try Self.checkAgreement(of: shots, fit: &fit, solution: solution)
    var fitted: [FittedShot] = []
    for shot in shots {
      guard let predicted = model.response(to: shot.light.chromaticity) else {
        throw .contradiction(light: shot.light.name)
      }
      fitted.append(FittedShot(shot: shot, residual: Self.residual(shot, predicted: predicted)))
    }
    self.model = model
    self.shots = fitted
  }

  /// Standard deviation of what one matrix leaves unexplained, of a gain's logarithm.
  private static let modelDeviation = 0.02
  /// Standard deviation of a shot's noise, of a gain's logarithm.
  private static let noise = 0.003

  /// Each shot against the fit to the others. Measured cameras under lights rightly named stay below 4;
  /// of lights wrongly named 95 % lie above.
  private static func checkAgreement(
    of shots: [CalibrationShot], fit: inout CameraParameterFit,
    solution: CameraParameterFit.Solution
  ) throws(CalibrationError) {
    guard shots.count > 1 else { return }
    let all = fit.observations
    var worst = (index: 0, surprise: 0.0)
    for index in all.indices {
      // Of many shots, one hardly moves the fit; leaving each out would take their count squared.
      var others: CameraParameterFit.Solution? = solution
      if all.count <= 50 {
        fit.observations = all
        fit.observations.remove(at: index)
        others = fit.solved()
      }
      let surprise =
        others.flatMap {
          CameraParameterFit.surprise(of: all[index], given: $0, deviation: Self.lampDeviation)
        } ?? .infinity
      if surprise > worst.surprise { worst = (index, surprise) }
    }
    guard worst.surprise > 6 else { return }
    // Of two shots either may be the wrong one.
    throw .contradiction(light: shots.count > 2 ? shots[worst.index].light.name : nil)
  }

  /// What one matrix misses of single lamps' red and blue gains, as logarithms' standard deviation.
  private static let lampDeviation = SIMD2(0.04, 0.05)

  private static func residual(_ shot: CalibrationShot, predicted: LinearRGB) -> Residual {
    let ratio = predicted.vector / shot.response.vector
    return Residual(red: logarithm(ratio.x / ratio.y), blue: logarithm(ratio.z / ratio.y))
  }

  /// The gains that make a light neutral, the smallest 1; `nil` where no positive gains do.
  public func gains(for light: Chromaticity) -> Gains? { model.gains(for: light) }

  /// The light that gains make neutral; `nil` where there is none.
  public func chromaticity(for gains: Gains) -> Chromaticity? { model.chromaticity(for: gains) }
}
