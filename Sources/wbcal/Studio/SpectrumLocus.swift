import ColorScience

/// The curves of the chromaticity diagram that a page draws.
struct SpectrumLocus: Encodable {
  /// Monochromatic light.
  var xy: [[Double]]
  /// Black bodies: kelvin, x and y.
  var planckian: [[Double]]

  static let shared = SpectrumLocus()

  private init() {
    xy = stride(from: 380.0, through: 700, by: 2).compactMap {
      SpectralLocus.chromaticity(wavelength: $0)
    }.map { [$0.x, $0.y] }
    planckian = stride(from: 20.0, through: 1000, by: 10).map { mired in
      let light = Chromaticity(CorrelatedColorTemperature(kelvin: 1e6 / mired, duv: 0))
      return [1e6 / mired, light.x, light.y]
    }
  }
}
