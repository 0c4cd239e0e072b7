import ColorScience
import WhiteBalance

/// The facts about one shot that the page shows; every number comes from the calibration.
struct ReportedShot {
  let shot: CalibrationShot
  let residual: Calibration.Residual
  /// The residual of the prediction from all the other shots; `nil` for the only shot.
  let leaveOneOut: Calibration.Residual?
  let isDoubtful: Bool
  /// The light, in the coordinates of the Planckian locus.
  let temperature: CorrelatedColorTemperature?
  /// Gains of red and blue, green 1, that neutralize the shot.
  let measured: (red: Double, blue: Double)
  /// The same as the fitted camera predicts from the light; `nil` where it predicts none.
  let predicted: (red: Double, blue: Double)?
  /// The light that the fitted camera reads from the shot's response.
  let seen: Chromaticity?

  init(_ fitted: Calibration.FittedShot, model: ClassifiedCameraModel) {
    shot = fitted.shot
    residual = fitted.residual
    leaveOneOut = fitted.leaveOneOut
    isDoubtful = fitted.isDoubtful
    let light = fitted.shot.light.chromaticity
    temperature = CorrelatedColorTemperature(light)
    let response = fitted.shot.response
    measured = (response.green / response.red, response.green / response.blue)
    let matrix = model.matrixModel(for: fitted.shot.knownClass)
    predicted = matrix.gains(for: light)?.relativeToGreen
    seen = Gains(neutralizing: response).flatMap { matrix.chromaticity(for: $0) }
  }

  var name: String { shot.light.name }

  /// How much too warm the camera reads the light, in mired.
  var miredError: Double? {
    guard let temperature, let seen = seen.flatMap({ CorrelatedColorTemperature($0) }) else {
      return nil
    }
    return seen.mired - temperature.mired
  }
}
