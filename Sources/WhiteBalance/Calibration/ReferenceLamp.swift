package import ColorScience

/// A lamp under which cameras are compared.
package struct ReferenceLamp: Sendable {
  package var technology: LampTechnology
  package var chromaticity: Chromaticity
  /// The spectral power on `SensorGrid`.
  package var power: [Double]

  package init(technology: LampTechnology, chromaticity: Chromaticity, power: [Double]) {
    self.technology = technology
    self.chromaticity = chromaticity
    self.power = power
  }

  init(technology: LampTechnology, spectrum: SpectralDistribution) {
    self.init(
      technology: technology, chromaticity: Chromaticity(spectrum.xyz),
      power: SensorGrid.power(of: spectrum))
  }

  var lightClass: LightClass { technology.lightClass }
}
