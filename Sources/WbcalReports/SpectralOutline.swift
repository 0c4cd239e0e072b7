import ColorScience

/// The spectral locus as drawings of the chromaticity diagram show it.
enum SpectralOutline {
  /// The chromaticities of monochromatic light from 380 nm to 700 nm.
  static let points: [Chromaticity] = stride(from: 380.0, through: 700, by: 2)
    .compactMap { SpectralLocus.chromaticity(wavelength: $0) }
}
