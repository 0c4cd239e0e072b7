import ColorScience
import WhiteBalance

/// The facts about one shot that the page shows; every number comes from the calibration.
struct ReportedShot {
  let fitted: Calibration.FittedShot
  /// The light, in the coordinates of the Planckian locus.
  let temperature: CorrelatedColorTemperature?
  /// Gains of red and blue, green 1, that neutralize the shot.
  let measured: (red: Double, blue: Double)
  /// The same as the fitted camera predicts from the light; `nil` where it predicts none.
  let predicted: (red: Double, blue: Double)?
  /// The light that the fitted camera reads from the shot's response.
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

  /// How much too warm the camera reads the light, in mired.
  var miredError: Double? {
    guard let temperature, let seen = seen.flatMap({ CorrelatedColorTemperature($0) }) else {
      return nil
    }
    return seen.mired - temperature.mired
  }
}
