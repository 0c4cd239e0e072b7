public import ColorScience

/// The light that a camera's gains stand for.
public struct LightReading: Hashable, Sendable {
  /// Its chromaticity; that of the Planckian locus where the tint is not known.
  public let chromaticity: Chromaticity
  /// Its temperature and tint; `nil` where it has none. See `isTintKnown`.
  public let light: TemperatureAndTint?
  /// Whether the gains told the tint. A curve of grays knows none: `light` then has tint 0.
  public let isTintKnown: Bool
  /// The standard errors of temperature and of tint, from the fit; `nil` where there is no
  /// temperature, and for cameras without a calibration of this package.
  public let standardError: TemperatureAndTint?

  /// A reading of a chromaticity.
  public init(_ chromaticity: Chromaticity, standardError: TemperatureAndTint? = nil) {
    self.chromaticity = chromaticity
    light = TemperatureAndTint(chromaticity)
    isTintKnown = true
    self.standardError = standardError
  }

  /// A reading of a temperature alone, in kelvin.
  public init(kelvin: Double) {
    chromaticity = Chromaticity(CorrelatedColorTemperature(kelvin: kelvin, duv: 0))
    light = TemperatureAndTint(temperature: kelvin, tint: 0)
    isTintKnown = false
    standardError = nil
  }

  /// The same without a standard error.
  package var withoutError: LightReading {
    isTintKnown ? LightReading(chromaticity) : self
  }

  /// The tint; `nil` where it is not known.
  public var tint: Double? { isTintKnown ? light?.tint : nil }
}
