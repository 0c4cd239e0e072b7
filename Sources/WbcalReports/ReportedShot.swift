import ColorScience
import WhiteBalance

/// The data of one shot that the page shows; every number comes from the calibration.
struct ReportedShot {
  let fitted: Calibration.FittedShot
  /// The light, in the coordinates of the Planckian locus.
  let temperature: CorrelatedColorTemperature?
  /// The gains of red and blue, relative to green, that make the shot neutral.
  let measured: (red: Double, blue: Double)
  /// The gains that the fitted camera predicts for the light; `nil` if it predicts none.
  let predicted: (red: Double, blue: Double)?
  /// The chromaticity of the light that the fitted camera estimates from the shot's response.
  let seen: Chromaticity?

  init(_ fitted: Calibration.FittedShot, model: ClassifiedCameraModel) {
    self.fitted = fitted
    let light = fitted.shot.light.chromaticity
    temperature = CorrelatedColorTemperature(light)
    let response = fitted.shot.response
    measured = (response.green / response.red, response.green / response.blue)
    let matrix = model.matrixModel(for: fitted.shot.knownClass)
    predicted = matrix.gains(for: light)?.relativeToGreen
    seen = Gains(neutralizing: response).flatMap { matrix.chromaticity(for: $0) }
  }

  var shot: CalibrationShot { fitted.shot }
  var name: String { shot.light.name }

  /// The error of the camera's estimate of the light in mired, positive if it is too warm.
  var miredError: Double? {
    guard let temperature, let seen = seen.flatMap({ CorrelatedColorTemperature($0) }) else {
      return nil
    }
    return seen.mired - temperature.mired
  }
}
