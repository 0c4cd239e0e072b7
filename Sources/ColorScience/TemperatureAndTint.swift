/// Color temperature in kelvin, and tint: the two numbers that a user sets.
///
/// ```swift
/// let lamp = Chromaticity(TemperatureAndTint(temperature: 3200, tint: 10))
/// if let daylight = TemperatureAndTint(Chromaticity(x: 0.3127, y: 0.3290)) {
///   print(daylight)  // 6504 K, tint 9.6
/// }
/// ```
///
/// Tint is 3000·Duv, positive towards green, as a property of the *light*: a picture corrected for
/// a positive tint moves towards magenta. ±150 is |Duv| = 0.05, the limit within which CIE calls a
/// temperature correlated. AVFoundation and the DNG SDK use the same sign; Lightroom's slider names
/// the correction instead.
public struct TemperatureAndTint: Hashable, Sendable, Codable, CustomStringConvertible {
  /// Correlated color temperature in kelvin; infinite and negative values lie beyond the blue end.
  public var temperature: Double
  /// 3000·Duv, positive towards green.
  public var tint: Double

  /// A temperature in kelvin and a tint.
  public init(temperature: Double, tint: Double) {
    self.temperature = temperature
    self.tint = tint
  }

  /// Converts mired and Duv to kelvin and tint.
  public init(_ value: CorrelatedColorTemperature) {
    self.init(temperature: value.kelvin, tint: 3000 * value.duv)
  }

  /// The temperature and tint of a chromaticity; `nil` if it has none.
  public init?(_ chromaticity: Chromaticity, on locus: PlanckianLocus = PlanckianLocus()) {
    guard let value = locus.correlatedColorTemperature(of: chromaticity) else { return nil }
    self.init(value)
  }

  /// Text such as `6504 K, tint 9.6`.
  public var description: String {
    "\(fixed(temperature, decimals: 0)) K, tint \(fixed(tint, decimals: 1))"
  }
}

extension CorrelatedColorTemperature {
  /// Converts kelvin and tint to mired and Duv.
  public init(_ value: TemperatureAndTint) {
    self.init(kelvin: value.temperature, duv: value.tint / 3000)
  }
}

extension Chromaticity {
  /// The chromaticity of a temperature and tint.
  public init(_ value: TemperatureAndTint, on locus: PlanckianLocus = PlanckianLocus()) {
    self = locus.chromaticity(of: CorrelatedColorTemperature(value))
  }
}
