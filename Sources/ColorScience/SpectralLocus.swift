/// The chromaticities of monochromatic light, which enclose those of all light.
///
/// Source: the CIE color-matching functions at 1 nm (`StandardObserver`).
public enum SpectralLocus {
  /// Wavelengths for which the functions are tabulated, in nanometers.
  public static let range = StandardObserver.range

  /// The chromaticity of a wavelength in nanometers; `nil` outside 360…830 nm.
  ///
  /// Between tabulated wavelengths the functions are interpolated linearly. Error: the table's own at
  /// whole nanometers (`SpectralLocusTests`). Edge cases: NaN gives `nil`. Complexity: O(1).
  public static func chromaticity(
    wavelength: Double, observer: StandardObserver = .cie1931
  ) -> Chromaticity? {
    observer.colorMatchingFunctions(at: wavelength).map { Chromaticity($0) }
  }
}
