public import ColorScience

/// A camera model with one matrix for each class of light, so that gains correspond to at most one
/// light and reading them never throws.
public protocol MatrixBasedCameraModel: CameraModel {
  /// The matrix for lights of a class; `nil` stands for lights of unknown class.
  func matrixModel(for lightClass: LightClass?) -> MatrixCameraModel
}

extension MatrixBasedCameraModel {
  /// The response to a neutral surface, relative to green; `nil` if any channel would not be
  /// positive.
  public func response(to light: Chromaticity, lightClass: LightClass? = nil) -> LinearRGB? {
    matrixModel(for: lightClass).response(to: light)
  }

  /// The light that gains make neutral: none or one.
  public func lights(for gains: Gains, lightClass: LightClass? = nil) -> [Chromaticity] {
    matrixModel(for: lightClass).lights(for: gains)
  }

  /// The derivatives of the logarithms of the gains with respect to x and y of the light; `nil` if
  /// `response(to:lightClass:)` is `nil`.
  public func logGainSlopes(
    at light: Chromaticity, lightClass: LightClass? = nil
  ) -> LogGainSlopes? {
    matrixModel(for: lightClass).logGainSlopes(at: light)
  }

  /// The light that gains make neutral; `nil` if there is none.
  public func chromaticity(for gains: Gains, lightClass: LightClass? = nil) -> Chromaticity? {
    lights(for: gains, lightClass: lightClass).first
  }

  /// The temperature and tint of the light that gains make neutral; `nil` if there is no such
  /// light, or it has no temperature.
  public func temperatureAndTint(
    for gains: Gains, lightClass: LightClass? = nil
  ) -> TemperatureAndTint? {
    chromaticity(for: gains, lightClass: lightClass).flatMap { TemperatureAndTint($0) }
  }
}
