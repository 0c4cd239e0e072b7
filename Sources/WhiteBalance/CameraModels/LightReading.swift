public import ColorScience

/// The light that a camera's gains make neutral.
public struct LightReading: Hashable, Sendable, Codable {
  /// The chromaticity; the one on the Planckian locus if the tint is not known.
  public let chromaticity: Chromaticity
  /// The temperature and tint; `nil` if the light has none. See `isTintKnown`.
  public let light: TemperatureAndTint?
  /// Indicates whether the gains determine the tint. A curve of grays does not: `light` then has
  /// tint 0.
  public let isTintKnown: Bool
  /// The standard errors of temperature and of tint, from the fit; `nil` if there is no
  /// temperature, and for cameras without a calibration by this package.
  public let standardError: TemperatureAndTint?

  /// Creates a reading of a chromaticity.
  public init(_ chromaticity: Chromaticity, standardError: TemperatureAndTint? = nil) {
    self.chromaticity = chromaticity
    light = TemperatureAndTint(chromaticity)
    isTintKnown = true
    self.standardError = standardError
  }

  /// Creates a reading of a temperature alone, in kelvin.
  public init(kelvin: Double) {
    chromaticity = Chromaticity(CorrelatedColorTemperature(kelvin: kelvin, duv: 0))
    light = TemperatureAndTint(temperature: kelvin, tint: 0)
    isTintKnown = false
    standardError = nil
  }

  /// Decodes a reading: temperature and tint are computed from the chromaticity, unless the
  /// temperature alone is known.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    if try values.decode(Bool.self, forKey: .isTintKnown) {
      self.init(
        try values.decode(Chromaticity.self, forKey: .chromaticity),
        standardError: try values.decodeIfPresent(TemperatureAndTint.self, forKey: .standardError))
    } else {
      self.init(kelvin: try values.decode(TemperatureAndTint.self, forKey: .light).temperature)
    }
  }

  /// The reading without a standard error.
  package var withoutError: LightReading {
    isTintKnown ? LightReading(chromaticity) : self
  }

  /// The tint; `nil` if it is not known.
  public var tint: Double? { isTintKnown ? light?.tint : nil }
}
