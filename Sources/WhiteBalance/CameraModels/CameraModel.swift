public import ColorScience

/// A model of a camera's response to lights: the conversions from a chromaticity to the gains that
/// make it neutral, and back, both unclamped. A sensor may respond differently to two lights of the
/// same chromaticity but different spectra. A model can account for that by the class of the light,
/// which is `nil` if unknown.
///
/// ```swift
/// import ColorScience
///
/// let camera = CameraPrior.publicCameras.average
/// let light = TemperatureAndTint(temperature: 5600, tint: 10)
/// if let gains = camera.gains(for: light, lightClass: .daylight),
///   let back = camera.temperatureAndTint(for: gains, lightClass: .daylight)
/// {
///   print(gains, back.temperature, back.tint)
/// }
/// ```
public protocol CameraModel: Sendable {
  /// The response to a neutral surface under a light, relative to green; `nil` if any channel would
  /// not be positive.
  func response(to light: Chromaticity, lightClass: LightClass?) -> LinearRGB?

  /// Returns every light that gains make neutral; none if the gains are not positive and finite.
  func lights(for gains: Gains, lightClass: LightClass?) -> [Chromaticity]

  /// The derivatives of the gains with respect to the light; `nil` if `response(to:lightClass:)` is
  /// `nil`.
  func logGainSlopes(at light: Chromaticity, lightClass: LightClass?) -> LogGainSlopes?
}

extension CameraModel {
  /// The gains that make a light neutral, the smallest 1; `nil` if no positive gains do.
  public func gains(for light: Chromaticity, lightClass: LightClass? = nil) -> Gains? {
    response(to: light, lightClass: lightClass).flatMap(Gains.init(neutralizing:))
  }

  /// The gains that make the light of a temperature and tint neutral, the smallest 1; `nil` if none
  /// do.
  public func gains(for light: TemperatureAndTint, lightClass: LightClass? = nil) -> Gains? {
    gains(for: Chromaticity(light), lightClass: lightClass)
  }

  /// The light that gains make neutral; `nil` if there is none.
  ///
  /// - Throws: `AmbiguousGains` if there are several.
  public func chromaticity(
    for gains: Gains, lightClass: LightClass? = nil
  ) throws(AmbiguousGains) -> Chromaticity? {
    let lights = lights(for: gains, lightClass: lightClass)
    guard lights.count <= 1 else { throw AmbiguousGains(gains: gains, lights: lights) }
    return lights.first
  }

  /// The temperature and tint of the light that gains make neutral; `nil` if there is no such
  /// light, or it has no temperature.
  ///
  /// - Throws: `AmbiguousGains` if there are several.
  public func temperatureAndTint(
    for gains: Gains, lightClass: LightClass? = nil
  ) throws(AmbiguousGains) -> TemperatureAndTint? {
    try chromaticity(for: gains, lightClass: lightClass).flatMap { TemperatureAndTint($0) }
  }
}

extension Chromaticity {
  /// XYZ, scaled to X + Y + Z = 1.
  var projected: SIMD3<Double> { SIMD3(x, y, 1 - x - y) }

  /// The chromaticity of XYZ; `nil` unless the sum is positive, since −XYZ has the x and y of XYZ.
  init?(projecting xyz: SIMD3<Double>) {
    self.init(XYZ(xyz))
    guard xyz.sum() > 0, isFinite else { return nil }
  }
}
