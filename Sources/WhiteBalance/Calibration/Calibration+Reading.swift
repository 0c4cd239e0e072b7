import ColorScience

extension Calibration {
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
}
