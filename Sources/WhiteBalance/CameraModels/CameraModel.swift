public import ColorScience

/// How a camera responds to lights: the conversions from a chromaticity to the gains that make it
/// neutral and back, both unclamped. A sensor may respond differently to two lights of one
/// chromaticity that are made differently. A model can take that into account by the class of the
/// light, which is `nil` where it is unknown.
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
  /// The response to a neutral surface under a light, green 1; `nil` if any channel would not be
  /// positive.
  func response(to light: Chromaticity, lightClass: LightClass?) -> LinearRGB?

  /// Every light that gains make neutral; empty for gains that are not positive and finite.
  func lights(for gains: Gains, lightClass: LightClass?) -> [Chromaticity]

  /// How the gains change with the light; `nil` where `response(to:lightClass:)` is.
  func logGainSlopes(at light: Chromaticity, lightClass: LightClass?) -> LogGainSlopes?
}

extension CameraModel {
  /// The gains that make a light neutral, the smallest 1; `nil` where no positive gains do.
  public func gains(for light: Chromaticity, lightClass: LightClass? = nil) -> Gains? {
    response(to: light, lightClass: lightClass).flatMap(Gains.init(neutralizing:))
  }

  /// The gains that make a temperature and tint neutral, the smallest 1; `nil` where none do.
  public func gains(for light: TemperatureAndTint, lightClass: LightClass? = nil) -> Gains? {
    gains(for: Chromaticity(light), lightClass: lightClass)
  }

  /// The light that gains make neutral; `nil` where there is none.
  ///
  /// - Throws: `AmbiguousGains` where there are several.
  public func chromaticity(
    for gains: Gains, lightClass: LightClass? = nil
  ) throws(AmbiguousGains) -> Chromaticity? {
    let lights = lights(for: gains, lightClass: lightClass)
    guard lights.count <= 1 else { throw AmbiguousGains(gains: gains, lights: lights) }
    return lights.first
  }

  /// The temperature and tint of the light that gains make neutral; `nil` where it has none.
  ///
  /// - Throws: `AmbiguousGains` where there are several.
  public func temperatureAndTint(
    for gains: Gains, lightClass: LightClass? = nil
  ) throws(AmbiguousGains) -> TemperatureAndTint? {
    try chromaticity(for: gains, lightClass: lightClass).flatMap { TemperatureAndTint($0) }
  }
}

extension Chromaticity {
  /// XYZ with the sum 1.
  var projected: SIMD3<Double> { SIMD3(x, y, 1 - x - y) }

  /// The chromaticity of XYZ; `nil` for a light's negative, whose x and y are those of the light.
  init?(projecting xyz: SIMD3<Double>) {
    self.init(XYZ(xyz))
    guard xyz.sum() > 0, isFinite else { return nil }
  }
}
