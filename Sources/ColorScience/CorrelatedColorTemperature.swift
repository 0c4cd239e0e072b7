/// Correlated color temperature and Duv: a chromaticity in the coordinates of the Planckian locus.
///
/// Temperature is stored as reciprocal temperature (mired, 10⁶/T), which passes smoothly through
/// infinite temperature at 0. `PlanckianLocus` defines the values of each chromaticity.
public struct CorrelatedColorTemperature: Hashable, Sendable, Codable, CustomStringConvertible {
  /// Reciprocal temperature in mired; negative for light bluer than infinite temperature.
  public var mired: Double
  /// Signed distance from the locus in CIE 1960 u, v, along the isotherm; positive towards green.
  public var duv: Double

  /// A color temperature from its reciprocal in mired.
  public init(mired: Double, duv: Double) {
    self.mired = mired
    self.duv = duv
  }

  /// A color temperature from kelvin; infinity is allowed, and negative values lie beyond infinity.
  public init(kelvin: Double, duv: Double) { self.init(mired: 1e6 / kelvin, duv: duv) }

  /// Temperature in kelvin: infinite at 0 mired, negative beyond. Near 0 mired kelvin lose
  /// precision: u, v in `Double` resolve 1e-12 mired, which is 1 K at 1e9 K. Use `mired` there.
  public var kelvin: Double { 1e6 / mired }

  /// The color temperature of a chromaticity by `PlanckianLocus.correlatedColorTemperature(of:)`;
  /// `nil` if it has none.
  public init?(_ chromaticity: Chromaticity, on locus: PlanckianLocus = PlanckianLocus()) {
    guard let value = locus.correlatedColorTemperature(of: chromaticity) else { return nil }
    self = value
  }

  /// Text such as `6504 K, Duv 0.0032`.
  public var description: String {
    "\(fixed(kelvin, decimals: 0)) K, Duv \(fixed(duv, decimals: 4))"
  }
}

extension Chromaticity {
  /// The chromaticity at a color temperature and Duv by `PlanckianLocus.chromaticity(of:)`.
  public init(
    _ temperature: CorrelatedColorTemperature, on locus: PlanckianLocus = PlanckianLocus()
  ) {
    self = locus.chromaticity(of: temperature)
  }
}
