public import ColorScience

/// A light as a camera's gains tell it.
public struct LightReading: Hashable, Sendable {
  /// Its chromaticity.
  public let chromaticity: Chromaticity
  /// Its temperature and tint; `nil` where it has none.
  public let light: TemperatureAndTint?
  /// The standard errors of temperature and of tint, from the fit; `nil` where there is no
  /// temperature, and for cameras that were not calibrated here.
  public let standardError: TemperatureAndTint?

  /// A reading of a chromaticity.
  public init(_ chromaticity: Chromaticity, standardError: TemperatureAndTint? = nil) {
    self.chromaticity = chromaticity
    light = TemperatureAndTint(chromaticity)
    self.standardError = standardError
  }
}

extension Calibration {
  /// The light that gains make neutral, with the fit's standard errors; `nil` where there is none.
  public func reading(of gains: Gains, lightClass: LightClass? = nil) -> LightReading? {
    guard let found = chromaticity(for: gains, lightClass: lightClass) else { return nil }
    let errors = uncertainty.covariance(at: found, lightClass: lightClass)?.standardErrors {
      off in
      let moved = Gains(
        red: gains.red * exponential(off.x), green: gains.green,
        blue: gains.blue * exponential(off.y))
      return chromaticity(for: moved, lightClass: lightClass)
        .flatMap { TemperatureAndTint($0) }.map { [$0.temperature, $0.tint] }
    }
    return LightReading(
      found,
      standardError: errors.map { TemperatureAndTint(temperature: $0[0], tint: $0[1]) })
  }
}
